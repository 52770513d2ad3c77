import { hasCharacter, matchAt, type GrowingText, type Reading } from '../../source/growing-text.ts';
import type { PlacedCalls } from './read-body.ts';
import { behindItemMark } from './read-series.ts';

const CODE_CALL = /(?:return {1,4})?[`*]{0,3}["'`[]{0,3}[A-Za-z_][\w.\\-]{0,127}["'`]?\(/y;

/** JSON that opens a message is a call whatever follows; code only when it stands on lines of its own and is no statement. */
export function* survivesRunOn(source: GrowingText, item: PlacedCalls): Reading<boolean> {
  const isCode = item.envelope === 'call-text' || item.envelope === 'pythonic';
  if (item.isCode !== true && !isCode) return true;
  return (yield* isPlain(source, item)) && (yield* endsLine(source, item.end));
}

/** Whether calls are no part of a program that does something with what they give. */
export function* isPlain(source: GrowingText, { envelope, start }: PlacedCalls): Reading<boolean> {
  if (envelope !== 'call-text') return true;
  return (yield* matchAt(source, CODE_CALL, yield* behindItemMark(source, start))) !== null;
}

/** Whether nothing but a mark of a list stands before an offset on its line. */
export function beginsLine(text: string, at: number): boolean {
  const line = text.slice(Math.max(text.lastIndexOf('\n', at - 1) + 1, at - 40), at);
  return /^[ \t]*(?:(?:[-*+\u2022]|\d{1,3}[.)])[ \t]*)?$/.test(line);
}

const COMMENT = /(?:#|\/\/)[^\n]{0,200}/y;

/** Whether nothing but a full stop or a comment follows on the line, and no sentence goes on in the next one. */
export function* endsLine(source: GrowingText, end: number): Reading<boolean> {
  let at = end;
  if ((yield* hasCharacter(source, at)) && (source.text[at] === '.' || source.text[at] === ';')) at += 1;
  while ((yield* hasCharacter(source, at)) && ' \t\r'.includes(source.text[at] ?? 'x')) at += 1;
  const comment = yield* matchAt(source, COMMENT, at);
  if (comment !== null) at += comment[0].length;
  if (at < source.text.length && source.text[at] !== '\n') return false;
  return !((yield* hasCharacter(source, at + 1)) && /[a-z]/.test(source.text[at + 1] ?? ''));
}
