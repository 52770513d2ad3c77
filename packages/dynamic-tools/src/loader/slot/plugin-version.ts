import { failure, toolError, type AnyTool, type ToolContext, type ToolResult } from '@haft/core';
import type { LoadedPlugin } from '../../plugin/loaded-plugin.ts';
import type { PluginHookSet, PluginParts } from '../../plugin/parts/create-parts.ts';
import { within } from './within-time.ts';

/** A loaded version of a plugin: its tools, its running calls, and its end. */
export interface PluginVersion extends PluginParts {
  readonly plugin: LoadedPlugin;
  readonly revision: number;
  /** The plugin's tools as they are registered. Each call counts as running until it ends. */
  readonly tools: readonly AnyTool[];
  /**
   * Replaces the version. Later calls, from snapshots that still contain it, go to the current version. Resolves when
   * the running calls have ended or the time is up, and the plugin was disposed of. Resolves to the reason if that
   * failed.
   */
  retire(): Promise<string | undefined>;
}

/** Time limits for the end of a version, in milliseconds. */
export interface RetireLimits {
  readonly drainTimeoutMs: number;
  readonly disposeTimeoutMs: number;
}

/** @param successor returns the current version, or `undefined` if the plugin was removed. */
export function createPluginVersion(
  plugin: LoadedPlugin,
  revision: number,
  limits: RetireLimits,
  successor: () => PluginVersion | undefined,
): PluginVersion {
  let running = 0;
  let retired = false;
  let drained: (() => void) | undefined;

  const leave = (): void => {
    running -= 1;
    if (running === 0) drained?.();
  };
  const run = (tool: AnyTool, args: unknown, context: ToolContext): unknown => {
    if (retired) return callSuccessor(toolOf(successor(), tool.name), args, context, tool.name);
    return count(() => tool.execute(args, context));
  };
  const pass = <Value>(value: Value): Value => {
    leave();
    return value;
  };
  const fail = (error: unknown): never => {
    leave();
    throw error;
  };
  /** Counts a call as running until its promise settles. */
  const count = <Value>(work: () => Value): Value => {
    running += 1;
    try {
      const returned = work();
      if (isThenable(returned)) return Promise.resolve(returned).then(pass, fail) as Value;
      leave();
      return returned;
    } catch (error) {
      leave();
      throw error;
    }
  };
  const { hooks, prompts, resources } = plugin;
  const ask: PluginHookSet['ask'] = async (name, given, signal) => {
    if (!retired) return count(() => hooks!.ask(name, given, signal));
    const now = successor()?.hooks;
    // If the new version lacks the hook, or the plugin is gone, the hook has no effect.
    return now?.names.includes(name) === true ? now.ask(name, given, signal) : undefined;
  };
  return {
    plugin,
    revision,
    tools: plugin.tools.map((tool) => ({ ...tool, execute: (args, context) => run(tool, args, context) })),
    prompts: prompts.map((prompt) => ({
      ...prompt,
      prepare: (values, given) => {
        const served = retired ? successor()?.prompts.find(({ name }) => name === prompt.name) : prompt;
        return served ? count(() => served.prepare(values, given)) : gone(`the prompt ${prompt.name}`);
      },
    })),
    resources: resources.map((resource) => ({
      ...resource,
      read: (signal) => {
        const served = retired ? successor()?.resources.find(({ uri }) => uri === resource.uri) : resource;
        return served ? (count(() => served.read(signal)) as Promise<string>) : gone(`the resource ${resource.uri}`);
      },
    })),
    hooks: hooks && { ...hooks, ask },
    async retire() {
      if (retired) return undefined;
      retired = true;
      if (running > 0) await within(limits.drainTimeoutMs, new Promise<void>((resolve) => (drained = resolve)));
      return plugin.dispose(limits.disposeTimeoutMs);
    },
  };
}

function toolOf(version: PluginVersion | undefined, name: string): AnyTool | undefined {
  return version?.tools.find((tool) => tool.name === name);
}

function gone(what: string): Promise<never> {
  return Promise.reject(new Error(`${what} is not available, because its plugin was removed`));
}

/** The arguments were coerced for the old version's schema, so the new version validates them again. */
async function callSuccessor(
  tool: AnyTool | undefined,
  args: unknown,
  context: ToolContext,
  name: string,
): Promise<unknown> {
  if (!tool) return refuse(context, name, 'the plugin was removed');
  await tool.input.ready();
  const checked = await tool.input.validate(args);
  if (checked.ok) return tool.execute(checked.value, context);
  const message = `${name} has changed since it was listed, and its arguments no longer match`;
  return failure(context.callId, toolError('INVALID_ARGS', message, { issues: checked.issues }));
}

function refuse(context: ToolContext, name: string, reason: string): ToolResult {
  const hint = 'Use another tool, or continue without it.';
  return failure(
    context.callId,
    toolError('TOOL_UNAVAILABLE', `${name} is not available now: ${reason}`, { retryable: false, hint }),
  );
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === 'object' && value !== null && typeof (value as { readonly then?: unknown }).then === 'function'
  );
}
