import type { AnyTool, defineTool, Logger, Message, PromptVariable, Resource } from '@haft/core';
import type { PluginCapabilities } from '../../capabilities.ts';
import type { Hooks } from '@haft/core/hooks';

/** The plain object that `defineTool` takes, with a zod schema or a JSON Schema as `input`. */
export type PlainTool = Parameters<typeof defineTool>[0];

/** A plugin's tool: created by `defineTool`, or a plain object. */
export type PluginTool = AnyTool | PlainTool;

/** A prompt as a plugin writes it. */
export interface PluginPrompt {
  /** Letters, digits, `.`, `_` and `-`; unique among all plugins. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Default none; a variable is not required unless it says so. */
  readonly variables?: readonly (Omit<PromptVariable, 'required'> & { readonly required?: boolean })[];
  /** The request: a text of the user's, or messages of the user's and the assistant's. May take 30 seconds. */
  prepare(
    variables: Readonly<Record<string, unknown>>,
    resources: readonly Resource[],
  ): string | readonly Message[] | Promise<string | readonly Message[]>;
}

/** A resource as a plugin writes it. */
export interface PluginResource {
  /** Such as `notes://today`; unique among all plugins. */
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  /** Media type such as `text/plain`; default unknown. */
  readonly type?: string;
  /** May take 30 seconds. */
  read(signal?: AbortSignal): string | Uint8Array | Promise<string | Uint8Array>;
}

/** What a plugin is given when it starts. */
export interface PluginSetup {
  /** Name of its folder, or of its file without extension. */
  readonly id: string;
  /** Aborts when the plugin is about to be disposed of. */
  readonly signal: AbortSignal;
  /** Logger for the operators of the program. */
  readonly logger: Logger;
}

/** Shape of a plugin's default export. A plain object works as well as one from {@link definePlugin}. */
export interface PluginDefinition {
  /** Display name; the plugin's id is the name of its folder or file. */
  readonly name: string;
  /** The plugin's own version, such as `1.2.0`. */
  readonly version: string;
  /** One sentence that says what the plugin is for. */
  readonly description?: string;
  /** Capabilities that it requests. A manifest takes precedence, since it can be read without running code. */
  readonly capabilities?: PluginCapabilities;
  /** Names must not be taken by built-in or lifecycle tools or by another plugin. May be empty where it brings something else. */
  readonly tools: readonly PluginTool[];
  readonly prompts?: readonly PluginPrompt[];
  readonly resources?: readonly PluginResource[];
  /** What it does around the calls and turns of others. In a process of its own it has to be granted: `hooks: true`. */
  readonly hooks?: Hooks;
  /** Called once before the first call, within the time that loading may take; what it throws keeps the plugin from being served. */
  setup?(plugin: PluginSetup): void | Promise<void>;
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
