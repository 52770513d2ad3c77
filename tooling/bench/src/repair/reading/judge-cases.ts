import { askGuarded } from '@haft-tooling/measure';
import type { Case } from '@haft-tooling/corpora/damaged-json';
import type { Answer } from './reader-process.ts';

/** Options for calling a reader. */
export interface JudgeOptions {
  /** Time limit of one case. A reader that exceeds it is stopped, and the case counts as hung. */
  readonly caseMs: number;
  /** Whether to return the values, so that a person can inspect them. */
  readonly show?: boolean;
}

/** The verdict for a missing answer. */
export const hung: Answer = {
  verdict: { outcome: 'hung', unmarked: false, changedString: false },
  shown: 'did not come back in time',
};

/** Runs a reader on every case, in a separate process. */
export async function judgeCases(
  reader: string,
  cases: readonly Case[],
  { caseMs, show = false }: JudgeOptions,
): Promise<readonly Answer[]> {
  const answers = await askGuarded<Answer>(cases, {
    module: new URL('reader-process.ts', import.meta.url),
    args: [reader, show ? 'show' : 'hide'],
    questionMs: caseMs,
  });
  return answers.map((answer) => answer ?? hung);
}
