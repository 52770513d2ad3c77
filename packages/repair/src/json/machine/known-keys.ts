import type { Machine } from './machine.ts';

const maxCount = 0x80;

/**
 * Returns the key between two offsets. Rows repeat their keys, and an object finds a known string much faster than a
 * new one.
 */
export function keyBetween({ keys, text }: Machine, begin: number, end: number): string {
  const length = end - begin;
  const ends = text.charCodeAt(begin) * 7 + text.charCodeAt(end - 1) * 13 + text.charCodeAt(begin + (length >> 1));
  const place = (length * 31 + ends) & (maxCount - 1);
  const known = keys[place];
  if (known !== undefined && known.length === length && text.startsWith(known, begin)) return known;
  const key = text.slice(begin, end);
  keys[place] = key;
  return key;
}
