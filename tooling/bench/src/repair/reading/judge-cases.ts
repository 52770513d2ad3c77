import { askGuarded } from '@haft-tooling/measure';
import type { Case } from '@haft-tooling/corpora/damaged-json';
import type { Answer } from './reader-process.ts';

/** How a reader is asked. */
export interface JudgeOptions {
  /** How long one case may take before its reader is ended and the case counts as hung. */
  readonly caseMs: number;
  /** Whether to bring back what was read, for a person to look at. */
  readonly show?: boolean;
}

/** What stands for an answer that did not come in time. */
export const hung: Answer = {
  verdict: { outcome: 'hung', unmarked: false, changedString: false },
  shown: 'did not come back in time',
};

/** Has a reader read every case, in a process of its own. */
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
