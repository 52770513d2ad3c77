import { fromStoredResult } from '@haft/core/results';

import type { Job, JobEvent } from '../contracts/job.ts';
import type { Patience } from '../engine/keep-trying.ts';
import { keepTrying } from '../engine/keep-trying.ts';
import { endStates } from '../ledger/job-row.ts';
import { jobSignal, type Ledger } from '../ledger/ledger.ts';
import { readCall, readEvents, readInfo } from '../ledger/read.ts';
import { cancelJob, unknownJob } from '../states/settle.ts';
import type { Signals } from '../ledger/signals.ts';
import type { Writers } from '../states/writers.ts';
import { parseCall } from '../worker/stored-call.ts';

/** What a handle needs. */
export interface HandleDeps {
  readonly ledger: Ledger;
  readonly writers: Writers;
  readonly signals: Signals;
  readonly patience: Patience;
}

/** Interval of checks in addition to notifications. */
const checkMs = 2_000;

/** Creates a handle for a job by its ID. */
export function createJobHandle(deps: HandleDeps, id: string): Job {
  const { ledger, writers, signals, patience } = deps;
  const trying = <Result>(doing: string, work: () => Promise<Result>): Promise<Result> =>
    keepTrying(ledger.engine, patience, doing, work);

  async function* events({
    after = 0,
    signal,
  }: { after?: number; signal?: AbortSignal } = {}): AsyncGenerator<JobEvent> {
    const watch = watchJob(signals, id, signal);
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
      const found: JobEvent[] = [];
      for (let more = true; more;) {
        const next = await trying('history', () => readEvents(ledger, id, found.at(-1)?.seq ?? after));
        found.push(...next);
        more = next.length > 0;
      }
      return found;
    },
    async result({ signal } = {}) {
      const watch = watchJob(signals, id, signal);
      try {
        for (;;) {
          watch.arm();
          const outcome = await writers.outcome(id);
          if (outcome === undefined) throw unknownJob(id);
          if (endStates.includes(outcome.state)) return fromStoredResult(JSON.parse(outcome.result ?? 'null'));
          await watch.change();
        }
      } finally {
        watch.end();
      }
    },
    events,
    cancel: (reason) => trying('cancel', () => cancelJob(ledger, id, reason)),
  };
}

/** Waits for changes of a job. */
interface JobWatch {
  /** Begins to count changes. Call it before reading the job. */
  arm(): void;
  /** Resolves at the next change since `arm`, or when it is time to check again. Rejects if the signal aborts. */
  change(): Promise<void>;
  end(): void;
}

function watchJob(signals: Signals, id: string, signal: AbortSignal | undefined): JobWatch {
  let isChanged = false;
  let wake: () => void = () => undefined;
  const note = (): void => {
    isChanged = true;
    wake();
  };
  const unsubscribe = signals.on(`${jobSignal}${id}`, note);
  signal?.addEventListener('abort', note);
  return {
    arm: () => {
      signal?.throwIfAborted();
      isChanged = false;
    },
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
      unsubscribe();
      signal?.removeEventListener('abort', note);
    },
  };
}
