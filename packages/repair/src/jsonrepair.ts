/**
 * The library jsonrepair behind the interface of this package, as a fallback that you pass in.
 *
 * @packageDocumentation
 */
import { jsonrepair } from 'jsonrepair';
import type { JsonValue } from './json/result/json-value.ts';

const maxLength = 16_384;
const maxDepth = 500;
/**
 * Limit for the number of characters times the number of quotes. After each quote that does not end a string,
 * jsonrepair reads the text from that string on again.
 */
const maxWork = 500_000;

/**
 * Reads a text with jsonrepair, for the option `fallback` of `repairJson`. jsonrepair is recursive and takes more than linear
 * time, so the answer is `undefined` for texts from 16 KB or 500 levels on and for texts with many quotes, as well as for
 * texts that jsonrepair refuses.
 *
 * @example
 * import { readWithJsonrepair } from '@haft/repair/jsonrepair';
 * readWithJsonrepair("{a: 'one'}"); // => { a: 'one' }
 */
export function readWithJsonrepair(text: string): JsonValue | undefined {
  // Prose without JSON is not a value, even if its commas could make it a list.
  if (!/[{["]/.test(text)) return undefined;
  if (text.length >= maxLength || nestingDepth(text) >= maxDepth || text.length * countQuotes(text) > maxWork)
    return undefined;
  try {
    return JSON.parse(jsonrepair(text)) as JsonValue;
  } catch {
    return undefined;
  }
}

function nestingDepth(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [bracket] of text.matchAll(/[{}[\]()]/g)) {
    depth += '{[('.includes(bracket) ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function countQuotes(text: string): number {
  return text.match(/["'`´‘’“”]/g)?.length ?? 0;
}
