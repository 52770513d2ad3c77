import { failure, toolError, type ToolResult } from '@haft/core';
import { describeCause, fromStoredResult } from '@haft/core/results';

import type { Job, JobEvent } from '../contracts/job.ts';
import type { Patience } from '../engine/keep-trying.ts';
import { keepTrying } from '../engine/keep-trying.ts';
import { endStates } from '../ledger/job-row.ts';
import { cancelSignal, endSignal, jobSignal, type Ledger } from '../ledger/ledger.ts';
import { readCall, readEvents, readInfo, type Outcome } from '../ledger/read-jobs.ts';
import { cancelJob, unknownJob } from '../states/settle-job.ts';
import type { Signals } from '../ledger/signals.ts';
import type { Writers } from '../states/state-writers.ts';
import { parseCall } from '../worker/stored-call.ts';
import { checkAfter, checkCancelReason } from './jobs-options.ts';

/** Dependencies of a handle. */
export interface HandleDeps {
  readonly ledger: Ledger;
  readonly writers: Writers;
  readonly signals: Signals;
  readonly patience: Patience;
}

/** Interval of checks, in addition to notifications. */
const checkMs = 2_000;

/**
 * Creates a handle for a job by its ID.
 *
 * @param isNew - whether the job was created just now, so that it can't be over.
 */
export function createJobHandle(deps: HandleDeps, id: string, isNew = false): Job {
  const { ledger, writers, signals, patience } = deps;
  /** A new job need not be read before the next turn of the event loop, because its end would be noticed. */
  let early = isNew ? watchJob(signals, [`${endSignal}${id}`]) : undefined;
  if (early !== undefined)
    setImmediate(() => {
      early?.end();
      early = undefined;
    });
  const trying = <Result>(doing: string, work: () => Promise<Result>): Promise<Result> =>
    keepTrying(ledger.engine, patience, doing, work);

  async function* events({
    after = 0,
    signal,
  }: { after?: number; signal?: AbortSignal } = {}): AsyncGenerator<JobEvent> {
    checkAfter('events', after);
    const names = [jobSignal, endSignal, cancelSignal].map((name) => `${name}${id}`);
    const watch = watchJob(signals, names, signal);
    try {
      for (let seq = after; ;) {
        watch.arm();
        // The state is read first: the events of a job that is over are complete.
        const outcome = await writers.outcome(id);
        if (outcome === undefined) throw unknownJob(id);
        const found = await trying('events', () => readEvents(ledger, id, seq));
        for (const event of found) yield event;
        seq = found.at(-1)?.seq ?? seq;
        if (found.length > 0) continue;
        if (endStates.includes(outcome.state)) return;
        await watch.change();
      }
    } finally {
      watch.end();
    }
  }

  return {
    id,
    async info() {
      const info = await trying('info', () => readInfo(ledger, id));
      if (info === undefined) throw unknownJob(id);
      return info;
    },
    async call() {
      const text = await trying('call', () => readCall(ledger, id));
      if (text === undefined) throw unknownJob(id);
      return parseCall(text);
    },
    async history({ after = 0 } = {}) {
      checkAfter('history', after);
      const found: JobEvent[] = [];
      for (let more = true; more;) {
        const next = await trying('history', () => readEvents(ledger, id, found.at(-1)?.seq ?? after));
        found.push(...next);
        more = next.length > 0;
      }
      return found;
    },
    async result({ signal } = {}) {
      const isUnread = early !== undefined && !early.hasChanged();
      early?.end();
      early = undefined;
      const watch = watchJob(signals, [`${endSignal}${id}`], signal);
      try {
        if (isUnread) await watch.change();
        for (;;) {
          const known = watch.arm();
          const outcome = known ?? (await writers.outcome(id));
          if (outcome === undefined) throw unknownJob(id);
          if (endStates.includes(outcome.state)) return parseResult(id, outcome.result);
          await watch.change();
        }
      } finally {
        watch.end();
      }
    },
    events,
    async cancel(reason) {
      checkCancelReason(reason);
      await trying('cancel', () => cancelJob(ledger, id, reason));
    },
  };
}

/** Returns a failure for a damaged result, which the ledger keeps. */
function parseResult(id: string, text: string | null): ToolResult {
  try {
    return fromStoredResult(JSON.parse(text ?? 'null'));
  } catch (cause) {
    const message = `the stored result of the job ${id} is damaged: ${describeCause(cause)}`;
    return failure('', toolError('OUTCOME_UNKNOWN', message, { cause }));
  }
}

/** Waits for changes of a job. */
interface JobWatch {
  /**
   * Starts to count changes. Call it before reading the job. Returns the outcome if a worker of this process reported
   * it.
   */
  arm(): Outcome | undefined;
  /** Whether the job changed since `arm`. */
  hasChanged(): boolean;
  /** Resolves at the next change since `arm`, or when the next check is due. Rejects if the signal aborts. */
  change(): Promise<void>;
  end(): void;
}

function watchJob(signals: Signals, names: readonly string[], signal?: AbortSignal): JobWatch {
  let isChanged = false;
  let outcome: Outcome | undefined;
  let wake: () => void = () => undefined;
  const note = (): void => {
    isChanged = true;
    wake();
  };
  const unsubscribe = names.map((name) =>
    signals.on(name, (found) => {
      outcome = found;
      note();
    }),
  );
  signal?.addEventListener('abort', note);
  return {
    arm() {
      signal?.throwIfAborted();
      isChanged = false;
      return outcome;
    },
    hasChanged: () => isChanged,
    async change() {
      if (!isChanged) {
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, checkMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      signal?.throwIfAborted();
    },
    end() {
      for (const end of unsubscribe) end();
      signal?.removeEventListener('abort', note);
    },
  };
}
