import { readValue } from '../../../json/document/read-value.ts';
import type { Machine } from '../../../json/machine/machine.ts';
import { beginsMatch } from '../../source/begins-match.ts';
import {
  beginsCall,
  type Bound,
  createAttempts,
  createBoundScanner,
  endsAmbiguously,
  nextBound,
} from '../../source/call-bounds.ts';
import type { Shown } from '../../source/call-watch.ts';
import {
  type GrowingText,
  hasCharacter,
  matchAt,
  mayGuess,
  optionsFor,
  pay,
  type Reading,
  skipSpace,
} from '../../source/growing-text.ts';
import { createTextProof } from './json-string-proof.ts';

/** The texts that may end JSON in addition to its own closer. */
export interface JsonBounds {
  /** The texts that end the envelope. Empty for JSON without an envelope, which ends at its closing bracket. */
  readonly closers: readonly string[];
  /** The texts that begin the next envelope, if the closers of this one may be missing. */
  readonly openers: readonly string[];
}

/** The result of the machine for a value. */
export type Read = Pick<
  Machine,
  'root' | 'rootEnd' | 'ending' | 'hasUncertainEnd' | 'risk' | 'repairs' | 'unclosed' | 'cutKey' | 'failure'
>;

export interface BoundedRead {
  readonly read: Read;
  readonly hasAmbiguousEnd?: boolean;
  readonly isTagged?: boolean;
  readonly isInterrupted?: boolean;
}

const keyPattern = /"[^"\\\n]{0,64}"\s{0,9}:/y;

/** `{"a": 1}, "b": 2}`: members follow, or may have followed before the text was cut, so the brace closed nothing. */
export function* goesOn(source: GrowingText, at: number, end: number): Reading<boolean> {
  if (source.text[at] !== '{') return false;
  const sign = yield* skipSpace(source, end);
  if (source.text[sign] === '"') return source.text[at - 1] !== '"' && (yield* mayMatch(source, keyPattern, sign));
  if (source.text[sign] !== ',' && source.text[sign] !== ';') return false;
  const next = yield* skipSpace(source, sign + 1);
  const first = source.text[next];
  if (first === undefined) return source.text[sign] === ',';
  return first === '"' || first === "'";
}

function* mayMatch(source: GrowingText, pattern: RegExp, at: number): Reading<boolean> {
  return (yield* matchAt(source, pattern, at)) !== null || beginsMatch(pattern, source.text, at);
}

export function readUpTo(source: GrowingText, at: number, end: number, isClosed = false): Machine {
  return readValue(source.text.slice(0, end), at, 'value', optionsFor(source, 'stop'), undefined, isClosed);
}

/** The offset up to which the text is valid JSON. */
interface Strictness {
  /** If it is the end of the text, everything in the last string is text. */
  readonly isOpen: boolean;
  readonly end: number;
}

export function* readDamaged(
  source: GrowingText,
  at: number,
  bounds: JsonBounds,
  shown: Shown,
  { isOpen, end: validEnd }: Strictness,
): Reading<BoundedRead> {
  const areBalanced = bounds.closers.length === 0;
  if (areBalanced && !mayGuess(source, at)) return yield* readBriefly(source, at);
  const scanner = createBoundScanner(at, { ...bounds, calls: source.calls, areBalanced });
  const isDue = createAttempts(at);
  const isText = createTextProof(validEnd);
  shown.catchUp();
  let first: BoundedRead | undefined;
  for (;;) {
    const bound = yield* nextBound(source, scanner, shown.add);
    shown.catchUp();
    if (bound === undefined) break;
    if (bound.kind === 'call' && !(yield* beginsCall(source, bound))) continue;
    if (bound.at <= at || isText(source.text, bound) || !isDue(bound.at)) continue;
    if (first !== undefined && !pay(source, bound.at - at, bound.at)) return first;
    const read = readUpTo(source, at, bound.at, bound.kind === 'closer');
    if (isEnd(read, bound)) {
      // A closer that seems to close the root may close nothing.
      const mayBeCut =
        bound.kind === 'balanced' &&
        read.failure === undefined &&
        ((yield* endsAmbiguously(source, read, bound.kind)) || (yield* goesOn(source, at, read.rootEnd)));
      if (!mayBeCut) return { read, isTagged: bound.kind === 'closer', isInterrupted: isCutBy(read, bound) };
    }
    first ??= { read, hasAmbiguousEnd: bound.kind === 'balanced' && read.hasUncertainEnd };
    if (yield* interrupts(source, bound)) return { ...first, isInterrupted: true };
  }
  source.guessed += source.text.length - at;
  const last = readValue(source.text, at, 'value', optionsFor(source, source.stopped));
  const isWhole = last.failure === undefined && last.ending === 'closed';
  if (first !== undefined && !areBalanced && !isOpen && !isWhole) return first;
  return { read: last, hasAmbiguousEnd: yield* endsAmbiguously(source, last, undefined) };
}

const briefLength = 64;

/** The result if too many attempts have already read to the end of the text without success. */
function* readBriefly(source: GrowingText, at: number): Reading<BoundedRead> {
  yield* hasCharacter(source, at + briefLength - 1);
  return { read: readUpTo(source, at, Math.min(source.text.length, at + briefLength)) };
}

/** Returns whether the part up to a bound is complete, in one way or another. */
function isEnd(read: Read, { kind }: Bound): boolean {
  if (read.failure === undefined && read.ending === 'closed') return true;
  // A bound that was guessed from brackets or from the look of a line changes nothing.
  if (kind === 'balanced') return read.failure !== undefined;
  // A tag can only be inside a string, and only an unfinished string continues after it.
  return kind === 'closer' || kind === 'opener' ? !isCutInString(read) : false;
}

/** Returns whether only the next opener ended the value. */
function isCutBy(read: Read, { kind }: Bound): boolean {
  return kind === 'opener' && read.failure === undefined && read.ending !== 'closed';
}

function* interrupts(source: GrowingText, bound: Bound): Reading<boolean> {
  return bound.kind === 'call' || (bound.kind === 'opener' && (yield* beginsCall(source, bound)));
}

/** Returns whether the text ended inside a string. */
function isCutInString({ failure, ending, repairs }: Read): boolean {
  if (failure !== undefined || ending === 'closed') return false;
  let last = repairs.length - 1;
  while (repairs[last]?.code === 'missing-closers') last -= 1;
  return repairs[last]?.code === 'cut-string';
}
