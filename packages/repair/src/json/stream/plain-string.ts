import * as char from '../text/char.ts';
import { isHexDigit, simpleEscape } from '../text/characters.ts';
import { doubleQuote } from '../text/delimiters.ts';
import type { Machine, StringToken } from '../machine/machine.ts';
import { isWindowsPath } from '../lookahead/windows-path.ts';
import { certainEnd } from './live-string.ts';

/** A valid JSON string that continues from push to push. The machine sees it only at its end. */
export interface PlainString {
  /**
   * Receives a chunk, and returns the additional certain text. Returns `undefined` for a chunk that the machine has to
   * read.
   */
  readonly take: (piece: string) => string | undefined;
  /** Passes text to the machine that it has not read yet. */
  readonly leave: () => void;
}

/** Returns whether the machine waits inside a string that is valid JSON so far. */
export function isPlain({ text }: Machine, token: StringToken): boolean {
  const { role, delimiter, isDamaged, maybe, end, text: held, at, begin } = token;
  const isWhole = role === 'value' && delimiter === doubleQuote && !isDamaged && maybe === -1 && end === -1;
  // The first characters do not distinguish the drive of a path from other text.
  return isWhole && held === '' && at === text.length && at - begin >= 4 && !isWindowsPath(text, begin);
}

/** Continues in a plain string without the machine, which suffices for most chunks of a long text. */
export function createPlainString(machine: Machine, token: StringToken): PlainString {
  /** The text that has arrived, and its end that is not certain yet. */
  let arrived = '';
  let rest = machine.text.slice(token.run);
  const isInList = machine.frame?.kind === 'array';
  return {
    take: (piece) => {
      const sight = rest === '' ? piece : rest + piece;
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
        if (escape === undefined) return undefined;
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
      const final = taken.charCodeAt(taken.length - 1);
      // Half of a surrogate pair waits for its other half.
      const isHalf = final >= 0xd800 && final < 0xdc00;
      arrived += piece;
      rest = sight.slice(isHalf ? last : Math.max(run, end));
      if (isHalf) taken = taken.slice(0, -1);
      token.head += taken;
      return taken;
    },
    leave: () => {
      machine.text += arrived;
      token.run = machine.text.length - rest.length;
      token.at = token.run;
    },
  };
}

function unicodeAt(text: string, at: number): string | undefined {
  for (let index = at; index < at + 4; index += 1) if (!isHexDigit(text.charCodeAt(index))) return undefined;
  return String.fromCharCode(Number.parseInt(text.slice(at, at + 4), 16));
}
