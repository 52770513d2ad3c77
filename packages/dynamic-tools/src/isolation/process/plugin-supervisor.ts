import { isDeepStrictEqual } from 'node:util';
import { failure, toolError, type ToolContext, type ToolResult } from '@haft/core';
import type { Availability } from '@haft/core/define';
import type { LaunchPlan } from '../launch/launch-plan.ts';
import type { RemoteMethod, WireTarget } from '../channel/messages.ts';
import { describeExit, type PluginExit } from './plugin-exit.ts';
import type { IdlePool } from './idle-pool.ts';
import {
  startPluginProcess,
  type LoadedInProcess,
  type PluginProcess,
  type PluginProcessOptions,
} from './plugin-process.ts';
import type { RunningPlugin } from './process-handle.ts';

/** A plugin that runs in a process of its own, which may come and go under it. */
export interface PluginSupervisor {
  /** Starts it for the first time, in a process that runs already where there is one; what the plugin says of itself, or why it can't be used. */
  start(started?: RunningPlugin): Promise<LoadedInProcess>;
  /** Takes what the plugin said of itself another time: its process is started by the first call. */
  adopt(plugin: unknown): void;
  /** Runs a method of a tool; starts the process again where it has ended. Rejects with what the method threw. */
  call(tool: number, method: RemoteMethod, args: unknown, context?: ToolContext): Promise<unknown>;
  /** Runs a prompt, a resource or a hook; starts the process again where it has ended. Rejects also when it can't be started or ends meanwhile. */
  run(target: WireTarget, given: readonly unknown[]): Promise<unknown>;
  /** Lets a tool hear of a failure, if its process runs. */
  reportFailure(tool: number, result: ToolResult, args: unknown): void;
  /** Whether it can be called now. */
  availability(): Availability;
  readonly isRunning: boolean;
  /** Ends it for good; the reason when the plugin did not end well. */
  close(): Promise<string | undefined>;
}

/** Options of the plugin supervisor. */
export interface PluginSupervisorOptions extends PluginProcessOptions {
  /** Milliseconds without a call after which the process is ended, until the next call. */
  readonly idleTimeoutMs: number;
  readonly disposeTimeoutMs: number;
  /** Where processes wait for their next call; it ends those that have waited longest when there are too many. */
  readonly idlePool: IdlePool;
  /** Whether it could be started again as it is: not when its files are another version's by now. Default: always. */
  readonly mayRest?: (() => boolean) | undefined;
  /** Hears that it ended without having been asked to. */
  readonly onCrash: (reason: string, retryAfterMs: number) => void;
  /** Says before each later start why the plugin is not what it was; nothing when it is. */
  readonly findChange?: (() => Promise<string | undefined>) | undefined;
  /** Plans each later start anew; a string reports why it is impossible. Default: reuse the first plan. */
  readonly replan?: () => Promise<LaunchPlan | string>;
  /** Hears that the plugin says something else of itself than what was adopted, or can't be loaded. */
  readonly onStale?: (() => void) | undefined;
}

/** Milliseconds before a plugin that has crashed is started again, doubled with every further crash. */
const firstBackoffMs = 250;
const maxBackoffMs = 30_000;
/** Milliseconds without a crash after which the next one counts as the first. */
const forgivenAfterMs = 60_000;
const ended = 'it was stopped';
const changed = 'its files have changed; the new version is about to load';

/** Creates a process that `start` starts, that ends when idle, and that the next call starts again. */
export function createPluginSupervisor(options: PluginSupervisorOptions): PluginSupervisor {
  const { id, idleTimeoutMs, disposeTimeoutMs, idlePool, mayRest = () => true } = options;
  let life: PluginProcess | undefined;
  /** What the plugin said of itself at first: started again, it has to say the same. */
  let description: unknown;
  /** Nothing but the memory of another time vouches for the description. */
  let isAdopted = false;
  /** The life whose word was compared with the description already. */
  let compared: PluginProcess | undefined;
  let isClosed = false;
  let crashes = 0;
  let lastCrashAt = 0;
  let retryAt = 0;
  let trouble = '';
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastUsedAt = 0;
  /** Calls that wait for it to come up. */
  let waiting = 0;

  const begin = (started?: RunningPlugin, plan: LaunchPlan = options.plan): PluginProcess => {
    const begun = startPluginProcess({ ...options, plan }, waitForRest, started);
    void begun.exited.then((exit) => end(begun, exit));
    life = begun;
    return begun;
  };

  function end(ended: PluginProcess, exit: PluginExit): void {
    // Old snapshots hold the plugin's tools and therefore this object; don't keep the ended process's data alive.
    if (compared === ended) compared = undefined;
    if (life === ended) {
      life = undefined;
      idlePool.leave(rest);
    }
    if (exit.cause === 'closed' || description === undefined || isClosed) return;
    const now = Date.now();
    crashes = now - lastCrashAt > forgivenAfterMs ? 1 : crashes + 1;
    lastCrashAt = now;
    const retryAfterMs = Math.min(firstBackoffMs * 2 ** (crashes - 1), maxBackoffMs);
    retryAt = now + retryAfterMs;
    trouble = describeExit(exit);
    options.onCrash(trouble, retryAfterMs);
  }

  function waitForRest(calls: number): void {
    idlePool.leave(rest);
    if (isClosed) return;
    lastUsedAt = performance.now();
    if (calls > 0) return;
    idle ??= setTimeout(restIfIdle, idleTimeoutMs).unref();
    if (description !== undefined) idlePool.sit(rest);
  }

  /** One timer for all calls: it measures the time since the last call. */
  function restIfIdle(): void {
    idle = undefined;
    if (isClosed || !life || life.calls > 0) return;
    const left = idleTimeoutMs - (performance.now() - lastUsedAt);
    if (left > 0 || !mayRest()) idle = setTimeout(restIfIdle, left > 0 ? Math.ceil(left) : idleTimeoutMs).unref();
    else rest();
  }

  /** Ends a process that has nothing to do; the next call starts it again. */
  function rest(): void {
    idlePool.leave(rest);
    const resting = life;
    if (!resting || resting.calls > 0 || waiting > 0 || isClosed || !mayRest()) return;
    life = undefined;
    void resting.close(disposeTimeoutMs);
  }

  /** The process, started again where that is needed; why not when it does not come up as it was. */
  const revive = async (): Promise<PluginProcess | string> => {
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
    const hint = 'Use another tool, or continue without it.';
    const message = `the plugin ${id} is not available now: ${reason}`;
    return failure(context.callId, toolError('TOOL_UNAVAILABLE', message, { hint }));
  };
  const whyResting = (): string | undefined => {
    const waitMs = retryAt - Date.now();
    return waitMs > 0 ? `${trouble}; it is restarted in ${Math.ceil(waitMs / 1_000)} s` : undefined;
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
      // Fast path: the process is running and verified.
      if (life !== undefined && life === compared) return life.call(tool, method, args, context);
      waiting += 1;
      const revived = await revive().finally(() => (waiting -= 1));
      return typeof revived === 'string' ? refuse(context, revived) : revived.call(tool, method, args, context);
    },
    async run(target, given) {
      const reason = isClosed ? ended : whyResting();
      if (reason !== undefined) throw new Error(`the plugin ${id} is not available now: ${reason}`);
      waiting += 1;
      const revived = await revive().finally(() => (waiting -= 1));
      if (typeof revived === 'string') throw new Error(`the plugin ${id} is not available now: ${revived}`);
      return revived.run(target, given);
    },
    reportFailure: (tool, result, args) => life?.reportFailure(tool, result, args),
    availability() {
      const reason = whyResting();
      return reason === undefined ? true : { reason: `the plugin ${id} ${reason}` };
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      idlePool.leave(rest);
      // What has not come up has nothing to dispose of, and may never answer.
      if (description !== undefined) return life?.close(disposeTimeoutMs);
      life?.kill();
      return undefined;
    },
  };
}
