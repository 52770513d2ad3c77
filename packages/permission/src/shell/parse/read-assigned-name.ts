import { findClosing } from './find-closing.ts';
import type { WordPart } from '../syntax/shell-word.ts';

/** The start of an assignment: `name=`, `name+=` or `name[subscript]=`. */
export interface AssignedName {
  readonly name: string;
  readonly isAppended: boolean;
  /** Number of characters up to the value. */
  readonly length: number;
}

/**
 * Parses the start of an assignment, matching the brackets of its subscript as Bash does. Returns undefined for other
 * words.
 */
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

/** Returns the length of `[subscript]=` at the start of an array element, or 0 if it has no subscript. */
export function lengthOfSubscript(text: string): number {
  return text.startsWith('[') ? (readAssignedName(text, /^/)?.length ?? 0) : 0;
}

/**
 * Returns the index after the subscript at `from`, or `from` if there is no bracket. Returns undefined for an unclosed
 * subscript.
 */
function readSubscriptEnd(text: string, from: number): number | undefined {
  if (text[from] !== '[') return from;
  const end = findClosing(text, from + 1, '[', ']');
  return end === undefined ? undefined : end + 1;
}

/** Placeholder for an expansion in arithmetic. */
const unknownName = '\uFFFF';

/**
 * Returns the names of variables that arithmetic assigns a number to: `x` of `x += 1` and `x++`. An empty name means an
 * unknown name.
 */
export function findAssigned(arithmetic: readonly WordPart[]): readonly string[] {
  const text = arithmetic.map((part) => (part.kind === 'text' ? part.text : unknownName)).join('');
  return findAssignedIn(text);
}

/** {@link findAssigned} for a text without expansions. */
export function findAssignedIn(arithmetic: string): readonly string[] {
  if (!mayAssign.test(arithmetic)) return [];
  const names = new Set<string>();
  // Bash removes the quotes.
  for (const [, before, behind] of arithmetic.replaceAll(/["'\\]/g, '').matchAll(assignsNumber)) {
    const name = before ?? behind ?? '';
    names.add(name.includes(unknownName) ? '' : name);
  }
  return [...names];
}

const mayAssign = /[=+-]/;
const assignsNumber =
  /(?<![\w\uFFFF])([A-Za-z_\uFFFF][\w\uFFFF]*)(?=\s*(?:\[[^]{0,200}?\]\s*)?(?:(?:<<|>>|[-+*/%&|^])?=(?!=)|\+\+|--))|(?:\+\+|--)\s*([A-Za-z_\uFFFF][\w\uFFFF]*)/g;
