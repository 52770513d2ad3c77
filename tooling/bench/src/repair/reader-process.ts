/** The process a reader lives in: it is sent cases one after another, and answers each with a verdict. */
import type { Case } from './cases.ts';
import { readers } from './readers.ts';
import type { Reading } from './readers.ts';
import { judge } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** The answer to one case. */
export interface Answer {
  /** Which case it answers. */
  readonly id: string;
  readonly verdict: Verdict;
  /** What was read, or why nothing was, when it was asked for. */
  readonly shown?: string;
}

const name = process.argv[2];
const wantsShown = process.argv[3] === 'show';
const reader = readers.find((candidate) => candidate.name === name);
if (reader === undefined || process.send === undefined) throw new Error('started by judgeCases only');
const read = await reader.load();

// One after another: a text that is refused at once must not overtake one that is still being read.
let queue = Promise.resolve();
process.on('message', (one: Case) => {
  queue = queue.then(() => answer(one));
});
process.on('disconnect', () => process.exit());
process.send('ready');

async function answer(one: Case): Promise<void> {
  let reading: Reading | undefined;
  let shown: string;
  try {
    reading = await read(one.text, one.schema);
    shown =
      reading === undefined
        ? 'refused'
        : `${JSON.stringify(reading.value)}${reading.marked === true ? ' (marked)' : ''}`;
  } catch (error) {
    reading = undefined;
    shown = `threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
  }
  const verdict = judge(reading, one);
  process.send?.({ id: one.id, verdict, ...(wantsShown ? { shown } : {}) } satisfies Answer);
}
