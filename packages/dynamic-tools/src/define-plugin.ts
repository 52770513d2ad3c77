import type { AnyTool, defineTool } from '@haft/core';

/** The plain object that `defineTool` takes, with a zod schema or a JSON Schema as `input`. */
export type PlainTool = Parameters<typeof defineTool>[0];

/** A tool as a plugin may write it: made by `defineTool`, or the plain object. */
export type PluginTool = AnyTool | PlainTool;

/** What a plugin's default export is. A plain object of this shape does as well as one made by {@link definePlugin}. */
export interface PluginDefinition {
  /** For people; the plugin answers to the name of its folder or file. */
  readonly name: string;
  /** The plugin's own version, such as `1.2.0`. */
  readonly version: string;
  /** One sentence that says what the plugin is for. */
  readonly description?: string;
  /** At least one tool; names must not be taken by built-in or lifecycle tools or by another plugin. */
  readonly tools: readonly PluginTool[];
  /**
   * Ends what the plugin started: timers, listeners, processes. Called once, after the last call of this version has
   * ended; may take five seconds.
   */
  dispose?(): void | Promise<void>;
}

/**
 * Types a plugin's default export. Returns the object it was given: a plugin that imports nothing can export the same
 * object without this function, with a JSON Schema as each tool's `input`.
 */
export function definePlugin(definition: PluginDefinition): PluginDefinition {
  return definition;
}
