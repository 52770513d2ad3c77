import { isWindowsPath } from '../lookahead/windows-path.ts';
import type { LostEnd } from '../lookahead/lost-value-end.ts';
import { beginMember } from './members.ts';
import { markAmbiguous } from '../machine/closers.ts';
import type { Machine, State, StringToken } from '../machine/machine.ts';
import { deliver, finishValue, note } from '../machine/operations.ts';
import { rereadString } from '../machine/string-token.ts';
import { wholeEnd } from '../text/characters.ts';
import { doubledQuote } from '../text/delimiters.ts';
import { endOfText } from './closing.ts';
import { keyOf } from './escapes.ts';

/** Ends a string without its closing quote, or with a quote of another kind. */
export function endBefore(machine: Machine, token: StringToken, lost: LostEnd): State {
  const { end, resume, isRaw } = lost;
  rereadString(machine, token, lost);
  const code = token.role === 'value' && resume > end ? 'mismatched-quotes' : 'missing-close-quote';
  // The quote after the last backslash of a path is its own.
  if (isRaw !== true) note(machine, code, 'lossy', end, resume, token.delimiter.close ?? '"');
  return 'readString';
}

/** Returns the decoded content up to an offset. */
function contentTo({ text }: Machine, token: StringToken, end: number): string {
  return token.head + token.text + text.slice(token.run, end);
}

/** Ends a string at the end of the text, which cut it. */
export function cutString(machine: Machine, token: StringToken): State | undefined {
  const { text } = machine;
  machine.token = undefined;
  machine.at = text.length;
  if (token.role === 'key') return endOfText(machine, 'cut');
  const content = contentTo(machine, token, token.at);
  deliver(machine, content.slice(0, wholeEnd(content)), token.start);
  return endOfText(machine, 'cut', 'cut-string', token.start);
}

/** Ends a string, and adds it as a key or a value. */
export function finishString(machine: Machine, token: StringToken, end: number, resume: number): State | undefined {
  const content = contentTo(machine, token, end);
  machine.token = undefined;
  machine.at = resume;
  // If some backslashes were not escaped, the others may not have been either.
  const isMixed = token.hasLetters && (token.hasLone || isWindowsPath(machine.text, token.begin));
  if (isMixed) note(machine, 'mixed-escapes', 'lossy', token.begin, end, '');
  const { code } = token.delimiter;
  const isDoubled = token.delimiter === doubledQuote;
  if (token.role === 'key' && isDoubled) machine.doubledQuotes = 'delimiters';
  if (token.role === 'value' && token.isDamaged) machine.doubledQuotes ??= 'quotation';
  if (code !== undefined) {
    // One of the two pairs may belong to the text.
    const risk = isDoubled && machine.doubledQuotes !== 'delimiters' ? 'lossy' : 'safe';
    note(machine, code, risk, token.start, resume, '"');
  }
  if (token.role === 'key') {
    // A key with inner quotes probably includes the text after it.
    const key = token.end === -1 ? keyOf(machine, token, content) : content;
    if (token.isDamaged && machine.frame?.shape?.hasMember(key) !== true) markAmbiguous(machine, token.start, true);
    return beginMember(machine, key, token.start);
  }
  if (token.isDamaged || token.end !== -1) markAmbiguous(machine, token.start, endsInNext(content));
  return finishValue(machine, content, 'string', token.start, resume);
}

/** `"x",","b": 1`: returns whether a text probably includes the quote and the comma after it, because its quotes are no pairs. */
const endsInNext = (content: string): boolean => content.endsWith('",') && content.split('"').length % 2 === 0;
