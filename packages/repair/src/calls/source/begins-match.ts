// Maximum match length of a pattern without unbounded repetition.
const maxMatchLength = 4_096;
const beginnings = new WeakMap<RegExp, RegExp | null>();

/**
 * Returns whether the rest of the text may be the beginning of a match of a sticky pattern, so that more text could
 * complete or extend the match.
 */
export function beginsMatch(pattern: RegExp, text: string, at: number): boolean {
  if (text.length - at > maxMatchLength) return false;
  let beginning = beginnings.get(pattern);
  if (beginning === undefined) {
    beginning = beginningOf(pattern);
    beginnings.set(pattern, beginning);
  }
  if (beginning === null) return true;
  beginning.lastIndex = at;
  return beginning.test(text);
}

/**
 * Returns a pattern that matches every beginning of a match, up to the end of the text, or null if it can't be
 * computed.
 */
function beginningOf(pattern: RegExp): RegExp | null {
  const reader: Reader = { source: pattern.source, at: 0 };
  const choices = readChoices(reader);
  if (choices === undefined || reader.at < reader.source.length) return null;
  return new RegExp(beginChoices(choices), pattern.flags);
}

interface Reader {
  readonly source: string;
  at: number;
}

/** One part of a pattern: a character class or a group, possibly repeated. */
interface Part {
  readonly atom: string;
  readonly repeat: string;
  /** The content of a group. */
  readonly inner: readonly (readonly Part[])[] | undefined;
}

function readChoices(reader: Reader): readonly (readonly Part[])[] | undefined {
  const choices: Part[][] = [[]];
  for (;;) {
    const character = reader.source[reader.at];
    if (character === undefined || character === ')') return choices;
    if (character === '|') {
      reader.at += 1;
      choices.push([]);
      continue;
    }
    const part = readPart(reader);
    if (part === undefined) return undefined;
    choices.at(-1)?.push(part);
  }
}

const classPattern = /\[(?:\\.|[^\]\\])*\]/y;
const escapePattern = /\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[^1-9k])/iy;
const repeatPattern = /(?:[?*+]|\{\d+(?:,\d*)?\})\??/y;
const groupPattern = /\((?:\?(?:[:=!]|<[A-Za-z]\w*>))?/y;

function readPart(reader: Reader): Part | undefined {
  const { source } = reader;
  const group = take(reader, groupPattern);
  if (group === undefined) {
    const atom = take(reader, classPattern) ?? take(reader, escapePattern) ?? takeCharacter(reader);
    return atom === undefined ? undefined : { atom, repeat: take(reader, repeatPattern) ?? '', inner: undefined };
  }
  const start = reader.at - group.length;
  const inner = readChoices(reader);
  if (inner === undefined || source[reader.at] !== ')') return undefined;
  reader.at += 1;
  // Groups become anonymous, because captures are not needed and names must be unique.
  const body = source.slice(start + group.length, reader.at);
  const kind = group === '(?=' || group === '(?!' ? group : '(?:';
  const atom = `${kind}${body}`;
  return { atom, repeat: take(reader, repeatPattern) ?? '', inner };
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.source)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

/** Returns a literal character. Returns undefined for anchors and unsupported groups. */
function takeCharacter(reader: Reader): string | undefined {
  const character = reader.source[reader.at];
  if (character === undefined || '^$?*+(\\'.includes(character)) return undefined;
  reader.at += 1;
  return character;
}

function beginChoices(choices: readonly (readonly Part[])[]): string {
  return `(?:${choices.map((parts) => beginParts(parts, 0)).join('|')})`;
}

/**
 * The text ends before this part, within it, or in a later part. A part that matched completely can't become longer.
 */
function beginParts(parts: readonly Part[], from: number): string {
  const part = parts[from];
  if (part === undefined) return '(?!)';
  const { atom, repeat, inner } = part;
  const within = inner === undefined ? '$' : beginChoices(inner);
  return `(?:${atom}${fromNone(repeat)}${within}|${atom}${repeat}${beginParts(parts, from + 1)})`;
}

/** A repetition with the minimum zero and, if it has a maximum, one less than that. */
function fromNone(repeat: string): string {
  if (repeat === '' || repeat.startsWith('?')) return '{0}';
  return repeat
    .replace(/^\{\d+/, '{0')
    .replace(/^\+/, '*')
    .replace(/^\{0\}/, '{0}');
}
