import * as char from '../text/char.ts';
import type { Machine, StringToken } from '../machine/machine.ts';
import { mayBeCommand } from '../actions/escapes.ts';
import { isWindowsPath } from '../lookahead/windows-path.ts';
import { isHexDigit, isIn, simpleEscape, fromHex, wholeEnd } from '../text/characters.ts';
import { doubleQuote } from '../text/delimiters.ts';

const reach = 256;

/**
 * Returns the certain part of an unfinished string: decoded, and unchanged whatever follows. Text that could still turn
 * out to come after the string, such as a comma and a line break, is left for later.
 */
export function takeCertain(machine: Machine, token: StringToken): string {
  if (token.end !== -1 || token.maybe !== -1) return '';
  if (!token.isRaw && isWindowsPath(machine.text, token.begin)) return takeDrive(machine, token);
  const end = certainEnd(machine.text, token.run, token.at, machine.frame?.kind === 'array');
  const text = token.text + machine.text.slice(token.run, end);
  const added = text.slice(0, wholeEnd(text));
  token.head += added;
  token.text = text.slice(added.length);
  token.run = end;
  return added;
}

/** The drive of a possible path, whose backslashes may turn out not to be escapes. */
function takeDrive({ text }: Machine, token: StringToken): string {
  const missing = 2 - token.head.length;
  if (missing <= 0 || token.prefix !== '') return '';
  let added = token.text.slice(0, missing);
  token.text = token.text.slice(missing);
  if (added === '') {
    added = text.slice(token.run, token.run + missing);
    token.run += missing;
  }
  token.head += added;
  return added;
}

/** Returns the start of the closers, commas, other quotes and white space at the end of a text; in a list, also of scalars. */
export function certainEnd(text: string, from: number, to: number, isInList: boolean): number {
  const least = Math.max(from, to - reach);
  let end = to;
  while (end > least && ` \t\r\n,]}{\u201d'`.includes(text[end - 1] ?? 'x')) end -= 1;
  if (!isInList) return end;
  let comma = end;
  for (let at = to; at > least && isScalarPart(text.charCodeAt(at - 1)); at -= 1) {
    if (text[at - 1] === ',') comma = at - 1;
  }
  while (comma > least && ' \t\r\n'.includes(text[comma - 1] ?? 'x')) comma -= 1;
  return Math.min(end, comma);
}

/** A letter, a digit, white space, or a sign in or after a number. */
function isScalarPart(code: number): boolean {
  const isLetter = code >= 0x61 && code <= 0x7a;
  return isLetter || code <= char.space || (code >= char.plus && code <= char.nine) || isIn(']}{', code);
}

/** A valid JSON string that continues from push to push. The machine sees it only at its end. */
export interface PlainString {
  /** Returns the certain text of a chunk, or `undefined` for a chunk that the machine has to read. */
  readonly take: (chunk: string) => string | undefined;
  /** Passes text to the machine that it has not read yet. */
  readonly flush: () => void;
}

/** Number of characters from which on a string continues without the machine. For a short one, the change takes longer. */
const minPlain = 64;

/** Returns whether the machine waits inside a long string that is valid JSON so far. */
export function isPlain({ text }: Machine, token: StringToken): boolean {
  const { role, delimiter, isDamaged, hasLone, maybe, end, text: held, at, begin } = token;
  const isWhole = role === 'value' && delimiter === doubleQuote && !isDamaged && maybe === -1 && end === -1;
  const isLong = at === text.length && at - begin >= minPlain;
  return isWhole && !hasLone && held === '' && isLong && !isWindowsPath(text, begin);
}

/** Continues in a plain string without the machine, which suffices for most chunks of a long text. */
export function createPlainString(machine: Machine, token: StringToken): PlainString {
  /** The text that has arrived, and its end that is not certain yet. */
  let arrived = '';
  let rest = machine.text.slice(token.run);
  const isInList = machine.frame?.kind === 'array';
  return {
    take: (chunk) => {
      const sight = rest + chunk;
      let taken = '';
      /** The offsets of the text that was not returned yet, and of its last character. */
      let run = 0;
      let last = 0;
      let at = 0;
      while (at < sight.length) {
        const code = sight.charCodeAt(at);
        if (code === char.quote || code < 0x20) return undefined;
        if (code !== char.backslash) {
          at += 1;
          continue;
        }
        const length = sight[at + 1] === 'u' ? 6 : 2;
        if (at + length > sight.length) break;
        const escape = length === 2 ? simpleEscape(sight.charCodeAt(at + 1)) : unicodeAt(sight, at + 2);
        if (escape === undefined || (length === 2 && mayBeCommand(sight, at))) return undefined;
        taken += sight.slice(run, at) + escape;
        last = at;
        at += length;
        run = at;
      }
      const end = certainEnd(sight, run, at, isInList);
      if (end > run) {
        taken += sight.slice(run, end);
        last = end - 1;
      }
      const whole = taken.slice(0, wholeEnd(taken));
      arrived += chunk;
      rest = sight.slice(whole === taken ? Math.max(run, end) : last);
      token.head += whole;
      return whole;
    },
    flush: () => {
      machine.text += arrived;
      token.run = machine.text.length - rest.length;
      token.at = token.run;
    },
  };
}

function unicodeAt(text: string, at: number): string | undefined {
  for (let index = at; index < at + 4; index += 1) if (!isHexDigit(text.charCodeAt(index))) return undefined;
  return fromHex(text.slice(at, at + 4));
}
