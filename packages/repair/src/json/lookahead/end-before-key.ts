import { beforeWhitespace } from '../text/plain-text.ts';
import { nextToken, writtenWhitespace } from './next-token.ts';
import { isOpener, toNarrow, isIn } from '../text/characters.ts';
import type { Frame, Machine, StringToken } from '../machine/machine.ts';
import { depthAt } from '../machine/string-token.ts';
import { afterSign, isValueAt } from './damaged-key.ts';

/** The end of a string without its closing quote. */
export interface LostEnd {
  readonly end: number;
  /** The offset at which reading continues. */
  readonly resume: number;
}

/** Returns where a value without its closing quote ends before a key in a container of the given kind. */
export function endBeforeKey(
  machine: Machine,
  token: StringToken,
  { at, opener }: { readonly at: number; readonly opener: number },
  from: number,
  kind: Frame['kind'],
): LostEnd | undefined {
  const { text, frames } = machine;
  let depth = depthAt(machine, token, at) - Number(opener < at && isOpener(text.charCodeAt(opener)));
  if (depth > 0) return undefined;
  let level = frames.length - 1 + depth;
  const closers = depth < -1 && frames[level]?.kind === kind ? beforeClosers(machine, from, level + 1) : undefined;
  if (closers !== undefined && closers > token.begin) return lostEndAt(machine, token, closers);
  level = frames.length - 1;
  let end = from;
  while (depth < 0 && end > token.begin && toNarrow(text.charCodeAt(end - 1)) === frames[level]?.closer) {
    end = trimBefore(machine, end - 1);
    depth += 1;
    level -= 1;
  }
  // `["hello, "next": 1`: the closer of the list is missing too.
  const isUnclosed =
    level === frames.length - 1 && kind === 'object' && frames.at(-2)?.kind === 'object' && opener === at;
  if (frames[level]?.kind !== kind && !(isUnclosed && !token.isDamaged)) return undefined;
  return lostEndAt(machine, token, end);
}

/**
 * Returns the start of the closers that end at an offset, if they close every container down to a level. Otherwise
 * returns `undefined` instead of -1, which in a stream is an offset before the text that is kept.
 */
function beforeClosers(machine: Machine, from: number, level: number): number | undefined {
  let end = from;
  for (const frame of machine.frames.slice(level)) {
    if (toNarrow(machine.text.charCodeAt(end - 1)) !== frame.closer) return undefined;
    end = trimBefore(machine, end - 1);
  }
  return end;
}

const scalarsPattern = /(?:\s*,\s*(?:null|true|false|-?\d{1,20}(?:\.\d{1,20})?)){1,8}$/;

/** Ends a value at an offset. In a list, the value may have included further items: `["hello, null, 3]`. */
export function lostEndAt({ text, frame }: Machine, token: StringToken, end: number): LostEnd | undefined {
  if (end <= token.begin) return undefined;
  if (frame?.kind !== 'array') return { end, resume: end };
  const from = Math.max(token.begin, end - 100);
  const scalars = scalarsPattern.exec(text.slice(from, end));
  const last = scalars === null ? end : from + scalars.index;
  return { end: last, resume: last };
}

/** Returns the start of the white space that ends at an offset, also of escaped white space if there was any. */
export function trimBefore({ repairs, text }: Machine, from: number): number {
  let end = beforeWhitespace(text, from);
  if (!repairs.slice(0, 8).some(({ code }) => code === writtenWhitespace)) return end;
  while (text[end - 2] === '\\' && isIn('nrt', text.charCodeAt(end - 1))) end = beforeWhitespace(text, end - 2);
  return end;
}

// Closers, a comma or a line break, openers, and a name.
const namePattern = /([\]}\s]*)[,;，\n]([\s{]*)[A-Za-z_$][\w$-]{0,40}$/;

/** `{"a": "hello, b": "x"}`: the quote closes the next key, whose opening quote is missing. */
export function endBeforeHalfQuotedKey(machine: Machine, token: StringToken, at: number): LostEnd | undefined {
  // A stream has already delivered the text that would have to be withdrawn.
  if (!machine.ended || token.isDamaged) return undefined;
  const value = afterSign(machine, at + 1);
  if (value === -1 || machine.frame?.kind !== 'object' || !isValueAt(machine, nextToken(machine, value)))
    return undefined;
  return endBeforeMatch(machine, token, at, namePattern);
}

/** Returns the end of a value before members that match a pattern. `[{"a": "hello}, {b": "x"}]`: of the next row. */
function endBeforeMatch(machine: Machine, token: StringToken, at: number, pattern: RegExp): LostEnd | undefined {
  const from = Math.max(token.begin, at - reach);
  const found = pattern.exec(machine.text.slice(from, at));
  if (found === null) return undefined;
  const [, closers = '', openers = ''] = found;
  const start = from + found.index + closers.length;
  const end = trimBefore(machine, start);
  if (end <= token.begin) return undefined;
  const kind = openers.includes('{') ? 'array' : 'object';
  if (kind === 'object' && pattern === namePattern) return { end, resume: end };
  return endBeforeKey(machine, token, { at: start, opener: start }, end, kind);
}

const reach = 200;

/** Returns whether one of the innermost three containers is an object with unquoted keys. */
function hasBareKeysNear({ frames }: Machine): boolean {
  return frames.slice(-3).some(({ hasBareKeys, kind }) => kind === 'object' && hasBareKeys);
}

// Closers, a comma or a line break, openers, and then only unquoted keys, their signs, brackets, numbers and words.
const bareMembersPattern =
  /([\]}\s]*)[,;，\n]([\s{]*)[A-Za-z_$][\w$]{0,40}\s*[:=：](?:[[\]{}\s,;，.+-]|\d|true|false|null|True|False|None|[A-Za-z_$][\w$]{0,40}\s*[:=：])*$/;

/** `{a: "hello, c: 1, b: "x"}`: the quote opens the value of a later unquoted key, like the earlier keys. */
export function endBeforeBareKey(machine: Machine, token: StringToken, at: number): LostEnd | undefined {
  const isBare = machine.ended && !token.isDamaged && hasBareKeysNear(machine);
  return isBare ? endBeforeMatch(machine, token, at, bareMembersPattern) : undefined;
}
