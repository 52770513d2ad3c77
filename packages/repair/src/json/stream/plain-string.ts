import * as char from '../text/char.ts';
import { isHexDigit } from '../text/characters.ts';
import { doubleQuote } from '../text/delimiters.ts';
import type { Machine, StringToken } from '../machine/machine.ts';
import { isWindowsPath } from '../lookahead/windows-path.ts';
import { certainEnd } from './live-string.ts';

/** A string of valid JSON that goes on from push to push. The machine does not see it before it ends. */
export interface PlainString {
  /** Takes a piece, and answers what more is certain of the string. `undefined` for a piece that the machine has to read. */
  readonly take: (piece: string) => string | undefined;
  /** Gives the machine what it has not heard of, as if it had read that itself. */
  readonly leave: () => void;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Whether the machine waits within a string in which nothing has been met yet that valid JSON does not have. */
export function isPlain({ text }: Machine, token: StringToken): boolean {
  const { role, delimiter, isDamaged, maybe, end, text: held, at, begin } = token;
  const isWhole = role === 'value' && delimiter === doubleQuote && !isDamaged && maybe === -1 && end === -1;
  // What may be the drive of a path is not told from other text by its first characters.
  return isWhole && held === '' && at === text.length && at - begin >= 4 && !isWindowsPath(text, begin);
}

/** Reads on in a plain string without the machine: most pieces of a long text need no more than that. */
export function createPlainString(machine: Machine, token: StringToken): PlainString {
  /** What arrived meanwhile, and the end of it that is not certain yet. */
  let arrived = '';
  let rest = machine.text.slice(token.run);
  const isInList = machine.frame?.kind === 'array';
  return {
    take: (piece) => {
      const sight = rest === '' ? piece : rest + piece;
      let taken = '';
      /** Where what has not been taken begins, and where its last character does. */
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
        const escape = length === 2 ? escapes[sight[at + 1] ?? ''] : unicodeAt(sight, at + 2);
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
      // Half a surrogate pair waits for its other half.
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
