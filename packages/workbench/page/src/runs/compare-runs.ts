import type { RunDetails, RunTurn } from '../../../src/contract/run-data.ts';

/** One step of two runs: the same message, answer, call or result in both. */
export interface ComparedRow {
  readonly title: string;
  /** Undefined if the run has no such step. */
  readonly left: string | undefined;
  readonly right: string | undefined;
  readonly isSame: boolean;
}

/** One turn of two runs. */
export interface ComparedTurn {
  readonly turn: number;
  readonly rows: readonly ComparedRow[];
  readonly isSame: boolean;
}

/** Compares two runs turn by turn. Times, tokens and IDs are not compared. */
export function compareRuns(left: RunDetails, right: RunDetails): readonly ComparedTurn[] {
  const count = Math.max(left.steps.length, right.steps.length);
  return Array.from({ length: count }, (_, index) => {
    const [one, other] = [partsOf(left.steps[index]), partsOf(right.steps[index])];
    const titles = [...new Set([...one.keys(), ...other.keys()])];
    const rows = titles.map((title) => {
      const [a, b] = [one.get(title), other.get(title)];
      return { title, left: a, right: b, isSame: a === b };
    });
    return { turn: index + 1, rows, isSame: rows.every(({ isSame }) => isSame) };
  });
}

/** Returns the texts of a turn by their titles, in their order. */
function partsOf(step: RunTurn | undefined): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  if (step === undefined) return parts;
  for (const [index, { role, text }] of step.added.entries()) parts.set(`Message ${index + 1} of the ${role}`, text);
  if (step.text !== '') parts.set('Answer of the model', step.text);
  for (const [index, call] of step.calls.entries()) {
    parts.set(`Call ${index + 1}`, `${call.name} ${call.arguments}`);
    parts.set(`Result of call ${index + 1}`, call.forModel);
  }
  return parts;
}
