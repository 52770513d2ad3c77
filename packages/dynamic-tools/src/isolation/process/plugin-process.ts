import { isDeepStrictEqual } from 'node:util';
import { failure, toolError, type ToolContext, type ToolResult } from '@haft/core';
import type { Availability } from '@haft/core/define';
import type { LaunchPlan } from '../launch/launch-plan.ts';
import type { RemoteMethod, WireTarget } from '../channel/messages.ts';
import { describeExit, type PluginExit } from './plugin-exit.ts';
import type { IdleBench } from './idle-bench.ts';
import { beginLife, type LoadedInProcess, type PluginLife, type PluginLifeOptions } from './plugin-life.ts';
import type { RunningPlugin } from './process-handle.ts';

/** A plugin that runs in a process of its own, which may come and go under it. */
export interface PluginProcess {
  /** Starts it for the first time, in a process that runs already where there is one; what the plugin says of itself, or why it can't be used. */
  start(started?: RunningPlugin): Promise<LoadedInProcess>;
  /** Takes what the plugin said of itself another time: its process is started by the first call. */
  adopt(plugin: unknown): void;
  /** Runs a method of a tool; starts the process again where it has ended. Rejects with what the method threw. */
  call(tool: number, method: RemoteMethod, args: unknown, context?: ToolContext): Promise<unknown>;
  /** Runs a prompt, a resource or a hook; starts the process again where it has ended. Rejects also when it can't be started or ends meanwhile. */
  run(target: WireTarget, given: readonly unknown[]): Promise<unknown>;
  /** Lets a tool hear of a failure, if its process runs. */
  tellFailure(tool: number, result: ToolResult, args: unknown): void;
  /** Whether it can be called now. */
  availability(): Availability;
  readonly isRunning: boolean;
  /** Ends it for good; the reason when the plugin did not end well. */
  close(): Promise<string | undefined>;
}

/** What a plugin's process is made with. */
export interface PluginProcessOptions extends PluginLifeOptions {
  /** Milliseconds without a call after which the process is ended, until the next call. */
  readonly idleTimeoutMs: number;
  readonly disposeTimeoutMs: number;
  /** Where processes wait for their next call; it ends those that have waited longest when there are too many. */
  readonly bench: IdleBench;
  /** Whether it could be started again as it is: not when its files are another version's by now. Default: always. */
  readonly mayRest?: (() => boolean) | undefined;
  /** Hears that it ended without having been asked to. */
  readonly onCrash: (reason: string, retryAfterMs: number) => void;
  /** Says before each later start why the plugin is not what it was; nothing when it is. */
  readonly findChange?: (() => Promise<string | undefined>) | undefined;
  /** Plans each later start anew; a text says why there is none. Default: it is started as at first. */
  readonly replan?: () => Promise<LaunchPlan | string>;
  /** Hears that the plugin says something else of itself than what was adopted, or can't be loaded. */
  readonly onStale?: (() => void) | undefined;
}

/** Milliseconds before a plugin that has crashed is started again, doubled with every further crash. */
const firstBackoffMs = 250;
const longestBackoffMs = 30_000;
/** Milliseconds without a crash after which the next one counts as the first. */
const forgivenAfterMs = 60_000;
const ended = 'it has been ended';
const changed = 'its files have changed; the new version is loaded in a moment';

/** Makes a process that is started by `start`, comes to rest when nobody calls it, and is started again when somebody does. */
export function createPluginProcess(options: PluginProcessOptions): PluginProcess {
  const { id, idleTimeoutMs, disposeTimeoutMs, bench, mayRest = () => true } = options;
  let life: PluginLife | undefined;
  /** What the plugin said of itself at first: started again, it has to say the same. */
  let description: unknown;
  /** Nothing but the memory of another time vouches for the description. */
  let isAdopted = false;
  /** The life whose word was compared with the description already. */
  let compared: PluginLife | undefined;
  let isClosed = false;
  let crashes = 0;
  let lastCrashAt = 0;
  let retryAt = 0;
  let trouble = '';
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastUsedAt = 0;
  /** Calls that wait for it to come up. */
  let waiting = 0;

  const begin = (started?: RunningPlugin, plan: LaunchPlan = options.plan): PluginLife => {
    const begun = beginLife({ ...options, plan }, waitForRest, started);
    void begun.exited.then((exit) => end(begun, exit));
    life = begun;
    return begun;
  };

  function end(ended: PluginLife, exit: PluginExit): void {
    // Snapshots of the past hold the plugin's tools, and with them this; not what its process was made of.
    if (compared === ended) compared = undefined;
    if (life === ended) {
      life = undefined;
      bench.leave(rest);
    }
    if (exit.cause === 'closed' || description === undefined || isClosed) return;
    const now = Date.now();
    crashes = now - lastCrashAt > forgivenAfterMs ? 1 : crashes + 1;
    lastCrashAt = now;
    const retryAfterMs = Math.min(firstBackoffMs * 2 ** (crashes - 1), longestBackoffMs);
    retryAt = now + retryAfterMs;
    trouble = describeExit(exit);
    options.onCrash(trouble, retryAfterMs);
  }

  function waitForRest(calls: number): void {
    bench.leave(rest);
    if (isClosed) return;
    lastUsedAt = performance.now();
    if (calls > 0) return;
    idle ??= setTimeout(restIfIdle, idleTimeoutMs).unref();
    if (description !== undefined) bench.sit(rest);
  }

  /** One timer for many calls: it looks how long nobody has called. */
  function restIfIdle(): void {
    idle = undefined;
    if (isClosed || !life || life.calls > 0) return;
    const left = idleTimeoutMs - (performance.now() - lastUsedAt);
    if (left > 0 || !mayRest()) idle = setTimeout(restIfIdle, left > 0 ? Math.ceil(left) : idleTimeoutMs).unref();
    else rest();
  }

  /** Ends a process that has nothing to do; the next call starts it again. */
  function rest(): void {
    bench.leave(rest);
    const resting = life;
    if (!resting || resting.calls > 0 || waiting > 0 || isClosed || !mayRest()) return;
    life = undefined;
    void resting.close(disposeTimeoutMs);
  }

  /** The process, started again where that is needed; why not when it does not come up as it was. */
  const revive = async (): Promise<PluginLife | string> => {
    if (life !== undefined && life === compared) return life;
    const change = life ? undefined : await options.findChange?.();
    if (change !== undefined) return change;
    const plan = life ? undefined : await options.replan?.();
    if (typeof plan === 'string') return plan;
    if (isClosed) plan?.release();
    if (isClosed) return ended;
    // Another call may have been quicker.
    const current = life ?? begin(undefined, plan);
    plan?.release();
    const outcome = await current.loaded;
    if (!('phase' in outcome) && isDeepStrictEqual(outcome.plugin, description)) {
      isAdopted = false;
      compared = current;
      return current;
    }
    if (life === current) life = undefined;
    current.kill();
    if (isAdopted) options.onStale?.();
    isAdopted = false;
    trouble = 'phase' in outcome ? outcome.message : changed;
    retryAt = Date.now() + firstBackoffMs;
    return trouble;
  };

  const refuse = (context: ToolContext | undefined, reason: string): ToolResult | undefined => {
    if (!context) return undefined;
    const hint = 'Use another tool, or go on without it.';
    const message = `the plugin ${id} can't be used now: ${reason}`;
    return failure(context.callId, toolError('TOOL_UNAVAILABLE', message, { hint }));
  };
  const whyResting = (): string | undefined => {
    const waitMs = retryAt - Date.now();
    return waitMs > 0 ? `${trouble}; it is started again in ${Math.ceil(waitMs / 1_000)} s` : undefined;
  };

  return {
    get isRunning() {
      return life !== undefined;
    },
    async start(started) {
      const outcome = await begin(started).loaded;
      if ('phase' in outcome) return outcome;
      description = outcome.plugin;
      waitForRest(0);
      return outcome;
    },
    adopt(plugin) {
      description = plugin;
      isAdopted = true;
    },
    async call(tool, method, args, context) {
      const reason = isClosed ? ended : whyResting();
      if (reason !== undefined) return refuse(context, reason);
      // Whoever is up and known is not waited for.
      if (life !== undefined && life === compared) return life.call(tool, method, args, context);
      waiting += 1;
      const revived = await revive().finally(() => (waiting -= 1));
      return typeof revived === 'string' ? refuse(context, revived) : revived.call(tool, method, args, context);
    },
    async run(target, given) {
      const reason = isClosed ? ended : whyResting();
      if (reason !== undefined) throw new Error(`the plugin ${id} can't be used now: ${reason}`);
      waiting += 1;
      const revived = await revive().finally(() => (waiting -= 1));
      if (typeof revived === 'string') throw new Error(`the plugin ${id} can't be used now: ${revived}`);
      return revived.run(target, given);
    },
    tellFailure: (tool, result, args) => life?.tellFailure(tool, result, args),
    availability() {
      const reason = whyResting();
      return reason === undefined ? true : { reason: `the plugin ${id} ${reason}` };
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      bench.leave(rest);
      // What has not come up has nothing to dispose of, and may never answer.
      if (description !== undefined) return life?.close(disposeTimeoutMs);
      life?.kill();
      return undefined;
    },
  };
}
