/** One process of a fuzzer. Reads its share of the inputs, and records the current one in a file. */
import { openSync, writeSync } from 'node:fs';

import { guardTime } from './guard-time.ts';
import type { Failure } from './inputs/input.ts';
import { runFuzz } from './run-fuzz.ts';
import type { FuzzReport } from './run-fuzz.ts';

/** Arguments of the process, as JSON. */
export interface FuzzOrder {
  readonly seed: string;
  readonly count: number;
  /** End time in milliseconds since 1970. */
  readonly deadline: number;
  /** Maximum processor time for one text, in milliseconds. A text that exceeds it counts as endless. */
  readonly maxCpuMs: number;
  /** The file with the current input, in case reading it never ends. */
  readonly current: string;
}

/** The progress of a process. */
export type FuzzProgress = Omit<FuzzReport, 'failures'>;

/** The messages of a process: its progress, each failure at once, and its regular end. */
export type FuzzMessage =
  | { readonly progress: FuzzProgress }
  | { readonly failure: Failure }
  | { readonly ended: FuzzProgress };

const order = JSON.parse(process.argv[2] ?? '{}') as FuzzOrder;
const file = openSync(order.current, 'w');
const say = (message: FuzzMessage, then: () => void = () => {}): void => void process.send?.(message, then);
const saidEveryMs = 1_000;
let said = 0;
let isStopping = false;

// JSON.parse throws for many inputs, and stack traces would only cost time.
Error.stackTraceLimit = 2;
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isStopping = true));

const guard = guardTime(order.maxCpuMs, order.current);
const { failures: _, ...ended } = await runFuzz({
  seed: order.seed,
  count: order.count,
  onInput: (input) => {
    guard.tick();
    writeSync(file, `${JSON.stringify(input)}\n`, 0);
  },
  onFailure: (failure) => say({ failure }),
  onProgress: ({ done, full, traits }) => {
    const now = Date.now();
    if (now - said >= saidEveryMs) {
      said = now;
      say({ progress: { done, full, traits } });
    }
    return !isStopping && now < order.deadline;
  },
});
guard.stop();
say({ ended }, () => process.disconnect());
