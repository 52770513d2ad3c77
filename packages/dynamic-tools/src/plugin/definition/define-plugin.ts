import type { AnyTool, defineTool, Logger, Message, PromptVariable, Resource } from '@haft/core';
import type { PluginCapabilities } from '../../capabilities.ts';
import type { Hooks } from '@haft/core/hooks';

/** The plain object that `defineTool` accepts, with a zod schema or a JSON Schema as `input`. */
export type PlainTool = Parameters<typeof defineTool>[0];

/** A plugin's tool: created by `defineTool`, or a plain object. */
export type PluginTool = AnyTool | PlainTool;

/** A prompt in a plugin's definition. */
export interface PluginPrompt {
  /** Letters, digits, `.`, `_` and `-`; unique among all plugins. */
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Default: no variables. A variable is optional unless it is marked as required. */
  readonly variables?: readonly (Omit<PromptVariable, 'required'> & { readonly required?: boolean })[];
  /** Returns the request: a text of the user, or messages of the user and the assistant. Time limit: 30 seconds. */
  prepare(
    variables: Readonly<Record<string, unknown>>,
    resources: readonly Resource[],
  ): string | readonly Message[] | Promise<string | readonly Message[]>;
}

/** A resource in a plugin's definition. */
export interface PluginResource {
  /** A URI such as `notes://today`, unique among all plugins. */
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  /** Media type such as `text/plain`. Default: unknown. */
  readonly type?: string;
  /** Returns the content. Time limit: 30 seconds. */
  read(signal?: AbortSignal): string | Uint8Array | Promise<string | Uint8Array>;
}

/** The argument of `setup`. */
export interface PluginSetup {
  /** Name of its folder, or of its file without extension. */
  readonly id: string;
  /** Aborts before the plugin is disposed of. */
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
  /** The purpose of the plugin, in one sentence. */
  readonly description?: string;
  /** Capabilities that it requests. A manifest takes precedence, since it can be read without running code. */
  readonly capabilities?: PluginCapabilities;
  /**
   * Tools, with names that no built-in or lifecycle tool and no other plugin uses. May be empty if the plugin has
   * prompts, resources or hooks.
   */
  readonly tools: readonly PluginTool[];
  readonly prompts?: readonly PluginPrompt[];
  readonly resources?: readonly PluginResource[];
  /** Hooks for the calls and turns of others. An isolated plugin needs the capability `hooks: true`. */
  readonly hooks?: Hooks;
  /** Called once before the first call, within the time limit for loading. If it throws, the plugin is not loaded. */
  setup?(plugin: PluginSetup): void | Promise<void>;
  /**
   * Releases what the plugin started: timers, listeners, processes. Called once, after the last call of this version
   * has ended. Time limit: five seconds.
   */
  dispose?(): void | Promise<void>;
}

/**
 * Adds types to a plugin's default export, and returns it unchanged. A plugin that imports nothing can export the same
 * object without this function, with a JSON Schema as each tool's `input`.
 *
 * @example
 * import { defineTool } from '@haft/core';
 * import { definePlugin } from '@haft/dynamic-tools/plugin';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * const plugin = definePlugin({ name: 'pinger', version: '1.0.0', tools: [ping] });
 * plugin.name; // => 'pinger'
 */
export function definePlugin(definition: PluginDefinition): PluginDefinition {
  return definition;
}
