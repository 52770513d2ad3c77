import type { JsonPart } from '../contracts/results/content.ts';

const texts = new WeakMap<JsonPart, string>();

/**
 * Returns the compact JSON of a part. Cached, so that the model reads exactly the text that was measured and checked,
 * even if the value changes. Throws for values that JSON can't represent (a cycle, a bigint, a `toJSON` that throws).
 */
export function jsonTextOf(part: JsonPart): string {
  let text = texts.get(part);
  if (text === undefined) texts.set(part, (text = JSON.stringify(part.value) ?? 'null'));
  return text;
}
