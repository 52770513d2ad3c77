import { possible, unlikely, likely, type Likelihood } from '../lookahead/likelihood.ts';
import { fail, note, startsAt } from '../machine/operations.ts';
import { escapeAt, isCommandAt, nestedEscapeAt } from '../actions/escapes.ts';
import type { Machine, State, StringToken } from '../machine/machine.ts';
import { markAmbiguous } from '../machine/closers.ts';
import { isIn, matchEnd, simpleEscape } from '../text/characters.ts';
import { plainEnd } from '../text/plain-text.ts';
import { isInPath, isWindowsPath } from '../lookahead/windows-path.ts';
import {
  endsAt,
  isCommentToEnd,
  endlessComment,
  lostKeyEnd,
  closedByOther,
  lostAtTextEnd,
  lostKeyAtTextEnd,
} from '../lookahead/string-end.ts';
import { hasOpenEscape, isBeforeRemark, isClosedTwice, isOddEnd, isQuoteOfLast } from '../lookahead/other-quotes.ts';
import { readLostOpener } from '../fixes/lost-opener.ts';
import { endsValueAt } from '../lookahead/follows-at.ts';
import { laidOutEnd } from '../lookahead/laid-out-end.ts';
import { lostValueEnd } from '../lookahead/lost-value-end.ts';
import { rereadString } from '../machine/string-token.ts';
import { cutString, endBefore, finishString } from '../actions/strings.ts';
import * as char from '../text/char.ts';

/** The spelling of common control characters, because a long text may have many of them. */
const writtenControls: Readonly<Record<number, string>> = { 0x09: '\\t', 0x0a: '\\n', 0x0d: '\\r' };

/** From this character on, an escape may be an unescaped backslash: `C:\new`. */
const firstLetter = 0x61;

const closeLength = ({ delimiter }: StringToken): number => delimiter.close?.length ?? 1;

/** The state inside a string. `"pa|th"` */
export function readString(machine: Machine): State | undefined {
  const { token, text } = machine;
  if (token === undefined) return fail(machine, 'a string');
  const [closer, other] = token.delimiter.closers;
  const limit = token.end === -1 ? text.length : token.end;
  let { at } = token;
  // `“text"`, `\"text"`: a plain quote may end the string instead.
  const mayDiffer = token.delimiter.code === 'smart-quotes' || token.delimiter.code === 'escaped-quotes';
  const odd = mayDiffer && token.end === -1 ? char.quote : closer;
  for (;;) {
    let code = char.end;
    if (closer === char.quote && token.end === -1) at = plainEnd(text, at);
    while (at < limit) {
      code = text.charCodeAt(at);
      if (code === closer || code === other || code === char.backslash || code < 0x20 || code === odd) break;
      at += 1;
    }
    token.at = at;
    if (at >= limit)
      return token.end === -1 ? endAtTextEnd(machine, token) : finishString(machine, token, token.end, token.resume);
    const closes = (code === closer || code === other) && startsAt(machine, token.delimiter.close ?? '', at);
    if (machine.needsMore) return undefined;
    if (closes) {
      const length = closeLength(token);
      const likelihood = token.end === -1 ? endsAt(machine, token, at + length, at) : unlikely;
      if (machine.needsMore) return undefined;
      if (likelihood === likely) return finishString(machine, token, at, at + length);
      const again = meetInnerQuote(machine, token, at, likelihood);
      if (again !== undefined || machine.needsMore) return again;
      at += length;
    } else if (code === char.quote && closer !== char.quote) {
      const isFirst = text.indexOf('"', token.begin) === at;
      const ends = isFirst && !isQuoteOfLast(machine, token) && endsAt(machine, token, at + 1, at) === likely;
      if (machine.needsMore) return undefined;
      if (ends) {
        note(machine, 'mismatched-quotes', 'lossy', at, at + 1, token.delimiter.open);
        return finishString(machine, token, at, at + 1);
      }
      at += 1;
    } else if (code === char.backslash && !token.isRaw) {
      const { close } = token.delimiter;
      // Most escapes of a long text are simple. After two characters, one may be the first backslash of a path.
      const next = text.charCodeAt(at + 1);
      const mayBePath = at === token.begin + 2 || text.charCodeAt(at - 1) === char.colon;
      const isSpecial = close !== undefined || token.hasLone || mayBePath;
      const isCommand = !isSpecial && closer === char.quote && isIn('bfnrt', next) && isCommandAt(machine, at);
      if (machine.needsMore) return undefined;
      const simple = isSpecial || isCommand ? undefined : simpleEscape(next);
      if (simple !== undefined) {
        token.text += text.slice(token.run, at) + simple;
        if (next >= firstLetter) token.hasLetters = true;
        at += 2;
        token.run = at;
        continue;
      }
      const after = readOtherEscape(machine, token, at, isCommand);
      if (typeof after !== 'number') return after;
      at = after;
    } else {
      if (code < 0x20 && token.delimiter.isMultiline !== true) {
        const written = writtenControls[code] ?? JSON.stringify(text[at]).slice(1, -1);
        note(machine, 'raw-control', 'safe', at, at + 1, written);
      } else if (code === char.backslash && token.isRaw && token.delimiter.isRaw !== true) {
        note(machine, 'lone-backslash', 'lossy', at, at + 1, '\\');
      }
      at += 1;
    }
  }
}

/**
 * Reads an escape that is not simply one of JSON's. Returns the offset after it. Returns a state if the string has to be
 * read again, and undefined if the text ends.
 */
function readOtherEscape(
  machine: Machine,
  token: StringToken,
  at: number,
  isCommand: boolean,
): number | State | undefined {
  const { text } = machine;
  const { close } = token.delimiter;
  const nested = close === undefined ? undefined : nestedEscapeAt(machine, at, close);
  if (machine.needsMore) return undefined;
  const escape = nested ?? escapeAt(machine, at, token.hasLone || isCommand);
  if (escape === undefined) return machine.ended ? cutString(machine, token) : undefined;
  const { length, repair } = escape;
  const isLone = repair?.code === 'lone-backslash';
  const isPath = isInPath(machine, token, at, isLone);
  if (machine.needsMore) return undefined;
  if (isPath) return rereadString(machine, token, { isRaw: true });
  token.text += text.slice(token.run, at) + escape.text;
  token.run = at + length;
  if (length === 2 && repair === undefined && text.charCodeAt(at + 1) >= firstLetter) token.hasLetters = true;
  if (isLone) token.hasLone = true;
  if (repair !== undefined) note(machine, repair.code, repair.risk, at, at + length, escape.text);
  return at + length;
}

/** Handles a quote that does not end the string: it is part of it, or shows that its closing quote is missing. */
function meetInnerQuote(machine: Machine, token: StringToken, at: number, likelihood: Likelihood): State | undefined {
  const length = closeLength(token);
  if (token.end === -1) {
    const isIntact = !token.isDamaged && !hasOpenEscape(machine, token, at);
    if (isIntact && isClosedTwice(machine, token, at)) {
      rereadString(machine, token, { end: at, resume: at + 2 });
      note(machine, 'stray-quote', 'lossy', at + 1, at + 2, '');
      return 'readString';
    }
    const opened = isIntact ? readLostOpener(machine, token, at) : undefined;
    if (opened !== undefined || machine.needsMore) return opened;
    if (machine.ended && !token.isDamaged && isCommentToEnd(machine.text, at + length))
      return fail(machine, endlessComment, at + length);
    const laidOut = token.isDamaged ? -1 : laidOutEnd(machine, token, at);
    if (machine.needsMore) return undefined;
    if (laidOut !== -1) {
      if (isIntact && isOddEnd(machine, token, at)) markAmbiguous(machine, token.start, true);
      return rereadString(machine, token, { end: laidOut, resume: laidOut + 1, isDamaged: true });
    }
    const lost = token.role === 'key' ? lostKeyEnd(machine, token, at) : lostValueEnd(machine, token, at);
    if (machine.needsMore) return undefined;
    if (lost !== undefined) {
      if (isBeforeRemark(machine.text, token)) markAmbiguous(machine, token.start, true);
      return endBefore(machine, token, lost);
    }
    if (likelihood === possible && token.maybe === -1) {
      token.maybe = at;
      if (!machine.ended) settleBefore(machine, token, at);
    }
    const mayBeProbable = likelihood === possible && token.role === 'value' && token.probable === -1;
    if (mayBeProbable && endsValueAt(machine, at + length, true)) token.probable = at;
    if (machine.needsMore) return undefined;
    if (isIntact && isOddEnd(machine, token, at)) markAmbiguous(machine, token.start, true);
    token.isDamaged = true;
  }
  note(machine, 'inner-quote', 'lossy', at, at + length, '\\"');
  return undefined;
}

/** Up to a quote that may end it, a string is certain, so a stream can show it. */
function settleBefore({ text }: Machine, token: StringToken, at: number): void {
  if (!token.isRaw && isWindowsPath(text, token.begin)) return;
  token.head += token.text + text.slice(token.run, at);
  token.text = '';
  token.run = at;
}

const openerPattern = /"[\s,]*[{[]/y;

/**
 * Reads a string that never ended again, up to the quote that most likely ends it. The following text is read again up to
 * its end, so the number of such ways back is limited.
 */
function guessEnd(machine: Machine, token: StringToken): State {
  const { text } = machine;
  const { maybe, probable } = token;
  machine.backtracks += 1;
  const first = text.indexOf('"', token.begin);
  // With two quotes in it, it may contain a quotation and have been cut.
  machine.hasGuessedEnd ||=
    token.role === 'value' && token.delimiter.code === undefined && text.includes('"', first + 1);
  // `"a",{"b": 1}`: if a container opens directly after the first quote, the closers between them may be missing.
  const isProbable = probable !== -1 && matchEnd(openerPattern, text, first) === -1;
  // Braces before it are still open.
  if (isProbable) markAmbiguous(machine, token.start, true);
  const end = isProbable ? probable : maybe;
  return rereadString(machine, token, { end, resume: end + closeLength(token) });
}

/** Handles a text that ends inside a string. */
function endAtTextEnd(machine: Machine, token: StringToken): State | undefined {
  if (!machine.ended) return undefined;
  if (token.maybe !== -1 && machine.backtracks < machine.limits.backtracks) return guessEnd(machine, token);
  const other = closedByOther(machine, token);
  if (other !== -1) {
    machine.backtracks += 1;
    rereadString(machine, token, { end: other, resume: other + 1 });
    note(machine, 'mismatched-quotes', 'lossy', other, other + 1, token.delimiter.close ?? token.delimiter.open);
    return 'readString';
  }
  const lost = token.role === 'key' ? lostKeyAtTextEnd(machine, token) : lostAtTextEnd(machine, token);
  if (lost !== undefined) {
    rereadString(machine, token, lost);
    // A few closers inside a string without an end prove nothing, so the text is incomplete.
    const isOpen = token.role === 'value' && lost.isProven !== true;
    const isCut = isOpen && machine.stopped !== 'stop';
    if (isOpen) machine.ending = isCut ? 'cut' : 'open';
    note(machine, 'missing-close-quote', isCut ? 'truncated' : 'lossy', lost.resume, lost.resume, '"');
    return 'readString';
  }
  return cutString(machine, token);
}
