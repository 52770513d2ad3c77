import { afterWhitespace } from '../../../json/text/plain-text.ts';
import type { Bound } from '../../source/call-bounds.ts';

/** Detects bounds inside a string: a colon or the next key follows its end, before `validEnd`, where damage begins. */
export function createTextProof(validEnd: number): (text: string, bound: Bound) => boolean {
  let known = { end: -1, isProven: false };
  return (text, { at, end }) => {
    if (end >= validEnd) return false;
    if (at >= known.end) {
      const stringEnd = afterString(text, end, validEnd);
      known = { end: stringEnd, isProven: goesOnBehind(text, stringEnd, validEnd) };
    }
    return known.isProven;
  };
}

function goesOnBehind(text: string, stringEnd: number, validEnd: number): boolean {
  const sign = afterWhitespace(text, stringEnd);
  if (sign >= validEnd) return false;
  if (text[sign] === ':') return true;
  const key = text[sign] === ',' ? afterWhitespace(text, sign + 1) : validEnd;
  if (key >= validEnd || text[key] !== '"') return false;
  const colon = afterWhitespace(text, afterString(text, key + 1, validEnd));
  return colon < validEnd && text[colon] === ':';
}

/** Returns the offset after the quote that ends the string around an offset. */
function afterString(text: string, from: number, limit: number): number {
  for (let at = from; at < limit; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at + 1;
  }
  return limit;
}
