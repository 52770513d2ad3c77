export type { PluginCapabilities } from './capabilities.ts';
export {
  definePlugin,
  type PlainTool,
  type PluginDefinition,
  type PluginSetup,
  type PluginTool,
} from './define-plugin.ts';
export { PluginError, pluginErrorCodes, type PluginErrorCode } from './plugin-error.ts';
export { createPluginLoader, loadPlugins, type PluginLoader, type PluginLoaderOptions } from './plugin-loader.ts';
export type { PluginEvent, PluginFailure, PluginInfo, PluginPhase } from './plugin-report.ts';
