import * as char from '../text/char.ts';
import { isNameStart } from '../text/characters.ts';
import { dueShape, findFrom } from '../machine/operations.ts';
import type { Machine, StringToken } from '../machine/machine.ts';
import { matchEnd } from '../text/match-end.ts';

/** `C:\` with one backslash: the beginning of a path with unescaped backslashes. */
export function isWindowsPath(text: string, at: number): boolean {
  const isDrive =
    isNameStart(text.charCodeAt(at)) &&
    text.charCodeAt(at + 1) === char.colon &&
    text.charCodeAt(at + 2) === char.backslash;
  return isDrive && text.charCodeAt(at + 3) !== char.backslash;
}

const maxLength = 400;
// A drive or a share, folders, and no other backslash.
const lonePathPattern =
  /^[^\\"]{0,400}?(?:(?<![A-Za-z])[A-Za-z]:|^\\\\[\w.-]{2,64})(?:\\[\w.$~ ()-]{1,255}){0,64}\\?[^\\"]{0,400}$/;

/**
 * Returns whether a string's content between two offsets contains a Windows path with unescaped backslashes, and no
 * other backslash: `cd C:\temp\x`, `\\server\share`.
 */
export function isPathBetween(text: string, from: number, to: number): boolean {
  return to - from <= maxLength && lonePathPattern.test(text.slice(from, to));
}

const pathPattern = /[A-Za-z]:(?:\\[^\\"/:*?<>|\s,;]{1,255}){1,64}\\?"/y;
const nameOfPathsPattern = /path|file|dir|folder|location|cwd|source|destination|target/i;

/**
 * Returns whether the string whose content begins at an offset is a Windows path although all of its escapes are valid
 * JSON: `C:\new\table`. Only if a string is declared, and if it is unlikely to be text with line breaks.
 */
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
  const isNeverText = /\\[bf]/.test(path) || path.split('\\').length > 2 || /\.\w{1,5}"$/.test(path);
  return isNeverText || (key !== undefined && nameOfPathsPattern.test(key));
}

/**
 * Returns whether the string begins with a Windows path, or contains one and no other backslashes up to its closing
 * quote.
 */
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
