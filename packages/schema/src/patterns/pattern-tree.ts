/** Code points from `low` to `high`. */
export type CharacterRange = readonly [low: number, high: number];

/**
 * A regular expression. In a set, `source` is its text, and `ranges` is an upper bound of its characters. `start` is an
 * index of the text, or -1 for an added node.
 */
export type PatternTree =
  | { readonly kind: 'empty' }
  | {
      readonly kind: 'set';
      readonly ranges: readonly CharacterRange[];
      readonly source: string;
      readonly start: number;
    }
  | { readonly kind: 'assertion'; readonly sort: 'start' | 'end' | 'word' | 'inside'; readonly start: number }
  | { readonly kind: 'look'; readonly isNegated: boolean; readonly part: PatternTree }
  | { readonly kind: 'sequence'; readonly parts: readonly PatternTree[] }
  | { readonly kind: 'choice'; readonly parts: readonly PatternTree[] }
  | { readonly kind: 'repeat'; readonly part: PatternTree; readonly least: number; readonly most: number };

const last = 0x10ffff;
const any: readonly CharacterRange[] = [[0, last]];
const digits: readonly CharacterRange[] = [[48, 57]];
const word: readonly CharacterRange[] = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
const space: readonly CharacterRange[] = [
  [9, 13],
  [32, 32],
  [160, 160],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];
// A Unicode property counts as all letters, digits and non-ASCII characters, so no overlap is missed.
const property: readonly CharacterRange[] = [...word, [128, last]];

/** A parsed regular expression. */
export interface ParsedPattern {
  readonly tree: PatternTree;
  /** The contents of lookarounds. Each runs separately. */
  readonly lookarounds: readonly PatternTree[];
  /** Whether it contains a back reference. */
  readonly hasReference: boolean;
  readonly hasLookbehind: boolean;
  /** Whether a group changes flags: `(?i:a)`. */
  readonly hasModifier: boolean;
}

/** Parses a regular expression that `RegExp` has already accepted. */
export function parsePattern(pattern: string): ParsedPattern {
  const lookarounds: PatternTree[] = [];
  let hasReference = false;
  let hasLookbehind = false;
  let hasModifier = false;
  let at = 0;

  function parseChoice(): PatternTree {
    const parts = [parseSequence()];
    while (pattern[at] === '|') {
      at += 1;
      parts.push(parseSequence());
    }
    return parts.length === 1 ? (parts[0] as PatternTree) : { kind: 'choice', parts };
  }

  function parseSequence(): PatternTree {
    const parts: PatternTree[] = [];
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') parts.push(parseRepeat());
    return { kind: 'sequence', parts };
  }

  function parseRepeat(): PatternTree {
    const part = parseAtom();
    const bounds = /^(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})\??/.exec(pattern.slice(at, at + 40));
    if (bounds === null) return part;
    at += bounds[0].length;
    const [, sign, low, comma, high] = bounds;
    if (sign !== undefined) {
      return { kind: 'repeat', part, least: sign === '+' ? 1 : 0, most: sign === '?' ? 1 : Infinity };
    }
    const least = Number(low);
    const most = comma === undefined ? least : high === '' ? Infinity : Number(high);
    return { kind: 'repeat', part, least, most };
  }

  function parseAtom(): PatternTree {
    const character = pattern[at] as string;
    switch (character) {
      case '(':
        return parseGroup();
      case '[':
        return parseSet(parseClass);
      case '\\':
        return parseEscape();
      case '^':
      case '$':
        return { kind: 'assertion', sort: character === '^' ? 'start' : 'end', start: at++ };
      default:
        return parseSet(() => {
          const itself = readClassMember();
          return character === '.' ? any : itself;
        });
    }
  }

  function parseSet(read: () => readonly CharacterRange[]): PatternTree {
    const start = at;
    const ranges = read();
    return { kind: 'set', ranges, source: pattern.slice(start, at), start };
  }

  function parseGroup(): PatternTree {
    const opening = /^\((?:\?(?:[:=!]|<[=!]|<[^>]*>|[a-z-]*:))?/.exec(pattern.slice(at, at + 200));
    at += opening?.[0].length ?? 1;
    const inner = parseChoice();
    at += 1;
    const look = /^\(\?(<?)([=!])$/.exec(opening?.[0] ?? '');
    if (/^\(\?[a-z-]+:$/.test(opening?.[0] ?? '')) hasModifier = true;
    if (look === null) return inner;
    lookarounds.push(inner);
    if (look[1] === '<') hasLookbehind = true;
    return { kind: 'look', isNegated: look[2] === '!', part: inner };
  }

  function parseEscape(): PatternTree {
    const next = pattern[at + 1] ?? '';
    if (next === 'b' || next === 'B') {
      at += 2;
      return { kind: 'assertion', sort: next === 'b' ? 'word' : 'inside', start: at - 2 };
    }
    if (/[1-9k]/.test(next)) {
      hasReference = true;
      // A back reference counts as any number of any characters, because its text is unknown here.
      at += /^\\(?:\d+|k<[^>]*>|k)/.exec(pattern.slice(at, at + 200))?.[0].length ?? 2;
      return { kind: 'repeat', part: { kind: 'set', ranges: any, source: '.', start: -1 }, least: 0, most: Infinity };
    }
    return parseSet(readEscapedSet);
  }

  function parseClass(): readonly CharacterRange[] {
    at += 1;
    const isNegated = pattern[at] === '^';
    if (isNegated) at += 1;
    const ranges: CharacterRange[] = [];
    while (at < pattern.length && pattern[at] !== ']') {
      const from = readClassMember();
      const low = from.length === 1 && from[0]?.[0] === from[0]?.[1] ? from[0]?.[0] : undefined;
      if (low !== undefined && pattern[at] === '-' && pattern[at + 1] !== ']') {
        at += 1;
        const to = readClassMember();
        ranges.push([low, to[0]?.[1] ?? low]);
      } else {
        ranges.push(...from);
      }
    }
    at += 1;
    return isNegated ? invert(ranges) : ranges;
  }

  function readClassMember(): readonly CharacterRange[] {
    if (pattern[at] === '\\') return readEscapedSet();
    const code = pattern.codePointAt(at) as number;
    at += code > 0xffff ? 2 : 1;
    return [[code, code]];
  }

  function readEscapedSet(): readonly CharacterRange[] {
    const rest = pattern.slice(at, at + 80);
    const named = /^\\([pP])\{[^}]*\}/.exec(rest);
    const coded = /^\\(?:u\{([0-9a-fA-F]+)\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|c([A-Za-z]))/.exec(rest);
    at += named?.[0].length ?? coded?.[0].length ?? 2;
    if (named !== null) return named[1] === 'P' ? any : property;
    if (coded !== null) {
      const hex = coded[1] ?? coded[2] ?? coded[3];
      const code = hex === undefined ? (coded[4] as string).charCodeAt(0) % 32 : Number.parseInt(hex, 16);
      return [[code, code]];
    }
    return escapedSet(rest[1] ?? '');
  }

  return { tree: parseChoice(), lookarounds, hasReference, hasLookbehind, hasModifier };
}

function escapedSet(letter: string): readonly CharacterRange[] {
  switch (letter) {
    case 'd':
      return digits;
    case 'D':
      return invert(digits);
    case 'w':
      return word;
    case 'W':
      return invert(word);
    case 's':
      return space;
    case 'S':
      return invert(space);
    default: {
      const control = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 }[letter] ?? letter.charCodeAt(0);
      return [[control, control]];
    }
  }
}

function invert(ranges: readonly CharacterRange[]): readonly CharacterRange[] {
  const inverted: CharacterRange[] = [];
  let next = 0;
  for (const [low, high] of [...ranges].sort((left, right) => left[0] - right[0])) {
    if (low > next) inverted.push([next, low - 1]);
    next = Math.max(next, high + 1);
  }
  if (next <= last) inverted.push([next, last]);
  return inverted;
}
