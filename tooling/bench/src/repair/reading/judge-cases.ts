import { askGuarded } from '@haft-tooling/measure';
import type { Case } from '@haft-tooling/corpora/damaged-json';
import type { Answer } from './reader-process.ts';

/** The verdict for a missing answer. */
export const hung: Answer = {
  verdict: { outcome: 'hung', unmarked: false, changedString: false },
  shown: 'did not come back in time',
};

/**
 * Runs a reader on every case, in a separate process. A reader that exceeds the time limit of a case is stopped, and the
 * case counts as hung. With `show`, the values are returned, so that a person can inspect them.
 */
export async function judgeCases(
  reader: string,
  cases: readonly Case[],
  { caseMs, show = false }: { readonly caseMs: number; readonly show?: boolean },
): Promise<readonly Answer[]> {
  const module = new URL('reader-process.ts', import.meta.url);
  const args = [reader, show ? 'show' : 'hide'];
  const answers = await askGuarded<Answer>(cases, { module, args, questionMs: caseMs });
  return answers.map((answer) => answer ?? hung);
}
