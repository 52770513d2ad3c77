/** One process of a fuzzer: reads its share of the inputs, and keeps in a file which one it is reading. */
import { openSync, writeSync } from 'node:fs';

import { runFuzz } from './run-fuzz.ts';
import type { FuzzReport } from './run-fuzz.ts';

/** What a process is told on its command line, as JSON. */
export interface FuzzOrder {
  readonly seed: string;
  readonly count: number;
  /** When to end, in milliseconds since 1970. */
  readonly deadline: number;
  /** Where the input is kept that is being read, for when reading it never ends. */
  readonly current: string;
}

/** What a process says: how far it is, and what came of it. */
export type FuzzMessage = { readonly done: number } | { readonly report: FuzzReport };

const order = JSON.parse(process.argv[2] ?? '{}') as FuzzOrder;
const file = openSync(order.current, 'w');
const say = (message: FuzzMessage): void => void process.send?.(message);
const saidEveryMs = 1_000;
let said = 0;

process.on('disconnect', () => process.exit());
say({ done: 0 });
const report = await runFuzz({
  seed: order.seed,
  count: order.count,
  onInput: (input) => void writeSync(file, `${JSON.stringify(input)}\n`, 0),
  onProgress: (done) => {
    const now = Date.now();
    if (now - said >= saidEveryMs) {
      said = now;
      say({ done });
    }
    return now < order.deadline;
  },
});
process.send?.({ report } satisfies FuzzMessage, () => process.disconnect());
