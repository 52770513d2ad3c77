import { type GrowingText, matchAt, type Reading } from './growing-text.ts';

const labels = ['Observation:', '观察:', '观察：', '✿RESULT✿:', '✿RESULT✿'];
const nextLabel = 'Thought|Action|Final|Observation|思考|行动|动作|观察|✿';
const content = `(?:[ \\t]{0,9}(?:[^\\s\`✿]|\\r?\\n(?!${nextLabel})[^\\s\`<]))`;

/** Matches the label of a result and its content, as the source of a pattern. */
export const resultPattern: string = `(?:${labels.join('|')})(?=${content})`;

const contentPattern = new RegExp(content, 'y');

/** Returns the offset before the label that ends at an offset if the model made up a result after it, or the given offset. */
export function* beforeResult(source: GrowingText, end: number): Reading<number> {
  const label = labels.find((one) => source.text.endsWith(one, end));
  if (label === undefined || (yield* matchAt(source, contentPattern, end)) === null) return end;
  const start = end - label.length;
  return source.text[start - 1] === '\n' ? start - 1 : start;
}
