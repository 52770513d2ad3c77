import * as char from '../text/char.ts';
import { isWhitespace } from '../text/characters.ts';
import type { Machine } from '../machine/machine.ts';
import { codeAt } from '../machine/operations.ts';
import { closersFrom } from '../text/plain-text.ts';

const maxLength = 64;

/** Closers in a row: the offset after them, and the level that remains open. */
export interface CloserRun {
  readonly end: number;
  readonly level: number;
}

/**
 * Reads closers in a row if they are exactly those that the innermost containers up to a level need, in any order.
 * `[{"a": [{"b": 1}}]}, …`
 */
export function readCloserRun(machine: Machine, from: number, level: number): CloserRun | undefined {
  const written: number[] = [];
  let end = from;
  for (; written.length <= level && end - from < maxLength; end += 1) {
    const code = codeAt(machine, end);
    if (code === char.closeBrace || code === char.closeBracket) written.push(code);
    else if (!isWhitespace(code)) break;
  }
  const open = level - written.length;
  const due = machine.frames.slice(open + 1, level + 1).map(({ closer }) => closer);
  const isDue = (code: number): boolean =>
    due.filter((closer) => closer === code).length === written.filter((closer) => closer === code).length;
  const isRun = written.length > 1 && isDue(char.closeBrace) && isDue(char.closeBracket);
  return isRun ? { end, level: open } : undefined;
}

/**
 * Returns how many more containers the text from an offset on closes than it opens, or -1 if unknown. Computed only a limited
 * number of times, because it reads the rest of the text.
 */
export function closersAhead(machine: Machine, from: number): number {
  if (!machine.ended || machine.backtracks >= machine.limits.backtracks) return -1;
  machine.backtracks += 1;
  return closersFrom(machine.text, from);
}
