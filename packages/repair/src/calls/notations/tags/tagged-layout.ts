import { createRepair, type Repair } from '../../../json/result/repair-result.ts';

/** The notation of calls with a tag for each argument. Patterns are sticky and without unbounded repetition. */
export interface TaggedLayout {
  /** Matches the opener of a call. Group 1 or 2 is the name. */
  readonly call: RegExp;
  readonly callCloser: string;
  /** Matches the opener of an argument. Group 1 is the key, group 2 the type if the tag declares it. */
  readonly argument: RegExp;
  /** The texts that every argument's opener begins with. */
  readonly argumentOpener: string;
  readonly argumentCloser: string | ((key: string) => string);
  /** Alternative notations of arguments, tried if `argument` does not match. */
  readonly dialects?: readonly ArgumentDialect[];
  /** The text before every tag of a nested value, if values nest by tags. If it is empty, text is XML, so entities are decoded. */
  readonly nestedPrefix?: string;
  /** The white space around a value that belongs to the notation. `own-line`: around a short value on a line of its own. */
  readonly trim: 'line-breaks' | 'own-line' | 'all' | 'none';
  /** The type of text that no schema declares. */
  readonly unknown: 'string' | 'json';
}

/** An alternative notation of an argument. */
export interface ArgumentDialect {
  /** Matches the opener. Group 1 is the key. */
  readonly argument: RegExp;
  /** The closer. Without it, the next tag of the call closes the argument. */
  readonly closer?: string | ((key: string) => string);
  /** Whether only declared arguments may use this notation. */
  readonly isDeclared?: boolean;
}

/** A layout with the sections that may contain its calls. */
export interface SectionLayout extends TaggedLayout {
  readonly sectionOpeners: readonly string[];
  readonly sectionClosers: readonly string[];
}

/** Returns the closer of the argument with a key. */
export function closerOf({ argumentCloser }: TaggedLayout, key: string): string {
  return typeof argumentCloser === 'string' ? argumentCloser : argumentCloser(key);
}

const ownLine = /^\r?\n([^\n]{0,200}[^\s])\r?\n[ \t]{0,40}$/;

/** Whether a text may be the beginning of a value on a line of its own. */
export const mayBeOwnLine: RegExp = /^(?:\r?\n[^\n]{0,200}(?:\n[ \t]{0,40})?)?$/;

/** What a model may write around the whole text of a value. */
export const valueWrappers: readonly (readonly [string, string])[] = [
  ['<![CDATA[', ']]>'],
  ['<value>', '</value>'],
];

/** Returns the text of a value between its tags, without the white space of the notation. */
export function trimValue(text: string, trim: TaggedLayout['trim']): string {
  const inner = text.trim();
  for (const [opener, closer] of valueWrappers)
    if (inner.startsWith(opener) && inner.endsWith(closer) && !inner.includes(opener, 1))
      return inner.slice(opener.length, -closer.length);
  if (trim === 'all') return inner;
  if (trim === 'own-line') return ownLine.exec(text)?.[1] ?? text;
  return trim === 'none' ? text : text.replace(/^\r?\n/, '').replace(/\r?\n$/, '');
}

/** Returns the white space before a tag on a line of its own. */
export function marginAt(text: string, at: number): string {
  return /\n([ \t]*)$/.exec(text.slice(Math.max(0, at - 64), at))?.[1] ?? '';
}

/** Reports a missing closing tag. */
export const missingTag = (closer: string, at: number): Repair =>
  createRepair('', 'missing-tag', 'safe', at, at, closer);

/** Matches a closing tag; group 1 is its name. */
export const closingTagPattern: RegExp = /<\/([A-Za-z_][\w.-]{0,127})\s{0,9}>/y;

/** Matches a part of what may stand between arguments. */
export const spaceAndComments: RegExp = /\s{1,400}|<!--[^]{0,400}?-->/y;

/** A closer may be cut to this number of characters. */
export const minHalf = 4;

const maxDamagedCloser = 160;

/** Matches a damaged closing tag at the end of a text. Group 1 is its name. */
const damagedCloser =
  /[<[]\s?\\?\/\s?(?:[^\s<>[\]/]{0,16}[:|｜]\s?)?([\w.-]{1,64})(?:(?:=|\sname=)["']?[^\s<>[\]"'=]{0,64}["']?)?\s?[>\])]?$/;

const otherNames = ['param', 'value', 'arg', 'argument'];

/** Removes a damaged closing tag at the end of a text, if its name is like that of a closer, or is one of some names. */
function withoutDamagedCloser(text: string, closer: string, names: readonly string[]): string {
  const word = /[\w.-]+(?=>$)/.exec(closer)?.[0].toLowerCase();
  const [tag = '', name = ''] = damagedCloser.exec(text.slice(-maxDamagedCloser)) ?? [];
  const isOwn =
    (tag.startsWith('<') && names.includes(name)) || (word !== undefined && isAlmost(name.toLowerCase(), word));
  return isOwn && !text.slice(0, -tag.length).includes(`<${name}`) ? text.slice(0, -tag.length) : text;
}

/** Returns whether two names are the same except for at most one letter. */
function isAlmost(name: string, word: string): boolean {
  const length = Math.max(name.length, word.length) - 1;
  let same = 0;
  while (same < length && name[same] === word[same]) same += 1;
  for (let back = 1; same < length && name.at(-back) === word.at(-back); back += 1) same += 1;
  return same >= length && (name === word || word.length > minHalf);
}

/**
 * Removes the line break at the end of a value that has no closer, and what stands for the closer: its first or last
 * characters, or another closing tag, such as one with the name of the argument. A damaged closer of the call may follow.
 */
export function withoutCutCloser(written: string, closer: string, callCloser: string, key: string): string {
  const lines = written.replace(/\r?\n[ \t]*$/, '');
  const inner = withoutDamagedCloser(lines, callCloser, []);
  const value = inner === lines ? lines : inner.replace(/\r?\n[ \t]*$/, '');
  const opener = closer.replace('/', '');
  // `make⏎<parameter>`: the slash is missing. In `usage: lint <parameter>`, the tag is text.
  if (opener.startsWith('<') && value.endsWith(opener))
    return value.at(-opener.length - 1) === ' ' ? value : value.slice(0, -opener.length);
  const own = withoutDamagedCloser(value, closer, [key, ...otherNames]);
  if (own !== value) return own;
  for (let length = closer.length - 1; length >= minHalf; length -= 1) {
    const isLast = length * 2 > closer.length && value.endsWith(closer.slice(-length));
    if (isLast || value.endsWith(closer.slice(0, length))) return value.slice(0, -length);
  }
  return value;
}

const halfOpener = /^\s{0,9}(?:param(?:eter)?\s?)?(?:name)?=?["']?([\w.-]{1,64})(?:<\/|["'][^<>\n]{0,40}>|>)/;

/** `</parameter>⏎cwd">/tmp`: returns whether the end of another argument's opener follows a closer in a value. */
export function hasHalfOpener(value: string, closer: string, isDue: (key: string) => boolean): boolean {
  const [, ...rests] = value.split(closer);
  return rests.some((rest) => isDue(halfOpener.exec(rest)?.[1] ?? ''));
}

/**
 * `<ping>⏎<host>a⏎<ping>⏎<host>b</host>`: returns whether a call begins again in the value of an argument, and the
 * argument with it. The text ends with the opener after the value.
 */
export function opensAgain(text: string, callOpener: string, opener: string, closer: string): boolean {
  const at = text.indexOf(`\n${callOpener}`);
  const last = at === -1 ? -1 : text.lastIndexOf(opener);
  return last > at && (closer === '' || last > text.lastIndexOf(closer));
}
