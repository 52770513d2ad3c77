import { codeBefore, isFirstOnLine } from '../text/plain-text.ts';
import { isDigit, isNamePart, isOddSpace, isWhitespace, matchEnd, toNarrow, isIn } from '../text/characters.ts';
import type { CloserRun } from '../machine/closers.ts';
import type { Machine } from '../machine/machine.ts';
import { codeAt, findFrom, note, startsAt, waitFor } from '../machine/operations.ts';
import * as char from '../text/char.ts';

/** Repair code for `\n`, `\r` or `\t` that is written as two characters between tokens, also if the text ends after the first. */
export const writtenWhitespace = 'written-whitespace';

/** Text between tokens that JSON does not allow. */
interface Filler {
  /** The repair code. */
  readonly code: string;
  /** The offset after it, or the length of the text if it never ends. */
  readonly end: number;
}

/** Returns the filler at an offset. Only a remark may be part of a value. */
function fillerAt(machine: Machine, at: number, code: number): Filler | undefined {
  if (code === char.hash) return isHashValue(machine, at) ? undefined : commentUpTo(machine, 'hash-comment', '\n', at);
  if (code === char.less)
    return isMarkupComment(machine, at) ? commentUpTo(machine, 'block-comment', '-->', at + 4) : undefined;
  if (code === char.minus)
    return isDashComment(machine, at) ? commentUpTo(machine, 'line-comment', '\n', at) : undefined;
  if (code === char.openParen) {
    const end = remarkEnd(machine, at);
    return end === -1 ? undefined : { code: 'remark', end };
  }
  if (code === char.slash) {
    const next = codeAt(machine, at + 1);
    if (next === char.asterisk) return commentUpTo(machine, 'block-comment', '*/', at + 2);
    return next === char.slash ? commentUpTo(machine, 'line-comment', '\n', at) : undefined;
  }
  if (code === char.backslash) {
    const letter = codeAt(machine, at + 1);
    // A backslash before a bracket, as in Markdown, or the two characters `\n`, `\r` or `\t` in the place of white space.
    if (isIn(',[]{}', letter)) return { code: 'markdown-escape', end: at + 1 };
    // A backslash at the end of the text has lost what it escapes.
    if (letter === char.end) return { code: writtenWhitespace, end: at + 1 };
    return isIn('nrt', letter) ? { code: writtenWhitespace, end: at + 2 } : undefined;
  }
  let end = at;
  while (isOddSpace(codeAt(machine, end))) end += 1;
  // A no-break space, a byte order mark, or another space that JSON does not allow.
  return end === at ? undefined : { code: 'odd-space', end };
}

/** Returns the comment up to a needle, which belongs to it unless it is a line break. */
function commentUpTo(machine: Machine, code: string, needle: string, from: number): Filler {
  const found = findFrom(machine, needle, from);
  const end = needle === '\n' ? found : found + needle.length;
  return { code, end: found === -1 ? machine.text.length : end };
}

const maxHashValue = 100;

/** `: #ff0000,` `: #/$defs/a}` `[#tag]`: a colour, a reference or another word without quotes or its first one, and no comment. */
function isHashValue(machine: Machine, at: number): boolean {
  const isItem = machine.frame?.kind === 'array' && isIn('[,', codeBefore(machine.text, at));
  if (!isItem && !isAfterColon(machine, at)) return false;
  let end = at + 1;
  while (end - at < maxHashValue && (isNamePart(codeAt(machine, end)) || isIn('/%.~', codeAt(machine, end)))) end += 1;
  const isQuoted = codeAt(machine, end) === char.quote && end > at;
  if (isItem) return end > at + 1 && isIn(',]', codeAt(machine, end));
  return isIn(isQuoted ? ',}\n' : ',}', codeAt(machine, end + Number(isQuoted)));
}

/** `<!-- note -->`, but not `: <!-- note -->`, which may be text without quotes. */
const isMarkupComment = (machine: Machine, at: number): boolean =>
  startsAt(machine, '<!--', at) && !isAfterColon(machine, at);

const isAfterColon = ({ text }: Machine, at: number): boolean => toNarrow(codeBefore(text, at)) === char.colon;

/** `-- ` at the beginning of a line or after a comma, as in SQL. Elsewhere it is more likely a dash in prose. */
function isDashComment(machine: Machine, at: number): boolean {
  if (codeAt(machine, at + 1) !== char.minus || codeAt(machine, at + 2) !== char.space) return false;
  const { text } = machine;
  return isIn(',{[', codeBefore(text, at)) || isFirstOnLine(text, at);
}

const remarkPattern = /\([^()[\]{}"\n]{1,200}\)(?=[ \t\r]{0,9}[,}\]\n])/y;
// After a comma, only on the same line.
const lastRemarkPattern = /(?<=,[ \t]{1,40})\([A-Za-z][^()[\]{}"\n]{0,200}\)(?=[ \t\r]{0,9}\n)/y;
const remarkBeginPattern = /^\([^()[\]{}"\n]{0,200}\)?[ \t\r]{0,9}$/;
const maxRemark = 212;

/** `"x" (assumed), `: returns the end of a remark after a value, or -1. After a quote inside a text, it is more text. */
function remarkEnd(machine: Machine, at: number): number {
  const { frames, text, token } = machine;
  if (frames[0]?.kind === 'call' || token?.isDamaged === true || !isWhitespace(text.charCodeAt(at - 1))) return -1;
  const before = codeBefore(text, at);
  const isAfterComma = before === char.comma && machine.frame?.kind === 'object';
  if (!isIn('"\'}]', before) && !isNamePart(before) && !isAfterComma) return -1;
  const end = matchEnd(isAfterComma ? lastRemarkPattern : remarkPattern, text, at);
  if (end === -1 && remarkBeginPattern.test(text.slice(at, at + maxRemark))) waitFor(machine, at + maxRemark);
  return end;
}

/** Returns whether a character may begin a filler that is not white space. */
function mayBeginFiller(code: number): boolean {
  // Most characters between tokens are letters and quotes.
  if (code > char.slash && code < 0x7f) return code === char.backslash || code === char.less;
  const isOdd = code === 0x0b || code === 0x0c || code > 0x7e;
  return isOdd || code === char.slash || code === char.hash || code === char.minus || code === char.openParen;
}

/** Moves the cursor past white space and fillers, records the fillers, and returns the next character. */
export function skipToToken(machine: Machine): number {
  for (;;) {
    let code = codeAt(machine, machine.at);
    while (isWhitespace(code)) code = codeAt(machine, (machine.at += 1));
    if (!mayBeginFiller(code)) return code;
    const { at } = machine;
    const filler = fillerAt(machine, at, code);
    if (filler === undefined || machine.needsMore) return code;
    const isRemark = code === char.openParen;
    const isElision = matchEnd(elisionPattern, machine.text, at) !== -1;
    note(machine, filler.code, isRemark || isElision ? 'lossy' : 'safe', at, filler.end, '');
    const isInCall = machine.frames[0]?.kind === 'call';
    const isUnclear = isRemark || (code === char.slash && isInCall && isDivision(machine, at));
    if (isUnclear || (filler.code === writtenWhitespace && isAfterEscapedQuote(machine))) machine.isUncertain = true;
    machine.at = filler.end;
  }
}

/**
 * `"f(\"a"\n)"`: after a string with an escaped quote, written white space is more likely a part of the same text, unless
 * it was also written before that string.
 */
const isAfterEscapedQuote = ({ at, last, lastStart, repairs, text }: Machine): boolean =>
  last === 'string' &&
  /\\["']/.test(text.slice(lastStart, at)) &&
  !repairs.slice(0, 8).some(({ code, start }) => code === writtenWhitespace && start < lastStart);

/** `// … more items`: a comment that stands for values. */
const elisionPattern = /(?:\/[/*]|#|--|<!--)[ \t]{0,9}(?:\.\.\.|…)/y;

const divisorPattern = /\/\/ ?[\d.]+[ \t]*(?:[,)}\]\n]|$)/y;

/** `100 // 3`: returns whether a comment is rather a division in Python. */
function isDivision({ text }: Machine, at: number): boolean {
  return isDigit(codeBefore(text, at)) && matchEnd(divisorPattern, text, at) !== -1;
}

/** Returns the start of the next token, without moving the cursor. A comment that never ends is a token here. */
export function nextToken(machine: Machine, at: number): number {
  for (let end = at; ;) {
    let code = codeAt(machine, end);
    while (isWhitespace(code)) code = codeAt(machine, (end += 1));
    if (!mayBeginFiller(code)) return end;
    const filler = fillerAt(machine, end, code);
    if (filler === undefined) return end;
    if (filler.end >= machine.text.length && code !== char.backslash && code < 0x7f) return end;
    end = filler.end;
  }
}

/** Returns the first character of the next token after an offset. */
export const nextCode = (machine: Machine, at: number): number => codeAt(machine, nextToken(machine, at));

/** Skips the closers from an offset on that match the containers up to a level, from the innermost one outwards. */
export function passClosers(machine: Machine, from: number, level: number): CloserRun {
  let [end, open] = [from, level];
  for (; open >= 0; open -= 1) {
    const at = nextToken(machine, end);
    if (toNarrow(codeAt(machine, at)) !== machine.frames[open]?.closer) break;
    end = at + 1;
  }
  return { end, level: open };
}
