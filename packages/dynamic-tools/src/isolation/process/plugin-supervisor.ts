import { isDeepStrictEqual } from 'node:util';
import { failure, toolError, type ToolContext, type ToolResult } from '@haft/core';
import type { Availability } from '@haft/core/define';
import type { LaunchPlan } from '../launch/launch-plan.ts';
import type { RemoteMethod, WireTarget } from '../channel/messages.ts';
import { describeExit, explainExit, type PluginExit } from './plugin-exit.ts';
import type { IdlePool } from './idle-pool.ts';
import {
  startPluginProcess,
  type LoadedInProcess,
  type PluginProcess,
  type PluginProcessOptions,
} from './plugin-process.ts';
import type { RunningPlugin } from './process-handle.ts';

/** A plugin in its own process, which may end and be started again. */
export interface PluginSupervisor {
  /**
   * Starts the process for the first time, or uses a running one. Resolves to the plugin's description, or to why it
   * can't be used.
   */
  start(started?: RunningPlugin): Promise<LoadedInProcess>;
  /** Uses a stored description. The first call starts the process. */
  adopt(plugin: unknown): void;
  /** Runs a method of a tool, and restarts the process if it has ended. Rejects with what the method threw. */
  call(tool: number, method: RemoteMethod, args: unknown, context?: ToolContext): Promise<unknown>;
  /**
   * Runs a prompt, a resource or a hook, and restarts the process if it has ended. Rejects also if the process can't be
   * started or ends during the call.
   */
  run(target: WireTarget, given: readonly unknown[]): Promise<unknown>;
  /** Notifies a tool of a failure, if the process is running. */
  reportFailure(tool: number, result: ToolResult, args: unknown): void;
  /** Returns whether the plugin can be called now. */
  availability(): Availability;
  readonly isRunning: boolean;
  /** Ends the process permanently. Resolves to the reason if the plugin did not end properly. */
  close(): Promise<string | undefined>;
}

/** Options of the plugin supervisor. */
export interface PluginSupervisorOptions extends PluginProcessOptions {
  /** Time without calls after which the process ends until the next call, in milliseconds. */
  readonly idleTimeoutMs: number;
  readonly disposeTimeoutMs: number;
  /** The pool of idle processes. If it is full, it ends the one that has been idle longest. */
  readonly idlePool: IdlePool;
  /**
   * Whether the process may end when idle. False if its files have changed, because it could not be started again.
   * Default: always.
   */
  readonly mayRest?: (() => boolean) | undefined;
  /** Called when the process has ended unexpectedly. */
  readonly onCrash: (reason: string, retryAfterMs: number) => void;
  /** Called before each later start. Resolves to a description of what has changed, or to undefined. */
  readonly findChange?: (() => Promise<string | undefined>) | undefined;
  /**
   * Creates a new plan before each later start. A string reports why that is impossible. Default: reuse the first plan.
   */
  readonly replan?: () => Promise<LaunchPlan | string>;
  /** Called if the plugin does not match the stored description, or can't be loaded. */
  readonly onStale?: (() => void) | undefined;
}

/** Delay before the first restart after a crash, in milliseconds. It doubles with every further crash. */
const firstBackoffMs = 250;
const maxBackoffMs = 30_000;
/** Time without a crash after which the next one counts as the first, in milliseconds. */
const forgivenAfterMs = 60_000;
const ended = 'it was stopped';
const changed = 'its files have changed; the new version is about to load';

/** Creates a supervisor. `start` starts the process, which ends when idle and starts again with the next call. */
export function createPluginSupervisor(options: PluginSupervisorOptions): PluginSupervisor {
  const { id, idleTimeoutMs, disposeTimeoutMs, idlePool, mayRest = () => true } = options;
  let life: PluginProcess | undefined;
  /** The plugin's first description. A restarted plugin must match it. */
  let description: unknown;
  /** Whether the description is a stored one that no process has confirmed yet. */
  let isAdopted = false;
  /** The process whose description was compared last. */
  let compared: PluginProcess | undefined;
  let isClosed = false;
  let crashes = 0;
  let lastCrashAt = 0;
  let retryAt = 0;
  let trouble = '';
  let idle: ReturnType<typeof setTimeout> | undefined;
  let lastUsedAt = 0;
  /** Number of calls that wait for the process to start. */
  let waiting = 0;

  const begin = (started?: RunningPlugin, plan: LaunchPlan = options.plan): PluginProcess => {
    const begun = startPluginProcess({ ...options, plan }, waitForRest, started);
    void begun.exited.then((exit) => end(begun, exit));
    life = begun;
    return begun;
  };

  function end(ended: PluginProcess, exit: PluginExit): void {
    // Old snapshots keep the plugin's tools and therefore this object alive, so the data of the ended process is
    // released.
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
    options.onCrash(explainExit(exit), retryAfterMs);
  }

  function waitForRest(calls: number): void {
    idlePool.leave(rest);
    if (isClosed) return;
    lastUsedAt = performance.now();
    if (calls > 0) return;
    idle ??= setTimeout(restIfIdle, idleTimeoutMs).unref();
    if (description !== undefined) idlePool.sit(rest);
  }

  /** One timer serves all calls: it measures the time since the last call. */
  function restIfIdle(): void {
    idle = undefined;
    if (isClosed || !life || life.calls > 0) return;
    const left = idleTimeoutMs - (performance.now() - lastUsedAt);
    if (left > 0 || !mayRest()) idle = setTimeout(restIfIdle, left > 0 ? Math.ceil(left) : idleTimeoutMs).unref();
    else rest();
  }

  /** Ends an idle process. The next call starts it again. */
  function rest(): void {
    idlePool.leave(rest);
    const resting = life;
    if (!resting || resting.calls > 0 || waiting > 0 || isClosed || !mayRest()) return;
    life = undefined;
    void resting.close(disposeTimeoutMs);
  }

  /**
   * Returns the process, and starts it if necessary. Returns a string if it fails to start or does not match its
   * description.
   */
  const revive = async (): Promise<PluginProcess | string> => {
    if (life !== undefined && life === compared) return life;
    const change = life ? undefined : await options.findChange?.();
    if (change !== undefined) return change;
    const plan = life ? undefined : await options.replan?.();
    if (typeof plan === 'string') return plan;
    if (isClosed) plan?.release();
    if (isClosed) return ended;
    // Another call may have started it.
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
    return waitMs > 0 ? `${trouble}; it can be called again in ${Math.ceil(waitMs / 1_000)} s` : undefined;
  };

  return {
    get isRunning() {
      return life !== undefined;
    },
    async start(started) {
      if (isClosed) {
        started?.kill('closed');
        return { phase: 'import', message: ended };
      }
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
      // A process that has not loaded the plugin has nothing to dispose of, and may never respond.
      if (description !== undefined) return life?.close(disposeTimeoutMs);
      life?.kill();
      return undefined;
    },
  };
}
