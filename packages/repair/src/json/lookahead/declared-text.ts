import * as char from '../text/char.ts';
import { nextToken, nextCode } from './next-token.ts';
import { toNarrow, matchEnd, isIn } from '../text/characters.ts';
import { nameEnd } from './name-end.ts';
import { codeAt, findFrom, waitFor, dueKinds } from '../machine/operations.ts';
import type { Frame, Machine } from '../machine/machine.ts';
import type { Shape } from '../result/declared-shape.ts';
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
    if (isDueKeyAt(machine, shape, nextToken(machine, comma + 1))) return comma;
    if (comma - at > maxLength) return -1;
  }
  const closer = beforeWhitespace(text, text.length) - 1;
  if (closer <= at || text.charCodeAt(closer) !== frame.closer) return -1;
  const last = beforeWhitespace(text, closer) - 1;
  return last > at && text.charCodeAt(last) === char.comma ? last : closer;
}

const maxLength = 20_000;

/** Returns whether a key at an offset is declared for the innermost object and not in it yet. */
function isDueKeyAt(machine: Machine, shape: Shape, at: number): boolean {
  const { frame, text } = machine;
  if (frame === undefined) return false;
  const isQuoted = codeAt(machine, at) === char.quote;
  if (!isQuoted && !frame.hasBareKeys) return false;
  const end = isQuoted ? findFrom(machine, '"', at + 1) : nameEnd(machine, at);
  if (end === -1 || end - at > 200) return false;
  const key = text.slice(isQuoted ? at + 1 : at, end);
  if (!shape.hasMember(key) || Object.hasOwn(frame.members, key)) return false;
  return toNarrow(nextCode(machine, end + Number(isQuoted))) === char.colon;
}

const maxKeyLength = 200;
// The shortest text up to a quote with a colon after it.
const keyPattern = /"[^\n]{1,200}?"\s{0,9}[:\uff1a]/y;

/** `"size ("inch")": 1`: returns whether a key at an offset, which may have quotes in it, is declared for an object. */
export function isDeclaredKeyAt(machine: Machine, { shape }: Frame, at: number): boolean {
  if (shape === undefined) return false;
  const { text } = machine;
  const end = matchEnd(keyPattern, text, at);
  if (end !== -1) return shape.hasMember(text.slice(at + 1, text.lastIndexOf('"', end - 1)));
  waitFor(machine, at + maxKeyLength + 11);
  return false;
}

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
  const next = nextCode(machine, close + 1);
  return next !== char.end && !isIn(',}]', next);
}
