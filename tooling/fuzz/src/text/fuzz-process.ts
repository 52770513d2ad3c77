/** One process of a fuzzer: reads its share of the inputs, and keeps in a file which one it is reading. */
import { openSync, writeSync } from 'node:fs';

import { guardTime } from './guard-time.ts';
import type { Failure } from './inputs/input.ts';
import { runFuzz } from './run-fuzz.ts';
import type { FuzzReport } from './run-fuzz.ts';

/** What a process is told on its command line, as JSON. */
export interface FuzzOrder {
  readonly seed: string;
  readonly count: number;
  /** When to end, in milliseconds since 1970. */
  readonly deadline: number;
  /** How much of the processor's time one text may take; what takes more never comes to an end. */
  readonly mostCpuMs: number;
  /** Where the input is kept that is being read, for when reading it never ends. */
  readonly current: string;
}

/** How far a process is. */
export type FuzzProgress = Omit<FuzzReport, 'failures'>;

/** What a process says: how far it is, a failure as soon as it has it, and that it has ended by itself. */
export type FuzzMessage =
  | { readonly progress: FuzzProgress }
  | { readonly failure: Failure }
  | { readonly ended: FuzzProgress };

const order = JSON.parse(process.argv[2] ?? '{}') as FuzzOrder;
const file = openSync(order.current, 'w');
const say = (message: FuzzMessage, then: () => void = () => {}): void => void process.send?.(message, then);
const saidEveryMs = 1_000;
let said = 0;
let isToldToEnd = false;

// Much of what is read is thrown at by JSON.parse, and where from nobody wants to know.
Error.stackTraceLimit = 2;
process.on('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isToldToEnd = true));

const guard = guardTime(order.mostCpuMs, order.current);
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
    return !isToldToEnd && now < order.deadline;
  },
});
guard.stop();
say({ ended }, () => process.disconnect());
