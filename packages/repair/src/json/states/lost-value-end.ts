import { COMMA, LINE_FEED, OPEN_BRACE, QUOTE, isWhitespace } from '../characters.ts';
import { isDamagedKeyAt } from '../damaged-key.ts';
import { SURE, followAt, quotedKeyAt } from '../follow.ts';
import { codeAt, findFrom, type Frame, type Machine } from '../machine.ts';
import { depthAt, type StringToken } from './string-token.ts';

/** Where a string ends whose closing quote is missing. */
export interface Settled {
  readonly end: number;
  /** Where reading goes on. */
  readonly resume: number;
}

/**
 * Where a value ended whose closing quote is missing, told by the quote at `at` that opens what comes next; `undefined`
 * when that quote is part of the value. `{"a": "hello, "next": 1}` `["hello], "next": 1}` `["hello, "next"]`
 */
export function lostValueEnd(machine: Machine, token: StringToken, at: number): Settled | undefined {
  const { text, frame } = machine;
  if (frame === undefined || token.delimiter.close !== undefined) return undefined;
  const opener = openerBefore(text, at);
  const before = trimEnd(text, opener);
  const hasComma = before > token.begin && text.charCodeAt(before - 1) === COMMA;
  if ((!hasComma && !hasLineFeed(text, before, opener)) || before <= token.begin) return undefined;
  const end = trimEnd(text, hasComma ? before - 1 : before);
  if (quotedKeyAt(machine, at, true) === SURE || (!token.isDamaged && isDamagedKeyAt(machine, at))) {
    return beforeKeyAt(machine, token, opener, end, opener < at ? 'array' : 'object');
  }
  return frame.kind === 'array' && !token.isDamaged ? beforeItemAt(machine, token, at, end) : undefined;
}

/** Where the brace stands that a key comes directly after, or the key's own place. */
function openerBefore(text: string, at: number): number {
  const end = trimEnd(text, at);
  return text.charCodeAt(end - 1) === OPEN_BRACE ? end - 1 : at;
}

/** A key follows: closers that nothing in the content opened belong to the document, and lead to the kind of container that goes on. */
function beforeKeyAt(
  machine: Machine,
  token: StringToken,
  at: number,
  from: number,
  kind: Frame['kind'],
): Settled | undefined {
  const { text, frames } = machine;
  let depth = depthAt(machine, token, at);
  if (depth > 0) return undefined;
  let level = frames.length - 1;
  let end = from;
  while (depth < 0 && end > token.begin && text.charCodeAt(end - 1) === frames[level]?.closer) {
    end = trimEnd(text, end - 1);
    depth += 1;
    level -= 1;
  }
  if (frames[level]?.kind !== kind) return undefined;
  return settle(machine, token, end);
}

/** An item follows: the quote opens a string that ends as an item does. */
function beforeItemAt(machine: Machine, token: StringToken, at: number, end: number): Settled | undefined {
  const next = codeAt(machine, at + 1);
  if (next === QUOTE || isWhitespace(next)) return undefined;
  const close = findFrom(machine, '"', at + 1);
  if (close === -1 || close - at > 1_000) return undefined;
  if (followAt(machine, close + 1, machine.frames.length - 1, true) !== SURE) return undefined;
  return settle(machine, token, end);
}

const SCALARS = /(?:\s*,\s*(?:null|true|false|-?\d{1,20}(?:\.\d{1,20})?)){1,8}$/;

/** In a list, what a lost quote ran over may be further items: `["hello, null, 3]`. */
function settle({ text, frame }: Machine, token: StringToken, end: number): Settled | undefined {
  if (end <= token.begin) return undefined;
  if (frame?.kind !== 'array') return { end, resume: end };
  const from = Math.max(token.begin, end - 100);
  const scalars = SCALARS.exec(text.slice(from, end));
  const last = scalars === null ? end : from + scalars.index;
  return { end: last, resume: last };
}

function hasLineFeed(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at += 1) if (text.charCodeAt(at) === LINE_FEED) return true;
  return false;
}

/** Where white space begins that ends at an offset. */
export function trimEnd(text: string, from: number): number {
  let end = from;
  while (end > 0 && isWhitespace(text.charCodeAt(end - 1))) end -= 1;
  return end;
}
