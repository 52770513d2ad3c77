export type { PluginCapabilities } from './capabilities.ts';
export {
  createCatalog,
  type Catalog,
  type CatalogChange,
  type CatalogListing,
  type CatalogOptions,
  type StoredEntry,
} from './catalog/create-catalog.ts';
export type {
  CatalogEntry,
  CatalogSource,
  CatalogVersion,
  PluginState,
  QuarantinedTool,
} from './catalog/catalog-entry.ts';
export {
  createGeneratedTools,
  type GeneratedTools,
  type GeneratedToolsOptions,
} from './generated/create-generated-tools.ts';
export type { GeneratedToolEvent, GeneratedToolInfo, GeneratedToolState } from './generated/store/generated-report.ts';
export {
  definePlugin,
  type PlainTool,
  type PluginDefinition,
  type PluginPrompt,
  type PluginResource,
  type PluginSetup,
  type PluginTool,
} from './plugin/definition/define-plugin.ts';
export { createProgramTool, type ProgramToolOptions } from './program/create-program-tool.ts';
export type { ProgramLimits } from './program/program-limits.ts';
export { PluginError, pluginErrorCodes, type PluginErrorCode } from './plugin-error.ts';
export type { PluginLoaderOptions } from './loader/loader-options.ts';
export { createPluginLoader, loadPlugins, type PluginLoader } from './loader/plugin-loader.ts';
export { createRegistrar, type Registrar, type RegistrarOptions } from './loader/create-registrar.ts';
export type { DefinitionStore, StoredDefinition } from './plugin/definition/definition-cache.ts';
export type { PluginEvent, PluginFailure, PluginInfo, PluginPhase } from './plugin-report.ts';
