import { beforeWhitespace, codeBefore } from '../text/plain-text.ts';
import { isDigit, isNamePart, isOddSpace, isWhitespace, matchEnd, toNarrow, isIn } from '../text/characters.ts';
import { markUncertain } from '../machine/closers.ts';
import type { Machine } from '../machine/machine.ts';
import { codeAt, findFrom, note, startsAt, waitFor } from '../machine/operations.ts';
import { namePartsEnd } from './name-end.ts';
import * as char from '../text/char.ts';

/** Repair code for `\n`, `\r` or `\t` that is written as two characters between tokens. */
export const writtenWhitespace = 'written-whitespace';

/** Returns the repair code for text between tokens that JSON does not allow. Only a remark may be part of a value. */
function fillerAt(machine: Machine, at: number, code: number): string {
  if (code === char.minus) return 'line-comment';
  if (code === char.openParen) return 'remark';
  if (code === char.slash) return codeAt(machine, at + 1) === char.slash ? 'line-comment' : 'block-comment';
  // A backslash before a bracket, as in Markdown, or the two characters `\n`, `\r` or `\t` in the place of white space.
  if (code === char.backslash) return isIn(',[]{}', codeAt(machine, at + 1)) ? 'markdown-escape' : writtenWhitespace;
  if (code === char.less) return 'block-comment';
  // `odd-space`: a no-break space, a byte order mark, or another space that JSON does not allow.
  return code === char.hash ? 'hash-comment' : 'odd-space';
}

/** Returns the end of the filler at an offset, `text.length` if it never ends, or -1. */
function fillerEnd(machine: Machine, at: number, code: number): number {
  if (code === char.hash) return isHashValue(machine, at) ? -1 : endOf(machine, '\n', at, 0);
  if (code === char.less) return isMarkupComment(machine, at) ? endOf(machine, '-->', at + 4, 3) : -1;
  if (code === char.minus) return isDashComment(machine, at) ? endOf(machine, '\n', at, 0) : -1;
  if (code === char.openParen) return remarkEnd(machine, at);
  if (code === char.slash) {
    const next = codeAt(machine, at + 1);
    if (next === char.asterisk) return endOf(machine, '*/', at + 2, 2);
    return next === char.slash ? endOf(machine, '\n', at, 0) : -1;
  }
  if (code === char.backslash) {
    const letter = codeAt(machine, at + 1);
    // A backslash at the end of the text has lost what it escapes.
    if (letter === char.end || isIn(',[]{}', letter)) return at + 1;
    return isIn('nrt', letter) ? at + 2 : -1;
  }
  let end = at;
  while (isOddSpace(codeAt(machine, end))) end += 1;
  return end === at ? -1 : end;
}

/** `: #ff0000,` `: #tag}`: a colour or another word without quotes, and no comment. */
function isHashValue(machine: Machine, at: number): boolean {
  if (!isAfterColon(machine, at)) return false;
  const end = namePartsEnd(machine, at + 1);
  return isIn(',}', codeAt(machine, end));
}

/** `<!-- note -->`, but not `: <!-- note -->`, which may be text without quotes. */
function isMarkupComment(machine: Machine, at: number): boolean {
  return startsAt(machine, '<!--', at) && !isAfterColon(machine, at);
}

function isAfterColon({ text }: Machine, at: number): boolean {
  return toNarrow(codeBefore(text, at)) === char.colon;
}

/** `-- ` at the beginning of a line or after a comma, as in SQL. Elsewhere it is more likely a dash in prose. */
function isDashComment(machine: Machine, at: number): boolean {
  if (codeAt(machine, at + 1) !== char.minus || codeAt(machine, at + 2) !== char.space) return false;
  const { text } = machine;
  return isIn(',{[', codeBefore(text, at)) || text.slice(beforeWhitespace(text, at), at).includes('\n');
}

const remarkPattern = /\([^()[\]{}"\n]{1,200}\)(?=[ \t\r]{0,9}[,}\]\n])/y;
const remarkBeginPattern = /^\([^()[\]{}"\n]{0,200}\)?[ \t\r]{0,9}$/;
const maxRemark = 212;

/** `"x" (assumed), `: returns the end of a remark after a value, or -1. After a quote inside a text, it is more text. */
function remarkEnd(machine: Machine, at: number): number {
  const { frames, text, token } = machine;
  if (frames[0]?.kind === 'call' || token?.isDamaged === true || !isWhitespace(text.charCodeAt(at - 1))) return -1;
  const before = codeBefore(text, at);
  if (!isIn('"\'}]', before) && !isNamePart(before)) return -1;
  const end = matchEnd(remarkPattern, text, at);
  if (end === -1 && remarkBeginPattern.test(text.slice(at, at + maxRemark))) waitFor(machine, at + maxRemark);
  return end;
}

function endOf(machine: Machine, needle: string, from: number, length: number): number {
  const found = findFrom(machine, needle, from);
  return found === -1 ? machine.text.length : found + length;
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
    const end = fillerEnd(machine, at, code);
    if (end === -1 || machine.needsMore) return code;
    const isRemark = code === char.openParen;
    note(machine, fillerAt(machine, at, code), isRemark ? 'lossy' : 'safe', at, end, '');
    const isInCall = machine.frames[0]?.kind === 'call';
    if (isRemark || (code === char.slash && isInCall && isDivision(machine, at))) markUncertain(machine);
    machine.at = end;
  }
}

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
    const filled = fillerEnd(machine, end, code);
    if (filled === -1 || (filled >= machine.text.length && code !== char.backslash && code < 0x7f)) return end;
    end = filled;
  }
}

/** Returns the first character of the next token after an offset. */
export const nextCode = (machine: Machine, at: number): number => codeAt(machine, nextToken(machine, at));

/** Returns whether there is a line break between two offsets. */
export function hasLineBreak(machine: Machine, from: number, to: number): boolean {
  const found = findFrom(machine, '\n', from);
  return found !== -1 && found < to;
}
