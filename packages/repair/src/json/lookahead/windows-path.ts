import * as char from '../text/char.ts';
import { isNameStart, matchEnd } from '../text/characters.ts';
import { findFrom, dueKinds } from '../machine/operations.ts';
import type { Machine, StringToken } from '../machine/machine.ts';

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
function isPathBetween(text: string, from: number, to: number): boolean {
  return to - from <= maxPathLength && lonePathPattern.test(text.slice(from, to));
}

/** `C:\temp\"`: returns whether the backslash before the last quote ends a path and escapes nothing. */
export const isFolder = (text: string, from: number, to: number): boolean =>
  text.startsWith('\\"', to - 2) && isPathBetween(text, from, to - 1);

/**
 * Returns whether the backslash at an offset of a string belongs to a Windows path, whose backslashes escape nothing.
 * `isLone`: it is followed by a character that can't be escaped.
 */
export function isInPath(machine: Machine, token: StringToken, at: number, isLone: boolean): boolean {
  if (isLone && isPathUpToQuote(machine, token)) return true;
  if (at === token.begin + 2 && token.role === 'value' && isDeclaredPath(machine, token.begin)) return true;
  return machine.text.charCodeAt(at - 1) === char.colon && isFurtherPath(machine, token, at);
}

const pathPattern = /[A-Za-z]:(?:\\[^\\"/:*?<>|\s,;]{1,255}){1,64}\\?"/y;
const unicodePattern = /\\u[\dA-Fa-f]{4}/y;
const nameOfPathsPattern = /path|file|dir|folder|location|cwd|source|destination|target/i;

/** Returns whether a declared string is a Windows path although its escapes are valid JSON: `C:\new\table`. */
function isDeclaredPath(machine: Machine, at: number): boolean {
  const { text, shape } = machine;
  if (shape === undefined || !isWindowsPath(text, at)) return false;
  // In `E:\u00ef`, the escape is meant.
  if (matchEnd(unicodePattern, text, at + 2) !== -1) return false;
  if (dueKinds(machine)?.has('string') !== true) return false;
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
function isFurtherPath(machine: Machine, token: StringToken, at: number): boolean {
  const { frame, repairs, text } = machine;
  if (!repairs.slice(-8).some(({ code }) => code === 'lone-backslash')) return false;
  const end = matchEnd(drivePattern, text, at - 2);
  return end !== -1 && looksLikePath(text.slice(at - 2, end), frame?.key) && isPathUpToQuote(machine, token);
}

/** Returns whether the string begins with a Windows path, or contains one and no other backslash. */
function isPathUpToQuote(machine: Machine, token: StringToken): boolean {
  const { text } = machine;
  const { begin, delimiter, end } = token;
  if (isWindowsPath(text, begin)) return true;
  // A stream has already shown the meaning of the earlier escapes.
  const hasEscapes = token.head.length + token.text.length !== token.run - begin;
  if (hasEscapes && !machine.ended) return false;
  const quote = end === -1 ? findFrom(machine, delimiter.close ?? delimiter.open, begin) : end;
  return quote !== -1 && text.charCodeAt(quote - 1) !== char.backslash && isPathBetween(text, begin, quote);
}
