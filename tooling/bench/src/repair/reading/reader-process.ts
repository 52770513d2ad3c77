/**
 * The process of one reader. The first argument is its name; `show` as the second argument returns the values that it
 * read.
 */
import type { Case } from '@haft-tooling/corpora/damaged-json';
import { loadReader, type Reading } from '@haft-tooling/peers/damaged-json/readers';
import { serveQuestions } from '@haft-tooling/measure';
import { judge, type Verdict } from './verdict.ts';

/** The answer to one case. */
export interface Answer {
  readonly verdict: Verdict;
  /** The value or the reason of a failure, if requested. */
  readonly shown?: string;
}

const [name, show] = process.argv.slice(2);
const read = await loadReader(name);

serveQuestions(async (one: Case): Promise<Answer> => {
  let reading: Reading | undefined;
  let problem = 'refused';
  try {
    reading = await read(one.text, one.schema);
  } catch (error) {
    problem = `threw ${String(error)}`;
  }
  const verdict = judge(reading, one);
  if (show !== 'show') return { verdict };
  const shown = reading && `${JSON.stringify(reading.value)}${reading.marked === true ? ' (marked)' : ''}`;
  return { verdict, shown: shown ?? problem };
});
