import { isSameValue } from '@haft-tooling/corpora/same-value';
import { withoutStrays, type Case } from '@haft-tooling/corpora/near-misses';
import { readers, type Reader, type Reading } from '@haft-tooling/peers/near-misses/readers';

/** The outcome of a reader for one case. */
export type Verdict = 'as meant' | 'refused' | 'changed';

/** The outcomes of one reader for all cases, in order. */
export interface Judgement {
  readonly name: string;
  readonly verdicts: readonly Verdict[];
}

/** Runs every reader on every case. An exception counts as a refusal. */
export async function judgeReaders(cases: readonly Case[]): Promise<readonly Judgement[]> {
  const judgements: Judgement[] = [];
  for (const reader of readers) {
    const verdicts: Verdict[] = [];
    for (const one of cases) verdicts.push(judge(one, await attempt(reader, one)));
    judgements.push({ name: reader.name, verdicts });
  }
  return judgements;
}

async function attempt(reader: Reader, { tool, text }: Case): Promise<Reading> {
  const read = await reader.prepare(tool);
  try {
    return read(text);
  } catch {
    return undefined;
  }
}

/** Keys that models add may be kept or removed. All other values must equal the original. */
export function judge({ meant }: Case, reading: Reading): Verdict {
  if (reading === undefined) return 'refused';
  const value = withoutStrays(reading.value);
  return meant.some((one) => isSameValue(withoutStrays(one), value)) ? 'as meant' : 'changed';
}
