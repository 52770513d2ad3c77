import { fillers, trimEnd } from './skip-between.ts';
import { isOpener, toNarrow } from '../text/characters.ts';
import type { Frame, Machine, StringToken } from '../machine/machine.ts';
import { depthAt } from '../machine/string-token.ts';

/** The end of a string without its closing quote. */
export interface Settled {
  readonly end: number;
  /** The offset at which reading continues. */
  readonly resume: number;
}

/**
 * Returns where a value without its closing quote ends before a key. Closers that the value did not open belong to the
 * document, and must lead to a container of the given kind.
 */
export function beforeKeyAt(
  machine: Machine,
  token: StringToken,
  { at, opener }: { readonly at: number; readonly opener: number },
  from: number,
  kind: Frame['kind'],
): Settled | undefined {
  const { text, frames } = machine;
  let depth = depthAt(machine, token, at) - Number(opener < at && isOpener(text.charCodeAt(opener)));
  if (depth > 0) return undefined;
  let level = frames.length - 1 + depth;
  const closers = depth < -1 && frames[level]?.kind === kind ? beforeClosers(machine, from, level + 1) : undefined;
  if (closers !== undefined && closers > token.begin) return settle(machine, token, closers);
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
  return settle(machine, token, end);
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
export function settle({ text, frame }: Machine, token: StringToken, end: number): Settled | undefined {
  if (end <= token.begin) return undefined;
  if (frame?.kind !== 'array') return { end, resume: end };
  const from = Math.max(token.begin, end - 100);
  const scalars = scalarsPattern.exec(text.slice(from, end));
  const last = scalars === null ? end : from + scalars.index;
  return { end: last, resume: last };
}

/**
 * Returns the start of the white space that ends at an offset. Includes escaped white space if the document has some
 * between tokens.
 */
export function trimBefore({ repairs, text }: Machine, from: number): number {
  let end = trimEnd(text, from);
  if (!repairs.slice(0, 8).some(({ code }) => code === fillers.written.code)) return end;
  while (text[end - 2] === '\\' && 'nrt'.includes(text[end - 1] ?? 'x')) end = trimEnd(text, end - 2);
  return end;
}
