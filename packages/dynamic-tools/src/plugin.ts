export type { PluginCapabilities } from './capabilities.ts';
export {
  definePlugin,
  type PlainTool,
  type PluginDefinition,
  type PluginPrompt,
  type PluginResource,
  type PluginSetup,
  type PluginTool,
} from './plugin/definition/define-plugin.ts';
