import { isLaidOutAs } from '../lookahead/key-at.ts';
import { isFirstOnLine } from '../text/plain-text.ts';
import { closeTo, dueClosers, note } from '../machine/operations.ts';
import type { Frame, Machine, State } from '../machine/machine.ts';

/** Begins the member with the key that was read from an offset on. Returns the next state. */
export function beginMember(machine: Machine, key: string, at: number, isBare = false): State {
  if (machine.shape !== undefined) closeForKey(machine, key, at);
  if (machine.followsLayout) closeByLayout(machine, at);
  const { frame } = machine;
  if (frame !== undefined) {
    frame.key = key;
    frame.comma = -1;
    frame.hasBareKeys ||= isBare;
  }
  return 'afterKey';
}

/** Closes the innermost objects if a key is declared for an outer object and not for them. */
function closeForKey(machine: Machine, key: string, at: number): void {
  const { frames } = machine;
  let level = frames.length - 1;
  while (level > 0 && isForeign(machine, level, key)) level -= 1;
  if (level < frames.length - 1 && frames[level]?.shape?.hasMember(key) === true) closeAbove(machine, level, at);
}

/** Closes the innermost containers if a key begins a line in the column of the first member of an outer object. */
function closeByLayout(machine: Machine, at: number): void {
  const { frames } = machine;
  if (!isFirstOnLine(machine.text, at)) return;
  let level = frames.length - 1;
  while (level >= 0 && !isColumnOf(machine, frames[level], at)) level -= 1;
  // Lines that are indented unevenly show nothing.
  if (level === -1) machine.isUncertain = true;
  else if (level < frames.length - 1) closeAbove(machine, level, at);
}

/** Returns whether a key at an offset is in the column of the first member of an object. */
export const isColumnOf = (machine: Machine, frame: Frame | undefined, at: number): boolean =>
  frame?.kind === 'object' && isLaidOutAs(machine, frame, at);

function closeAbove(machine: Machine, level: number, at: number): void {
  note(machine, 'missing-closer', 'lossy', at, at, dueClosers(machine, level));
  closeTo(machine, level, at);
}

function isForeign({ frames }: Machine, level: number, key: string): boolean {
  const frame = frames[level];
  if (frame?.kind === 'array') return level < frames.length - 1;
  return frame?.shape?.isClosed === true && !frame.shape.hasMember(key);
}

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
