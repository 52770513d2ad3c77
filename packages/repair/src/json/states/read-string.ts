import { afterBetween, hashComment } from '../lookahead/between.ts';
import * as char from '../text/char.ts';
import { isNameStart, toNarrow } from '../text/characters.ts';
import { afterSign, isDamagedKeyAt, isValueAt, nameEnd } from '../lookahead/damaged-key.ts';
import { closeForKey } from '../machine/declared-parent.ts';
import { mayOpenString } from '../text/delimiters.ts';
import { escapeAt, simpleEscape } from '../actions/escapes.ts';
import { followAt } from '../lookahead/follow.ts';
import { possible, unlikely, certain, type Likelihood } from '../lookahead/key-at.ts';
import { codeAt, deliver, fail, findFrom, note, startsAt, type Machine, type State } from '../machine/machine.ts';
import { markUncertain } from '../machine/own-closer.ts';
import { plainEnd } from '../text/plain-text.ts';
import { isDeclaredPath, isPathBetween, isWindowsPath } from '../lookahead/windows-path.ts';
import { endOfText } from '../actions/end-of-text.ts';
import { lostValueEnd, trimEnd, type Settled } from '../lookahead/lost-value-end.ts';
import { depthAt, rereadString } from '../machine/string-token.ts';
import { type StringToken } from '../machine/machine.ts';

/** How the most common control characters are written. */
const writtenControls: Readonly<Record<number, string>> = { 0x09: '\\t', 0x0a: '\\n', 0x0d: '\\r' };

/** Inside a string. `"pa|th"` */
export function readString(machine: Machine): State | undefined {
  const { token, text } = machine;
  if (token === undefined) return fail(machine, 'a string');
  const [closer, other] = token.delimiter.closers;
  const limit = token.end === -1 ? text.length : token.end;
  let { at } = token;
  for (;;) {
    let code = char.end;
    if (closer === char.quote && other === char.quote && token.end === -1) at = plainEnd(text, at, char.quote);
    while (at < limit) {
      code = text.charCodeAt(at);
      if (code === closer || code === other || code === char.backslash || code < 0x20) break;
      at += 1;
    }
    token.at = at;
    if (at >= limit)
      return token.end === -1 ? atTextEnd(machine, token) : finish(machine, token, token.end, token.resume);
    const closes = (code === closer || code === other) && isCloserAt(machine, token, at);
    if (machine.needsMore) return undefined;
    if (closes) {
      const length = token.delimiter.close?.length ?? 1;
      const likelihood = token.end === -1 ? endsAt(machine, token, at + length, at) : unlikely;
      if (machine.needsMore) return undefined;
      if (likelihood === certain) return finish(machine, token, at, at + length);
      const again = meetInnerQuote(machine, token, at, length, likelihood);
      if (again !== undefined || machine.needsMore) return again;
      at += length;
    } else if (code === char.backslash && !token.isRaw) {
      const simple = at === token.begin + 2 ? undefined : simpleEscape(text.charCodeAt(at + 1));
      if (simple !== undefined) {
        token.text += text.slice(token.run, at) + simple;
        if (isLetter(text.charCodeAt(at + 1))) token.hasLetters = true;
        at += 2;
        token.run = at;
        continue;
      }
      const escape = escapeAt(machine, at);
      if (escape === undefined) return machine.ended ? cut(machine, token) : undefined;
      const isFirst = at === token.begin + 2;
      const isPath =
        (escape.repair?.code === 'lone-backslash' && isPathUpToQuote(machine, token)) ||
        (isFirst && token.role === 'value' && isDeclaredPath(machine, token.begin));
      if (machine.needsMore) return undefined;
      if (isPath) {
        rereadString(machine, token, { isRaw: true });
        return 'readString';
      }
      token.text += text.slice(token.run, at) + escape.text;
      if (escape.length === 2 && escape.repair === undefined && isLetter(text.charCodeAt(at + 1)))
        token.hasLetters = true;
      if (escape.repair?.code === 'lone-backslash') token.hasLone = true;
      if (escape.repair) note(machine, escape.repair.code, escape.repair.risk, at, at + escape.length, escape.text);
      at += escape.length;
      token.run = at;
    } else {
      if (code < 0x20 && token.delimiter.isMultiline !== true) {
        note(
          machine,
          'raw-control',
          'safe',
          at,
          at + 1,
          writtenControls[code] ?? JSON.stringify(text[at]).slice(1, -1),
        );
      } else if (code === char.backslash && token.isRaw && token.delimiter.isRaw !== true) {
        note(machine, 'lone-backslash', 'lossy', at, at + 1, '\\');
      }
      at += 1;
    }
  }
}

/** Whether the string begins with a Windows path, or has one in it and no other backslashes up to its closing quote. */
function isPathUpToQuote(machine: Machine, token: StringToken): boolean {
  const { text } = machine;
  const { begin, delimiter, end } = token;
  if (isWindowsPath(text, begin)) return true;
  // A stream has shown what the escapes before stand for.
  const hasEscapes = token.head.length + token.text.length !== token.run - begin;
  if (hasEscapes && !machine.ended) return false;
  const quote = end === -1 ? findFrom(machine, delimiter.close ?? delimiter.open, begin) : end;
  return quote !== -1 && text.charCodeAt(quote - 1) !== char.backslash && isPathBetween(text, begin, quote);
}

function isCloserAt(machine: Machine, token: StringToken, at: number): boolean {
  const { close } = token.delimiter;
  return close === undefined || startsAt(machine, close, at);
}

/** Whether the string ends at the quote at `at`, judged by what comes at `after`. */
function endsAt(machine: Machine, token: StringToken, after: number, at: number): Likelihood {
  if (token.role === 'key') return keyEndsAt(machine, token, after, at);
  // `"board (4")"`: what the text has opened is closed in it.
  if (codeAt(machine, after) === char.closeParen && isParenthesisOpen(machine, token, at)) return unlikely;
  const likelihood = followAt(machine, after, machine.frames.length - 1, token.isDamaged);
  // Glued to a quote, `#` is more likely text than a comment.
  if (likelihood === certain && machine.text.charCodeAt(after) === char.hash && !hasHashComments(machine))
    return possible;
  // Text with quotes of its own is often code: inside its braces a comma or brace is the code's, not the document's.
  return likelihood === certain && token.isDamaged && depthAt(machine, token, at) > 0 ? possible : likelihood;
}

/** What is missing where a comment takes the rest of the text along. */
export const endlessComment = 'a line break behind the comment';

const commentPattern = /[ \t]+(?:\/\/|# )[^\n]*[}\]][^\n]*$/y;

/** `"b" // note }`: a comment that takes the closers along, since no line ends it. */
function isCommentToEnd(text: string, at: number): boolean {
  commentPattern.lastIndex = at;
  return commentPattern.test(text);
}

/** Whether more parentheses are opened than closed in a string up to an offset. */
function isParenthesisOpen({ text }: Machine, { begin }: StringToken, at: number): boolean {
  const content = text.slice(Math.max(begin, at - 1_000), at);
  return content.split('(').length > content.split(')').length;
}

function hasHashComments({ repairs }: Machine): boolean {
  return repairs.slice(-8).some(({ code }) => code === hashComment.code);
}

function keyEndsAt(machine: Machine, token: StringToken, after: number, quoteAt: number): Likelihood {
  const at = afterBetween(machine, after);
  const code = toNarrow(codeAt(machine, at));
  if (code === char.colon || code === char.end) return certain;
  if (hasSignBefore(machine, token, quoteAt)) return possible;
  if (code === char.equals) return certain;
  if (code === machine.frame?.closer || code === char.comma) return possible;
  if (at > after && (isNameStart(code) || mayOpenString(code) || code === char.openParen)) return certain;
  if (at > after) return isValueAt(machine, at) ? certain : possible;
  // `"key"1`, `"key""text"`
  return isValueAt(machine, at) && nameEnd(machine, token.begin) === quoteAt ? certain : possible;
}

/** `"path: "`, `"tags = ["`: a name, a sign, and then nothing but what opens a value: this quote opens one in it. */
function hasSignBefore(machine: Machine, token: StringToken, quoteAt: number): boolean {
  const name = nameEnd(machine, token.begin);
  let at = name === token.begin ? -1 : afterSign(machine, name);
  if (at === -1 || at > quoteAt) return false;
  while (at < quoteAt && ' \t\r\n[{［｛'.includes(machine.text[at] ?? 'x')) at += 1;
  return at === quoteAt;
}

/** A quote that does not end the string: part of it, or the sign that its own closing quote is missing. */
function meetInnerQuote(
  machine: Machine,
  token: StringToken,
  at: number,
  length: number,
  likelihood: Likelihood,
): State | undefined {
  if (token.end === -1) {
    if (machine.ended && !token.isDamaged && isCommentToEnd(machine.text, at + length))
      return fail(machine, endlessComment, at + length);
    const lost = token.role === 'key' ? lostKeyEnd(machine, token, at) : lostValueEnd(machine, token, at);
    if (machine.needsMore) return undefined;
    if (lost !== undefined) {
      if (isFolder(machine, token, lost.end)) {
        rereadString(machine, token, { end: lost.end - 1, resume: lost.end, isRaw: true });
        return 'readString';
      }
      rereadString(machine, token, lost);
      note(machine, 'missing-close-quote', 'lossy', lost.end, lost.end, token.delimiter.close ?? '"');
      return 'readString';
    }
    if (likelihood === possible && token.maybe === -1) {
      token.maybe = at;
      if (!machine.ended) settleBefore(machine, token, at);
    }
    token.isDamaged = true;
  }
  note(machine, 'inner-quote', 'lossy', at, at + length, '\\"');
  return undefined;
}

/** `C:\temp\"`: the backslash before the last quote is the end of a path and escapes nothing. */
function isFolder({ text }: Machine, token: StringToken, end: number): boolean {
  if (token.role === 'key' || !text.startsWith('\\"', end - 2)) return false;
  return isPathBetween(text, token.begin, end - 1);
}

/** Up to a quote that may end it, a string is what it is: a stream can show that much. */
function settleBefore({ text }: Machine, token: StringToken, at: number): void {
  if (!token.isRaw && isWindowsPath(text, token.begin)) return;
  token.head += token.text + text.slice(token.run, at);
  token.text = '';
  token.run = at;
}

/** `"path: "a"`: a name and a colon stand before the first quote of what should be a key. */
function lostKeyEnd(machine: Machine, token: StringToken, at: number): Settled | undefined {
  if (token.isDamaged) return undefined;
  const { text, begin } = { text: machine.text, begin: token.begin };
  const name = nameEnd(machine, begin);
  const colon = afterSign(machine, name) === -1 ? text.slice(begin, at).indexOf(':') : name - begin;
  if (colon === -1) return undefined;
  const end = trimEnd(text, begin + colon);
  // `'path": 1`: it ends in a quote of another kind.
  const quote = Number(token.delimiter.code !== undefined && text[end - 1] === '"' && end - 1 > begin);
  return end > begin ? { end: end - quote, resume: end } : undefined;
}

/** The text ended before the string did. */
function atTextEnd(machine: Machine, token: StringToken): State | undefined {
  if (!machine.ended) return undefined;
  if (token.maybe !== -1 && machine.backtracks < machine.limits.backtracks) {
    // What comes after is read again, up to the end of the text: the one way back whose number has to be bounded.
    machine.backtracks += 1;
    const length = token.delimiter.close?.length ?? 1;
    rereadString(machine, token, { end: token.maybe, resume: token.maybe + length });
    return 'readString';
  }
  const other = closedByOther(machine, token);
  if (other !== -1) {
    machine.backtracks += 1;
    rereadString(machine, token, { end: other, resume: other + 1 });
    note(machine, 'mismatched-quotes', 'lossy', other, other + 1, token.delimiter.close ?? token.delimiter.open);
    return 'readString';
  }
  const lost = token.role === 'key' ? lostKeyAtTextEnd(machine, token) : lostAtTextEnd(machine, token);
  if (lost !== undefined) {
    rereadString(machine, token, { ...lost, isRaw: token.isRaw || lost.resume > lost.end });
    // Closers inside a string that never ended prove nothing: such a text is whole for nobody.
    const isOpen = token.role !== 'key';
    if (isOpen) machine.ending = machine.stopped ? 'open' : 'cut';
    note(machine, 'missing-close-quote', isOpen && !machine.stopped ? 'truncated' : 'lossy', lost.end, lost.end, '"');
    return 'readString';
  }
  return cut(machine, token);
}

/** `'text"`: where a string ends that no quote of its own kind does, but a double one; -1 when none does either. */
function closedByOther(machine: Machine, token: StringToken): number {
  const { delimiter, begin, end, role } = token;
  if (end !== -1 || delimiter.code === undefined || delimiter.open.length > 1) return -1;
  if (machine.backtracks >= machine.limits.backtracks) return -1;
  const quote = findFrom(machine, '"', begin);
  if (quote === -1 || quote - begin > 1_000) return -1;
  const level = machine.frames.length - 1;
  const isEnd =
    role === 'key'
      ? toNarrow(codeAt(machine, afterBetween(machine, quote + 1))) === char.colon
      : followAt(machine, quote + 1, level, false) === certain;
  return isEnd ? quote : -1;
}

/** `"count: 20}`: a name, a colon and a value, and then every closer that is due. A cut key can hold no closers. */
function lostKeyAtTextEnd(machine: Machine, token: StringToken): Settled | undefined {
  if (token.end !== -1 || !isDamagedKeyAt(machine, token.start)) return undefined;
  const last = beforeDueClosers(machine, token);
  return last === -1 ? undefined : lostKeyEnd(machine, token, last);
}

/**
 * `"hello⏎}`: every closer that is due stands at the end of the text and only the quote is missing. A cut string can end
 * in the same way, so it counts only on a line of its own, which no valid string has, or when the model stopped by itself.
 */
function lostAtTextEnd(machine: Machine, token: StringToken): Settled | undefined {
  const { text } = machine;
  const end = token.end === -1 ? beforeDueClosers(machine, token) : -1;
  if (end === -1) return undefined;
  const last = trimEnd(text, end);
  if (isFolder(machine, token, last)) return { end: last - 1, resume: last };
  const isOwnLine = text.slice(last, end).includes('\n');
  if (last < token.begin || (!isOwnLine && !machine.stopped)) return undefined;
  return { end: last, resume: last };
}

/** Where the closers begin that end the text, when they are all that are due; -1 when they are not. */
function beforeDueClosers({ text, frames }: Machine, token: StringToken): number {
  let end = text.length;
  for (const frame of frames) {
    end = trimEnd(text, end);
    if (end <= token.begin || text.charCodeAt(end - 1) !== frame.closer) return -1;
    end -= 1;
  }
  return frames.length === 0 ? -1 : end;
}

function cut(machine: Machine, token: StringToken): State | undefined {
  const { text } = machine;
  machine.token = undefined;
  machine.at = text.length;
  if (token.role === 'key') return endOfText(machine, 'cut');
  let content = token.head + token.text + text.slice(token.run, token.at);
  // Half a surrogate pair is half a character.
  const final = content.charCodeAt(content.length - 1);
  if (final >= 0xd800 && final < 0xdc00) content = content.slice(0, -1);
  deliver(machine, content, token.start);
  return endOfText(machine, 'cut', 'cut-string', token.start);
}

/** Whether an escape is one of those that a backslash which was meant as itself makes by likelihood: `C:\new`. */
function isLetter(code: number): boolean {
  return code >= 0x61;
}

function finish(machine: Machine, token: StringToken, end: number, resume: number): State | undefined {
  const content =
    token.run === token.begin && token.text === '' && token.head === ''
      ? machine.text.slice(token.begin, end)
      : token.head + token.text + machine.text.slice(token.run, end);
  machine.token = undefined;
  machine.at = resume;
  // Where some backslashes were not doubled, the others may not have been either.
  const isMixed = token.hasLetters && (token.hasLone || isWindowsPath(machine.text, token.begin));
  if (isMixed) note(machine, 'mixed-escapes', 'lossy', token.begin, end, '');
  if (token.delimiter.code !== undefined) note(machine, token.delimiter.code, 'safe', token.start, resume, '"');
  if (token.role === 'key') {
    // A key with quotes inside has most likely run over what comes after it.
    if (token.isDamaged) markUncertain(machine, token.start, true);
    closeForKey(machine, content, token.start);
    if (machine.frame !== undefined) machine.frame.key = content;
    return 'afterKey';
  }
  if (token.isDamaged || token.end !== -1) markUncertain(machine, token.start, false);
  deliver(machine, content, token.start);
  machine.last = 'string';
  machine.lastStart = token.start;
  return machine.failure === undefined ? 'afterValue' : undefined;
}
