/** The process a reader lives in. Its name is the first argument; `show` as the second asks for what it read. */
import type { Case } from '@haft-tooling/corpora/damaged-json';
import type { Reading } from '@haft-tooling/peers/damaged-json/readers';
import { readers } from '@haft-tooling/peers/damaged-json/readers';
import { serveQuestions } from '@haft-tooling/measure';
import { judge } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** The answer to one case. */
export interface Answer {
  readonly verdict: Verdict;
  /** What was read, or why nothing was, when it was asked for. */
  readonly shown?: string;
}

const [name, show] = process.argv.slice(2);
const reader = readers.find((candidate) => candidate.name === name);
if (reader === undefined) throw new Error(`no reader is called ${name}`);
const read = await reader.load();

serveQuestions(async (one: Case): Promise<Answer> => {
  let reading: Reading | undefined;
  let shown: string;
  try {
    reading = await read(one.text, one.schema);
    shown = reading === undefined ? 'refused' : describe(reading);
  } catch (error) {
    reading = undefined;
    shown = `threw ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`;
  }
  const verdict = judge(reading, one);
  return show === 'show' ? { verdict, shown } : { verdict };
});

function describe({ value, marked }: Reading): string {
  return `${JSON.stringify(value)}${marked === true ? ' (marked)' : ''}`;
}
