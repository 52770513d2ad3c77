import { execAt, matchEnd } from '../../json/text/characters.ts';

// Maximum match length of a pattern without unbounded repetition.
const maxMatchLength = 4_096;
const beginnings = new WeakMap<RegExp, RegExp | null>();

/** Returns whether more text could complete or extend the match of a sticky pattern. */
export function beginsMatch(pattern: RegExp, text: string, at: number): boolean {
  if (text.length - at > maxMatchLength) return false;
  let beginning = beginnings.get(pattern);
  if (beginning === undefined) {
    beginning = beginningOf(pattern);
    beginnings.set(pattern, beginning);
  }
  if (beginning === null) return true;
  return matchEnd(beginning, text, at) !== -1;
}

/** Returns a pattern that matches every beginning of a match up to the end of the text, or null if it is unknown. */
function beginningOf(pattern: RegExp): RegExp | null {
  const reader: Reader = { source: pattern.source, at: 0 };
  const choices = readChoices(reader);
  return choices === undefined ? null : new RegExp(choices, pattern.flags);
}

interface Reader {
  readonly source: string;
  at: number;
}

// A class, an escape or a literal character. Anchors and other groups are not supported.
const atomPattern = /\[(?:\\.|[^\]\\])*\]|\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[^1-9k])|[^^$?*+()|\\]/iy;
const repeatPattern = /(?:[?*+]|\{\d+(?:,\d*)?\})\??/y;
const groupPattern = /\((?:\?(?:[:=!]|<[A-Za-z]\w*>))?/y;

/**
 * Reads alternatives up to a closing parenthesis, and returns the pattern of their beginnings. The text ends before a
 * part, within it, or in a later part. A part that matched completely can't become longer.
 */
function readChoices(reader: Reader): string | undefined {
  const { source } = reader;
  let choices = '(?:';
  let end = '(?!)';
  for (;;) {
    const sign = source[reader.at] ?? ')';
    if (sign === ')') return `${choices}${end})`;
    if (sign === '|') {
      reader.at += 1;
      choices += `${end}|`;
      end = '(?!)';
      continue;
    }
    const group = take(reader, groupPattern);
    let atom = group ?? take(reader, atomPattern);
    let within: string | undefined = '$';
    if (group !== undefined) {
      const from = reader.at;
      within = readChoices(reader);
      if (source[reader.at] !== ')') return undefined;
      reader.at += 1;
      // Groups become anonymous, because captures are not needed and names must be unique.
      atom = (/[=!]$/.test(group) ? group : '(?:') + source.slice(from, reader.at);
    }
    if (atom === undefined || within === undefined) return undefined;
    const repeat = take(reader, repeatPattern) ?? '';
    // The same repetition with the minimum zero and, if it has a maximum, one less than that.
    const fewer = repeat === '' || repeat.startsWith('?') ? '{0}' : repeat.replace(/^\{\d+/, '{0').replace(/^\+/, '*');
    choices += `(?:${atom}${fewer}${within}|${atom}${repeat}`;
    end += ')';
  }
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  const found = execAt(pattern, reader.source, reader.at)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}
