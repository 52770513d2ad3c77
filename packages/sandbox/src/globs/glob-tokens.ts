/** One token of a name pattern. */
export type GlobToken =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' }
  | { readonly kind: 'star' }
  | { readonly kind: 'class'; readonly has: (character: string) => boolean };

/** One path segment of a pattern: its tokens, or `**` for any number of segments. */
export type GlobName = '**' | readonly GlobToken[];

/** The parsed segments of a pattern, or the reason why it is invalid. */
export type GlobReading = { readonly names: readonly GlobName[] } | { readonly reason: string };

/** Parses a pattern without braces. A slash inside a character class does not end a segment. */
export function readGlob(pattern: string): GlobReading {
  const names: GlobName[] = [];
  let tokens: GlobToken[] = [];
  let text = '';
  let start = 0;
  const endText = (): void => {
    if (text !== '') tokens.push({ kind: 'text', text });
    text = '';
  };
  const endName = (end: number): void => {
    endText();
    names.push(/^\*{2,}$/.test(pattern.slice(start, end)) ? '**' : tokens);
    tokens = [];
    start = end + 1;
  };

  for (let index = 0; index < pattern.length; index += 1) {
    const character = pattern[index]!;
    if (character === '/') endName(index);
    else if (character === '\\') {
      index += 1;
      if (index >= pattern.length) return { reason: 'it ends in a backslash' };
      if (pattern[index] === '/') {
        endName(index - 1);
        start = index + 1;
      } else text += pattern[index];
    } else if (character === '*') {
      endText();
      if (tokens.at(-1)?.kind !== 'star') tokens.push({ kind: 'star' });
    } else if (character === '?') {
      endText();
      tokens.push({ kind: 'any' });
    } else if (character === '[') {
      const end = findClassEnd(pattern, index);
      if (end === -1) return { reason: 'a bracket is not closed' };
      endText();
      tokens.push({ kind: 'class', has: compileClass(pattern.slice(index + 1, end)) });
      index = end;
    } else text += character;
  }
  endName(pattern.length);
  return { names };
}

/**
 * Returns the index of the bracket that closes the class opened at `open`, or -1. The first character never closes it.
 */
export function findClassEnd(pattern: string, open: number): number {
  let index = open + 1;
  if (pattern[index] === '!' || pattern[index] === '^') index += 1;
  for (let isFirst = true; index < pattern.length; index += 1, isFirst = false) {
    const character = pattern[index];
    if (character === '\\') index += 1;
    else if (pattern.startsWith('[:', index)) {
      const end = pattern.indexOf(':]', index + 2);
      if (end !== -1) index = end + 1;
    } else if (character === ']' && !isFirst) return index;
  }
  return -1;
}

const namedClasses: Readonly<Record<string, RegExp>> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  cntrl: /^[\u0000-\u001F\u007F]$/,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^[ \t\n\v\f\r]$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9A-Fa-f]$/,
};

function compileClass(body: string): (character: string) => boolean {
  const isNegated = body.startsWith('!') || body.startsWith('^');
  const characters = Array.from(isNegated ? body.slice(1) : body);
  const tests: ((character: string) => boolean)[] = [];
  for (let index = 0; index < characters.length; index += 1) {
    const named = /^\[:([a-z]+):\]/.exec(characters.slice(index, index + 12).join(''));
    if (named) {
      const test = namedClasses[named[1]!];
      tests.push((character) => test?.test(character) ?? false);
      index += named[0].length - 1;
      continue;
    }
    if (characters[index] === '\\' && index + 1 < characters.length) index += 1;
    const from = characters[index]!;
    let to = from;
    if (characters[index + 1] === '-' && index + 2 < characters.length) {
      index += characters[index + 2] === '\\' && index + 3 < characters.length ? 3 : 2;
      to = characters[index]!;
    }
    tests.push((character) => isBetween(character, from, to));
  }
  return (character) => tests.some((test) => test(character)) !== isNegated;
}

function isBetween(character: string, from: string, to: string): boolean {
  const point = character.codePointAt(0)!;
  return point >= from.codePointAt(0)! && point <= to.codePointAt(0)!;
}
