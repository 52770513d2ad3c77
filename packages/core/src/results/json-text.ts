import type { JsonPart } from '../contracts/results/content.ts';

const texts = new WeakMap<JsonPart, string>();

/**
 * The compact JSON of a part, worked out once: what was measured and checked is what the model reads, whatever becomes
 * of the value. Throws for what JSON can't carry (a cycle, a bigint, a `toJSON` that throws).
 */
export function jsonTextOf(part: JsonPart): string {
  let text = texts.get(part);
  if (text === undefined) texts.set(part, (text = JSON.stringify(part.value) ?? 'null'));
  return text;
}
