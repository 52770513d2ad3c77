import type { Machine } from './machine.ts';

const maxCount = 0x400;
const maxLength = 64;
/** The last keys of all texts by a hash of their characters. */
const known: string[] = Array.from({ length: maxCount }, () => '');

/**
 * Returns the key between two offsets. Rows repeat their keys, and an object finds a known string much faster than a
 * new one.
 */
export function keyBetween({ text }: Machine, begin: number, end: number): string {
  const length = end - begin;
  if (length > maxLength) return text.slice(begin, end);
  const ends = text.charCodeAt(begin) * 7 + text.charCodeAt(end - 1) * 13 + text.charCodeAt(begin + (length >> 1));
  const place = (length * 31 + ends) & (maxCount - 1);
  const last = known[place] as string;
  if (last.length === length && text.startsWith(last, begin)) return last;
  return (known[place] = text.slice(begin, end));
}
