import type { ToolSource } from '@haft/core';
import { ownSession as sessionId, type CallDetails } from '../contract/page-data.ts';
import { describeResult } from './describe-call.ts';

/** The result of a call that the page made. */
export interface OwnCallResult extends Partial<Omit<CallDetails, 'key'>> {
  readonly callId: string;
  readonly name: string;
  readonly sessionId: string;
  readonly runId: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly isOk: boolean;
  readonly durationMs: number;
  readonly waitedMs: number;
}

/** The calls that the page made. */
export interface OwnCalls {
  /**
   * Runs a call. `given` is a value, or a text as a model would write the arguments. With `id`, the page can cancel the
   * call and find its progress.
   */
  run(name: string, given: unknown, id?: string): Promise<OwnCallResult>;
  /** Cancels a running call. Returns false if it is not running. */
  cancel(callId: string): boolean;
  readonly isRunning: (callId: string) => boolean;
  /** Cancels all running calls. */
  cancelAll(): void;
}

/** Runs calls for the page, through the same dispatcher as the calls of a model. */
export function createOwnCalls(tools: () => ToolSource): OwnCalls {
  const running = new Map<string, AbortController>();
  let count = 0;
  return {
    async run(name, given, id) {
      count += 1;
      const callId = id === undefined || running.has(id) ? `workbench_${count}` : id;
      const controller = new AbortController();
      running.set(callId, controller);
      const startedAt = Date.now();
      const start = performance.now();
      try {
        const call = { id: callId, name, arguments: given, stopped: 'stop' as const };
        const result = await tools().dispatch(call, { sessionId, runId: sessionId, signal: controller.signal });
        const own = { callId, name, sessionId, runId: sessionId, startedAt };
        const { ok: isOk, durationMs } = result;
        const waitedMs = Math.max(0, performance.now() - start - durationMs);
        return { ...own, isOk, durationMs, waitedMs, ...describeResult(result) };
      } finally {
        running.delete(callId);
      }
    },
    cancel(callId) {
      const controller = running.get(callId);
      controller?.abort(new Error('cancelled in the workbench'));
      return controller !== undefined;
    },
    isRunning: (callId) => running.has(callId),
    cancelAll() {
      for (const controller of running.values()) controller.abort(new Error('the workbench was closed'));
    },
  };
}
