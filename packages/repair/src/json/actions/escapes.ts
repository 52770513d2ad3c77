import * as char from '../text/char.ts';
import { nextCode } from '../lookahead/next-token.ts';
import { execAt, isHexDigit, isIn, isNamePart, matchEnd, simpleEscape, toNarrow, fromHex } from '../text/characters.ts';
import type { Machine, StringToken } from '../machine/machine.ts';
import { codeAt, note, startsAt, waitFor, waitForEnd } from '../machine/operations.ts';
import type { RepairRisk } from '../result/repair-result.ts';

/** The meaning of a backslash and the characters after it. */
interface Escape {
  /** The decoded text. */
  readonly text: string;
  /** Number of characters, including the backslash. */
  readonly length: number;
  /** The name of the repair. Absent for valid JSON escapes. */
  readonly repair?: { readonly code: string; readonly risk: RepairRisk };
}

/**
 * Reads the escape at an offset. Returns undefined if the text ends inside it. After a backslash that was not escaped,
 * `\b`, `\f` and the commands of LaTeX in `commandPattern` are literal too: `\(K_\alpha, K_\beta \neq 5 \text{cm}\)`.
 */
export function escapeAt(machine: Machine, at: number, hasLone: boolean): Escape | undefined {
  const code = codeAt(machine, at + 1);
  if (code === char.end) return undefined;
  // Waits for the longest command and the character after it.
  if (hasLone && isIn('nrt', code)) waitFor(machine, at + 11);
  const isLiteral = hasLone && matchEnd(commandPattern, machine.text, at) !== -1;
  const simple = isLiteral ? undefined : simpleEscape(code);
  if (simple !== undefined) return { text: simple, length: 2 };
  if (code === 0x75) return bracedEscapeAt(machine, at) ?? codeEscapeAt(machine, at, 4);
  if (code === 0x78) return codeEscapeAt(machine, at, 2);
  if (code === char.apostrophe || code === char.backtick) {
    const repair = { code: 'needless-escape', risk: code === char.apostrophe ? 'safe' : 'lossy' } as const;
    return { text: String.fromCharCode(code), length: 2, repair };
  }
  if (code === char.underscore && !hasLone && isMarkdownWord(machine, at)) return markdownUnderscore;
  // Any other backslash is literal: \d of a regular expression, \U of C:\Users.
  return code < 0x20 || isIn('$0vae_bfnrt', code) ? ambiguousBackslash : loneBackslash;
}

// `\b`, `\f`, and commands whose rest is not an English word, as it would be after a tab or a line break. A command is
// not followed by a letter: `\times`, but not `\timestamp`.
const commandPattern =
  /\\(?:[bf]|text\w{0,2}\{|(?:times|theta|neq|nabla|notin|right(?:arrow)?|rangle|rho)(?![A-Za-z])|t(?:frac|ilde)\{|(?<![A-Za-z\d]\\)t(?:o|au)(?![A-Za-z]))/y;

/** The commands in `commandPattern`. One that is the beginning of another is left out. */
const commands = 'text times theta to tau tfrac tilde neq nabla notin rightarrow rangle rho'
  .split(' ')
  .map((word) => `\\${word}`);
const firstCommandPattern = new RegExp(
  commandPattern.source.replace('[bf]', String.raw`[bf](?=[A-Za-z[(]|\\[dDsSwW])`),
  'y',
);
// Escapes of JSON, JavaScript and Python.
const known = '"\\\\/bfnrtu\'`x_';
const contentPattern = new RegExp(`(?:[^"\\\\]|\\\\[${known}]){0,600}`, 'y');

/**
 * Returns whether an escape is a command of LaTeX, `\frac{a}{b} \le \sqrt{c}`, or the word boundary of a regular
 * expression, `\b\d+\b`: it is spelled like one, and a backslash in the next 600 characters of the string escapes nothing.
 */
export function isCommandAt(machine: Machine, at: number): boolean {
  const { ended, text } = machine;
  if (!ended && mayGrowIntoCommand(text, at)) waitForEnd(machine);
  if (machine.needsMore || matchEnd(firstCommandPattern, text, at) === -1) return false;
  const lone = matchEnd(contentPattern, text, at + 2);
  const next = codeAt(machine, lone) === char.backslash ? codeAt(machine, lone + 1) : char.end;
  return next !== char.end && !isIn(known, next);
}

const begunPattern = /\\[bfnrt][A-Za-z]{0,10}$/y;

/** Returns whether the rest of a text, from a backslash on, may be the beginning of a command. */
function mayGrowIntoCommand(text: string, at: number): boolean {
  if (matchEnd(begunPattern, text, at) === -1) return false;
  const rest = text.slice(at);
  if (rest.length === 2 && isIn('bf', rest.charCodeAt(1))) return true;
  return commands.some((command) => command.startsWith(rest));
}

/** Returns whether an escape may be a command, so that only the rest of the string decides. */
export function mayBeCommand(text: string, at: number): boolean {
  return matchEnd(firstCommandPattern, text, at) !== -1 || mayGrowIntoCommand(text, at);
}

const loneBackslash: Escape = { text: '\\', length: 1, repair: { code: 'lone-backslash', risk: 'safe' } };
const ambiguousBackslash: Escape = { text: '\\', length: 1, repair: { code: 'lone-backslash', risk: 'lossy' } };

const markdownUnderscore: Escape = { text: '_', length: 2, repair: { code: 'markdown-escape', risk: 'lossy' } };
const wordPattern = /(?:\\_|[^\s"'\\]){1,64}/y;

/** `get\_weather`: returns whether a backslash is inside a word that contains no other ones, unlike a Windows path. */
function isMarkdownWord(machine: Machine, at: number): boolean {
  const { text } = machine;
  const end = matchEnd(wordPattern, text, at);
  return (
    isNamePart(text.charCodeAt(at - 1)) &&
    (codeAt(machine, end) !== char.backslash || isIn('nrt"', codeAt(machine, end + 1)))
  );
}

/**
 * Reads the escape at an offset of a string whose delimiter is itself escaped: `{\"a\": \"x\\\"y\\n\"}` or
 * `{&quot;a&quot;: &quot;x\&quot;y&quot;}`. Returns undefined if it is an ordinary escape.
 */
export function nestedEscapeAt(machine: Machine, at: number, close: string): Escape | undefined {
  if (close.startsWith('&')) {
    const text = close === '&#39;' ? "'" : '"';
    return startsAt(machine, close, at + 1) ? { text, length: 1 + close.length } : undefined;
  }
  if (close.charCodeAt(0) !== char.backslash || codeAt(machine, at + 1) !== char.backslash) return undefined;
  waitFor(machine, at + 6);
  const [whole = '', quote, letter = '', digits] = execAt(nestedPattern, machine.text, at) ?? [];
  const text = quote ?? (digits === undefined ? simpleEscape(letter.charCodeAt(0)) : fromHex(digits));
  return text === undefined ? undefined : { text, length: whole.length };
}

const nestedPattern = /\\\\(?:\\(["'\\])|([/bfnrt])|u([\dA-Fa-f]{4}))/y;

const bracedPattern = /\\u\{(1[0-9A-Fa-f]{4})\}/y;

/** `\u{1F600}` as in JavaScript. Others are kept, because they may be part of code, or commands of LaTeX, `\u{a}`. */
function bracedEscapeAt(machine: Machine, at: number): Escape | undefined {
  // Waits for five digits and the closing brace.
  if (codeAt(machine, at + 2) === char.openBrace) waitFor(machine, at + 8);
  const [whole = '', digits = ''] = execAt(bracedPattern, machine.text, at) ?? [];
  if (digits === '') return undefined;
  const text = fromHex(digits);
  return { text, length: whole.length, repair: { code: 'hex-escape', risk: 'safe' } };
}

const drivePattern = /(?<![A-Za-z])[A-Za-z]:(?:\\[\w.$~ ()-]{1,64}){0,20}$/;

/** `C:\ubuntu`, `D:\new\uat`: returns whether the backslash at an offset is in a Windows path. */
const isAfterDrive = (text: string, at: number): boolean => drivePattern.test(text.slice(Math.max(0, at - 200), at));

/** `\u` with four hexadecimal digits, or `\x` with two as in Python and JavaScript, or one of them with fewer digits. */
function codeEscapeAt(machine: Machine, at: number, most: 2 | 4): Escape | undefined {
  const begin = at + 2;
  let end = begin;
  while (end < begin + most && isHexDigit(codeAt(machine, end))) end += 1;
  // `PE\x00`: no text contains the character itself.
  if (most === 2 && startsAt(machine, '00', begin)) return ambiguousBackslash;
  if (end === begin + most) {
    const text = fromHex(machine.text.slice(begin, end));
    return most === 4 ? { text, length: 6 } : { text, length: 4, repair: { code: 'hex-escape', risk: 'safe' } };
  }
  if (codeAt(machine, end) === char.end) return undefined;
  if (most === 2 || end === begin || isAfterDrive(machine.text, at)) return loneBackslash;
  return { text: '\uFFFD', length: end - at, repair: { code: 'broken-unicode-escape', risk: 'lossy' } };
}

const signAtEnd = /\s*[:\uff1a]$/;

/** Returns a key without escapes of Markdown, and without a colon before its closing quote that belongs after it. */
export function keyOf(machine: Machine, token: StringToken, written: string): string {
  const content = token.hasLone ? written.replaceAll(/\\([_*[\]])/g, '$1') : written;
  if (!signAtEnd.test(content)) return content;
  const next = toNarrow(nextCode(machine, machine.at));
  if (next === char.end || isIn(':=,', next)) return content;
  note(machine, 'colon-in-key', 'lossy', token.start, machine.at, '');
  return content.replace(signAtEnd, '');
}
