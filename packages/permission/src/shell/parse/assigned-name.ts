import { findClosing } from './find-closing.ts';

/** The beginning of an assignment: `name=`, `name+=` or `name[subscript]=`. */
export interface AssignedName {
  readonly name: string;
  readonly isAppended: boolean;
  /** Number of characters up to the value. */
  readonly length: number;
}

/** Reads the beginning of an assignment, its subscript paired as Bash pairs brackets. Returns undefined for other words. */
export function readAssignedName(text: string, pattern: RegExp = startsName): AssignedName | undefined {
  const name = pattern.exec(text)?.[0];
  if (name === undefined) return undefined;
  const end = readSubscriptEnd(text, name.length);
  const sign = end === undefined ? undefined : /^\+?=/.exec(text.slice(end, end + 2))?.[0];
  return end === undefined || sign === undefined
    ? undefined
    : { name, isAppended: sign === '+=', length: end + sign.length };
}

const startsName = /^[A-Za-z_]\w*/;

/** Number of characters of `[subscript]=` at the beginning of an element of an array; 0 without one. */
export function lengthOfSubscript(text: string): number {
  return text.startsWith('[') ? (readAssignedName(text, /^/)?.length ?? 0) : 0;
}

/** The index after the subscript at `from`, which is `from` where there is no bracket. Undefined if it is not closed. */
function readSubscriptEnd(text: string, from: number): number | undefined {
  if (text[from] !== '[') return from;
  const end = findClosing(text, from + 1, '[', ']');
  return end === undefined ? undefined : end + 1;
}
