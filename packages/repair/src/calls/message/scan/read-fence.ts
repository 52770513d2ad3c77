import { isNamePart } from '../../../json/text/characters.ts';
import type { EnvelopeIndex } from '../../source/envelope-index.ts';
import {
  hasCharacter,
  matchAt,
  needleAt,
  passSpace,
  type GrowingText,
  type Reading,
} from '../../source/growing-text.ts';
import { readBody, type PlacedCalls } from './read-body.ts';

/** A run of backticks or tildes and what it opens. */
export interface Fence {
  /** The run itself. */
  readonly mark: string;
  /** Where what it encloses begins. */
  readonly inside: number;
  /** `fence`: it has its line to itself. `inline`: it has not, and may close within a paragraph. */
  readonly kind: 'fence' | 'inline';
  /** The calls that fill it; none when anything else stands in it too. */
  readonly placed: readonly PlacedCalls[];
  /** Where it ends when calls fill it, the closing mark included. */
  readonly end: number;
  /** Whether it says by its language that it holds a call. */
  readonly isCallFence: boolean;
  /** Whether it prints what the calls give. */
  readonly isPrinted: boolean;
}

const CALL_LANGUAGES = new Set([
  'tool_call',
  'tool_calls',
  'tool_code',
  'tool',
  'tool_use',
  'function_call',
  'function',
]);

/** Reads the run of backticks or tildes at an offset and, where it may be a code fence, the calls that fill it. */
export function* readFence(source: GrowingText, start: number, index: EnvelopeIndex, isHead: boolean): Reading<Fence> {
  const inside = yield* endOfRun(source, start);
  const mark = source.text.slice(start, inside);
  const nothing = { mark, inside, placed: [], end: inside, isCallFence: false, isPrinted: false };
  if (mark.length < 3) return { ...nothing, kind: 'inline' };
  const wordEnd = yield* endOfWord(source, inside);
  const language = source.text.slice(inside, wordEnd).toLowerCase();
  const lineEnd = yield* passBlank(source, wordEnd);
  const kind = lineEnd >= source.text.length || source.text[lineEnd] === '\n' ? 'fence' : 'inline';
  const isCallFence = CALL_LANGUAGES.has(language);
  const isPrinted = !isCallFence && isHead && (yield* matchAt(source, PRINTED, wordEnd)) !== null;
  const placed = yield* readBody(source, wordEnd, index, isCallFence || isPrinted, [mark]);
  const last = placed.at(-1);
  if (last === undefined) return { ...nothing, kind };
  if (last.isInterrupted === true) return { ...nothing, kind, placed, end: last.end, isCallFence, isPrinted };
  const end = yield* passSpace(source, last.end);
  const isClosed = (yield* needleAt(source, [mark], end)) !== undefined;
  if (!isClosed && end < source.text.length) return { ...nothing, kind };
  return { ...nothing, kind, placed, end: isClosed ? end + mark.length : end, isCallFence, isPrinted };
}

const PRINTED = /\s{0,9}print\(/y;

function* endOfRun(source: GrowingText, start: number): Reading<number> {
  const mark = source.text[start];
  let at = start + 1;
  while ((yield* hasCharacter(source, at)) && source.text[at] === mark) at += 1;
  return at;
}

const LONGEST_WORD = 64;

function* endOfWord(source: GrowingText, from: number): Reading<number> {
  let at = from;
  while (at - from < LONGEST_WORD && (yield* hasCharacter(source, at)) && isNamePart(source.text.charCodeAt(at))) {
    at += 1;
  }
  return at;
}

function* passBlank(source: GrowingText, from: number): Reading<number> {
  let at = from;
  while ((yield* hasCharacter(source, at)) && ' \t\r'.includes(source.text[at] ?? 'x')) at += 1;
  return at;
}
