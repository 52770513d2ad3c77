import { stepNumber } from './agent-labels.ts';
import { type GrowingText, matchAt, type Reading } from './growing-text.ts';

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
  const label = labelAtEnd.exec(source.text.slice(Math.max(0, end - maxLabelLength), end))?.[0] ?? '';
  return label !== '' && (yield* matchAt(source, contentPattern, end)) !== null ? end - label.length : end;
}
