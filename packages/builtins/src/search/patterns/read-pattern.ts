/** A piece of a regular expression. What a piece means depends on nothing but its text and the flags. */
export type PatternPiece =
  /** Takes one character: `a`, `.`, `\w`, `[a-z]`, `\u0041`. */
  | { readonly kind: 'atom'; readonly text: string }
  /** Takes none: `^`, `$`, `\b`, `\B`. */
  | { readonly kind: 'anchor'; readonly text: string }
  /** Takes what a group took: `\1`, `\k<name>`. */
  | { readonly kind: 'reference'; readonly text: string }
  | { readonly kind: 'open'; readonly text: string; readonly isLook: boolean }
  | { readonly kind: 'close'; readonly text: string }
  | { readonly kind: 'or'; readonly text: string }
  | { readonly kind: 'quantifier'; readonly text: string };

/**
 * Cuts a JavaScript regular expression, one that its engine takes, into pieces. Joined they are the expression again.
 * Undefined where it has something that is not known here, so that it can't be said what it means.
 */
export function readPattern(source: string, flags: string): readonly PatternPiece[] | undefined {
  const pieces: PatternPiece[] = [];
  const isUnicode = flags.includes('u');
  const hasNames = isUnicode || source.includes('(?<');
  for (let index = 0; index < source.length;) {
    const piece = readPiece(source, index, isUnicode, hasNames);
    if (piece === undefined) return undefined;
    pieces.push(piece);
    index += piece.text.length;
  }
  // Without so many groups it is an octal escape: too odd to be worth it.
  const groups = pieces.filter(({ kind, text }) => kind === 'open' && /^\((?:\?<[^=!]|$)/.test(text)).length;
  const isOctal = ({ kind, text }: PatternPiece): boolean => kind === 'reference' && Number(text.slice(1)) > groups;
  return pieces.some(isOctal) ? undefined : pieces;
}

function readPiece(source: string, index: number, isUnicode: boolean, hasNames: boolean): PatternPiece | undefined {
  const character = source[index]!;
  switch (character) {
    case '^':
    case '$':
      return { kind: 'anchor', text: character };
    case '|':
      return { kind: 'or', text: character };
    case ')':
      return { kind: 'close', text: character };
    case '(': {
      const text = /^\((?:\?(?::|=|!|<=|<!|<[\p{ID_Start}$_][\p{ID_Continue}$]*>))?/u.exec(
        source.slice(index, index + 200),
      )![0];
      if (text === '(' && source[index + 1] === '?') return undefined;
      return { kind: 'open', text, isLook: /[=!]$/.test(text) };
    }
    case '[': {
      const end = endOfClass(source, index);
      return end === undefined ? undefined : { kind: 'atom', text: source.slice(index, end + 1) };
    }
    case '*':
    case '+':
    case '?':
      return { kind: 'quantifier', text: character + (source[index + 1] === '?' ? '?' : '') };
    case '{': {
      const counted = /^\{\d+(?:,\d*)?\}\??/.exec(source.slice(index, index + 40));
      return counted ? { kind: 'quantifier', text: counted[0] } : { kind: 'atom', text: character };
    }
    case '\\':
      return readEscape(source, index, isUnicode, hasNames);
    default:
      return { kind: 'atom', text: isUnicode ? String.fromCodePoint(source.codePointAt(index)!) : character };
  }
}

function readEscape(source: string, index: number, isUnicode: boolean, hasNames: boolean): PatternPiece | undefined {
  const rest = source.slice(index, index + 60);
  const anchor = /^\\[bB]/.exec(rest);
  if (anchor) return { kind: 'anchor', text: anchor[0] };
  const reference = /^\\(?:[1-9]\d*)/.exec(rest) ?? (hasNames ? /^\\k<[^>]*>/.exec(rest) : null);
  if (reference) return { kind: 'reference', text: reference[0] };
  const long = isUnicode
    ? /^\\(?:u\{[0-9A-Fa-f]+\}|u[dD][89abAB][0-9A-Fa-f]{2}\\u[dD][c-fC-F][0-9A-Fa-f]{2}|[pP]\{[^}]*\})/.exec(rest)
    : null;
  const known =
    long ?? /^\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|c[A-Za-z]|0(?!\d)|[dDwWsSnrtfv]|[^A-Za-z0-9])/u.exec(rest);
  return known ? { kind: 'atom', text: known[0] } : undefined;
}

/** The index of the bracket that ends a class: the first that has no backslash before it. */
function endOfClass(source: string, open: number): number | undefined {
  for (let index = open + 1; index < source.length; index += 1) {
    if (source[index] === '\\') index += 1;
    else if (source[index] === ']') return index;
  }
  return undefined;
}
