import * as char from '../text/char.ts';
import { isEndAt } from './item-at.ts';
import { nextToken } from './next-token.ts';
import { matchEnd } from '../text/characters.ts';
import { codeAt, findFrom, waitFor, dueKinds } from '../machine/operations.ts';
import type { Frame, Machine } from '../machine/machine.ts';
import { beforeWhitespace, isPlaceholder } from '../text/plain-text.ts';

/**
 * Returns the end of unquoted text at the cursor, according to the declaration: before the next declared key that is
 * not given yet, or before the closer that ends the whole text and a comma before it. Returns -1 if the declaration
 * does not decide.
 */
export function declaredTextEnd(machine: Machine): number {
  const { at, frame, frames, text } = machine;
  const shape = frame?.shape;
  // Inside other containers, the next declared key may belong to the next row.
  if (!machine.ended || frames.length !== 1 || frame?.kind !== 'object' || shape?.isClosed !== true) return -1;
  if (dueKinds(machine)?.has('string') !== true) return -1;
  for (let comma = findFrom(machine, ',', at); comma !== -1; comma = findFrom(machine, ',', comma + 1)) {
    const key = declaredKeyAt(machine, frame, nextToken(machine, comma + 1));
    if (key !== undefined && !Object.hasOwn(frame.members, key)) return comma;
    if (comma - at > maxLength) return -1;
  }
  const closer = beforeWhitespace(text, text.length) - 1;
  if (closer <= at || text.charCodeAt(closer) !== frame.closer) return -1;
  const last = beforeWhitespace(text, closer) - 1;
  return last > at && text.charCodeAt(last) === char.comma ? last : closer;
}

const maxLength = 20_000;

const maxKeyLength = 200;
// The shortest text up to a quote with a colon after it, or an unquoted key.
const keyPattern = /(?:"[^\n]{1,200}?"|[\p{L}_$][\p{L}\p{N}_$.-]{0,63})\s{0,9}[:\uff1a]/uy;

/** Returns the declared key of an object at an offset. It may have quotes in it, `"size ("inch")": 1`. */
function declaredKeyAt(machine: Machine, { hasBareKeys, shape }: Frame, at: number): string | undefined {
  const { text } = machine;
  const isQuoted = codeAt(machine, at) === char.quote;
  if (shape === undefined || !(isQuoted || hasBareKeys)) return undefined;
  const end = matchEnd(keyPattern, text, at);
  if (end === -1) waitFor(machine, at + maxKeyLength + 11);
  const name = text.slice(at, end).replace(/\s*[:\uff1a]$/, '');
  const key = isQuoted ? name.slice(1, -1) : name;
  return end !== -1 && shape.hasMember(key) ? key : undefined;
}

/** Returns whether a declared key of an object is at an offset. */
export const isDeclaredKeyAt = (machine: Machine, frame: Frame, at: number): boolean =>
  declaredKeyAt(machine, frame, at) !== undefined;

/**
 * Returns whether a bracket at the cursor begins text instead of a list or object: text is declared, neither list nor
 * object is, and the bracket's closer is followed by something that can't follow a value. `{"command": [ -f x ] && echo
 * yes, "timeout": 1}`
 */
export function isBracketOfText(machine: Machine, code: number): boolean {
  // `[^` begins a character class of a regular expression, not a list.
  if (code === char.openBracket && codeAt(machine, machine.at + 1) === char.caret) return true;
  if (isPlaceholder(machine.text, machine.at)) return true;
  if (machine.shape === undefined || !machine.ended) return false;
  const kinds = dueKinds(machine);
  if (kinds?.has('string') !== true || kinds.has(code === char.openBracket ? 'array' : 'object')) return false;
  const close = findFrom(machine, code === char.openBracket ? ']' : '}', machine.at);
  if (close === -1) return false;
  return !isEndAt(machine, nextToken(machine, close + 1));
}
