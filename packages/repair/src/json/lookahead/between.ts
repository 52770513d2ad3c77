import * as char from '../text/char.ts';
import { isWhitespace } from '../text/characters.ts';
import { codeAt, findFrom, note, type Machine } from '../machine/machine.ts';
import type { RepairRisk } from '../result/repair-result.ts';

/** Something that may stand between two tokens although JSON has no such thing. */
export interface Filler {
  readonly code: string;
  readonly risk: RepairRisk;
  /** Where it ends when it stands at `at`; -1 when something else stands there. `text.length` when it never ends. */
  readonly end: (machine: Machine, at: number) => number;
}

/** `// … ⏎` */
export const lineComment: Filler = {
  code: 'line-comment',
  risk: 'safe',
  end: (machine, at) =>
    codeAt(machine, at) === char.slash && codeAt(machine, at + 1) === char.slash ? lineEnd(machine, at) : -1,
};

/** `# … ⏎` */
export const hashComment: Filler = {
  code: 'hash-comment',
  risk: 'safe',
  end: (machine, at) => (codeAt(machine, at) === char.hash ? lineEnd(machine, at) : -1),
};

/** A slash and a star, up to a star and a slash. */
export const blockComment: Filler = {
  code: 'block-comment',
  risk: 'safe',
  end: (machine, at) => {
    if (codeAt(machine, at) !== char.slash || codeAt(machine, at + 1) !== char.asterisk) return -1;
    const found = findFrom(machine, '*/', at + 2);
    return found === -1 ? machine.text.length : found + 2;
  },
};

/** The two characters `\n`, `\r` or `\t` written where white space is meant. */
export const writtenWhitespace: Filler = {
  code: 'written-whitespace',
  risk: 'safe',
  end: (machine, at) => {
    if (codeAt(machine, at) !== char.backslash) return -1;
    const letter = codeAt(machine, at + 1);
    return letter === 0x6e || letter === 0x72 || letter === 0x74 ? at + 2 : -1;
  },
};

/** No-break space, byte order mark, zero-width and other spaces that JSON does not know. */
export const oddSpace: Filler = {
  code: 'odd-space',
  risk: 'safe',
  end: (machine, at) => {
    let end = at;
    while (isOddSpace(codeAt(machine, end))) end += 1;
    return end === at ? -1 : end;
  },
};

/** Everything that may stand between two tokens, in the order in which it is tried. */
export const fillers: readonly Filler[] = [lineComment, blockComment, hashComment, writtenWhitespace, oddSpace];

function isOddSpace(code: number): boolean {
  if (code < 0x7f) return code === 0x0b || code === 0x0c;
  return (
    code === 0xa0 ||
    code === 0x85 ||
    code === 0xfeff ||
    (code >= 0x2000 && code <= 0x200f) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x2060 ||
    code === 0x3000
  );
}

function lineEnd(machine: Machine, at: number): number {
  const found = findFrom(machine, '\n', at);
  return found === -1 ? machine.text.length : found;
}

/** Whether a character may begin something that stands between tokens and is no white space. */
export function mayBeginFiller(code: number): boolean {
  // Most of what comes between tokens are letters and quotes.
  if (code > char.slash && code < 0x7f) return code === char.backslash;
  return code === char.slash || code === char.hash || code === 0x0b || code === 0x0c || code > 0x7e;
}

/** Moves the cursor over white space and fillers, recording the fillers, and answers the character it comes to. */
export function skipBetween(machine: Machine): number {
  const { text } = machine;
  let { at } = machine;
  for (;;) {
    let code = at < text.length ? text.charCodeAt(at) : codeAt(machine, at);
    while (isWhitespace(code)) {
      at += 1;
      code = at < text.length ? text.charCodeAt(at) : codeAt(machine, at);
    }
    machine.at = at;
    if (!mayBeginFiller(code)) return code;
    const filler = fillers.find((candidate) => candidate.end(machine, at) !== -1);
    if (filler === undefined || machine.needsMore) return code;
    const end = filler.end(machine, at);
    note(machine, filler.code, filler.risk, at, end, '');
    at = end;
  }
}

/** Where the next token begins after `at`, without moving the cursor. A comment that never ends is no comment here. */
export function afterBetween(machine: Machine, at: number): number {
  let end = at;
  for (;;) {
    let code = codeAt(machine, end);
    while (isWhitespace(code)) {
      end += 1;
      code = codeAt(machine, end);
    }
    if (!mayBeginFiller(code)) return end;
    const filled = fillers.reduce((best, filler) => (best === -1 ? filler.end(machine, end) : best), -1);
    if (filled === -1 || (filled >= machine.text.length && code !== char.backslash && code < 0x7f)) return end;
    end = filled;
  }
}

/** Whether a line break stands between two offsets. */
export function hasLineBreak(machine: Machine, from: number, to: number): boolean {
  const found = findFrom(machine, '\n', from);
  return found !== -1 && found < to;
}
