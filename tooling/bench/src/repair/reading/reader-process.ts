/**
 * The process of one reader. The first argument is its name; `show` as the second argument returns the values that it
 * read.
 */
import type { Case } from '@haft-tooling/corpora/damaged-json';
import type { Reading } from '@haft-tooling/peers/damaged-json/readers';
import { readers } from '@haft-tooling/peers/damaged-json/readers';
import { serveQuestions } from '@haft-tooling/measure';
import { judge } from './verdict.ts';
import type { Verdict } from './verdict.ts';

/** The answer to one case. */
export interface Answer {
  readonly verdict: Verdict;
  /** The value or the reason of a failure, if requested. */
  readonly shown?: string;
}

const [name, show] = process.argv.slice(2);
const reader = readers.find((candidate) => candidate.name === name);
if (reader === undefined) throw new Error(`unknown reader "${name}"`);
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
