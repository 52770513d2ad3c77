import * as char from '../text/char.ts';
import { afterBetween, nextCode } from './skip-between.ts';
import { toNarrow, isNameStart, matchEnd, isIn } from '../text/characters.ts';
import { nameEnd } from './name-end.ts';
import { dueShape, codeAt, findFrom } from '../machine/operations.ts';
import type { Frame, Machine, StringToken } from '../machine/machine.ts';
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
  if (dueShape(machine)?.kinds?.has('string') !== true) return -1;
  for (let comma = findFrom(machine, ',', at); comma !== -1; comma = findFrom(machine, ',', comma + 1)) {
    if (isDueKeyAt(machine, shape, afterBetween(machine, comma + 1))) return comma;
    if (comma - at > maxLength) return -1;
  }
  const closer = beforeWhitespace(text, text.length) - 1;
  if (closer <= at || text.charCodeAt(closer) !== frame.closer) return -1;
  const last = beforeWhitespace(text, closer) - 1;
  return last > at && text.charCodeAt(last) === char.comma ? last : closer;
}

const maxLength = 20_000;
const caret = 0x5e;

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
  // Waits for the longest key.
  codeAt(machine, at + maxKeyLength + 11);
  return false;
}

/**
 * Returns whether a bracket at the cursor begins text instead of a list or object: text is declared, neither list nor
 * object is, and the bracket's closer is followed by something that can't follow a value. `{"command": [ -f x ] && echo
 * yes, "timeout": 1}`
 */
export function isBracketOfText(machine: Machine, code: number): boolean {
  // `[^` begins a character class of a regular expression, not a list.
  if (code === char.openBracket && codeAt(machine, machine.at + 1) === caret) return true;
  if (isPlaceholder(machine.text, machine.at)) return true;
  if (machine.shape === undefined || !machine.ended) return false;
  const kinds = dueShape(machine)?.kinds;
  if (kinds?.has('string') !== true || kinds.has(code === char.openBracket ? 'array' : 'object')) return false;
  const close = findFrom(machine, code === char.openBracket ? ']' : '}', machine.at);
  if (close === -1) return false;
  const next = nextCode(machine, close + 1);
  return next !== char.end && !isIn(',}]', next);
}

/** `C:\` with one backslash: the beginning of a path with unescaped backslashes. */
export function isWindowsPath(text: string, at: number): boolean {
  const isDrive =
    isNameStart(text.charCodeAt(at)) &&
    text.charCodeAt(at + 1) === char.colon &&
    text.charCodeAt(at + 2) === char.backslash;
  return isDrive && text.charCodeAt(at + 3) !== char.backslash;
}

const maxPathLength = 400;
// A drive or a share, folders, and no other backslash.
const lonePathPattern =
  /^[^\\"]{0,400}?(?:(?<![A-Za-z])[A-Za-z]:|^\\\\[\w.-]{2,64})(?:\\[\w.$~ ()-]{1,255}){0,64}\\?[^\\"]{0,400}$/;

/** Returns whether a text contains a Windows path and no other backslash: `cd C:\temp\x`, `\\server\share`. */
export function isPathBetween(text: string, from: number, to: number): boolean {
  return to - from <= maxPathLength && lonePathPattern.test(text.slice(from, to));
}

const pathPattern = /[A-Za-z]:(?:\\[^\\"/:*?<>|\s,;]{1,255}){1,64}\\?"/y;
const nameOfPathsPattern = /path|file|dir|folder|location|cwd|source|destination|target/i;

/** Returns whether a declared string is a Windows path although its escapes are valid JSON: `C:\new\table`. */
export function isDeclaredPath(machine: Machine, at: number): boolean {
  const { text, shape } = machine;
  if (shape === undefined || !isWindowsPath(text, at)) return false;
  if (dueShape(machine)?.kinds?.has('string') !== true) return false;
  // Before the closing quote, a path can't be distinguished from other text.
  if (findFrom(machine, '"', at) === -1) return false;
  const end = matchEnd(pathPattern, text, at);
  return end !== -1 && looksLikePath(text.slice(at, end), machine.frame?.key);
}

function looksLikePath(path: string, key: string | undefined): boolean {
  const isNeverText = /\\[bf]/.test(path) || path.split('\\').length > 2 || /\.\w{1,5}"?$/.test(path);
  return isNeverText || (key !== undefined && nameOfPathsPattern.test(key));
}

// Words of two letters at least, because `A:\n\t` is text.
const drivePattern = /(?<![A-Za-z])[A-Z]:(?:\\[A-Za-z]{2}[^\\"/:*?<>|\s,;]{0,255}){1,64}(?!:)/y;

/** `Use D:\new\tools`: returns whether the drive before a backslash begins a path, where an earlier string did not escape its backslashes. */
export function isFurtherPath(machine: Machine, token: StringToken, at: number): boolean {
  const { frame, repairs, text } = machine;
  if (!repairs.slice(-8).some(({ code }) => code === 'lone-backslash')) return false;
  const end = matchEnd(drivePattern, text, at - 2);
  return end !== -1 && looksLikePath(text.slice(at - 2, end), frame?.key) && isPathUpToQuote(machine, token);
}

/** Returns whether the string begins with a Windows path, or contains one and no other backslash. */
export function isPathUpToQuote(machine: Machine, token: StringToken): boolean {
  const { text } = machine;
  const { begin, delimiter, end } = token;
  if (isWindowsPath(text, begin)) return true;
  // A stream has already shown the meaning of the earlier escapes.
  const hasEscapes = token.head.length + token.text.length !== token.run - begin;
  if (hasEscapes && !machine.ended) return false;
  const quote = end === -1 ? findFrom(machine, delimiter.close ?? delimiter.open, begin) : end;
  return quote !== -1 && text.charCodeAt(quote - 1) !== char.backslash && isPathBetween(text, begin, quote);
}
