// The labels of an agent's steps, which may be numbered from 1 to 20: `Action:`, `Action 1:`.

/** Matches the number of a step after its label, as the source of a pattern. */
export const stepNumber = '(?: (?:1\\d|20|[1-9]))?';

/** Returns a label with its colon: without a number, and with each. */
export function numbered(label: string): readonly string[] {
  return [`${label}:`, ...Array.from({ length: 20 }, (_, index) => `${label} ${index + 1}:`)];
}

/** The labels of a result. */
export const observationLabels: readonly string[] = numbered('Observation');
