/**
 * Everything a plugin imports to declare its tools, prompts and resources.
 *
 * @packageDocumentation
 */
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
