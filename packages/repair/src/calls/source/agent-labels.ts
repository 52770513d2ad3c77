import type { GrowingText, Reading } from './growing-text.ts';

// The labels of an agent's steps, which may be numbered from 1 to 20: `Action:`, `Action 1:`.

/** Matches the number of a step after its label, as the source of a pattern. */
export const stepNumber = '(?: (?:1\\d|20|[1-9]))?';

/** Returns a label with its colon: without a number, and with each. */
export function numbered(label: string): readonly string[] {
  return [`${label}:`, ...Array.from({ length: 20 }, (_, index) => `${label} ${index + 1}:`)];
}

/** The labels of a result. */
export const observationLabels: readonly string[] = numbered('Observation');

const labels = `(?:Observation${stepNumber}:|观察[:：]|✿RESULT✿:?)`;
const labelAtEnd = new RegExp(`\\n?${labels}$`);
const maxLabelLength = '\nObservation 20:'.length;

// The next line may also begin another step.
const content = '[ \\t]{0,9}(?:(?:\\r?\\n){1,2}(?!(?:Thought|Action|Final)[ \\w]{0,9}[:：]|[<思行动观]))?[^\\s`✿]';
const contentPattern = new RegExp(content, 'y');

/** Matches the label of a result that the model made up, as the source of a pattern. */
export const madeUpResult: string = `${labels}(?=${content})`;

/** Returns the offset before the label that ends at an offset if the model made up a result after it, or the given offset. */
export function* beforeResult(source: GrowingText, end: number): Reading<number> {
  const label = labelAtEnd.exec(source.before(end, maxLabelLength))?.[0] ?? '';
  return label !== '' && (yield* source.matchAt(contentPattern, end)) !== null ? end - label.length : end;
}
