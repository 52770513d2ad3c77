import type { JsonValue } from '../../../json/result/json-value.ts';
import type { Machine } from '../../../json/machine/machine.ts';
import { holdsInfinity } from '../../../json/document/read-valid.ts';
import { mayHoldInfinity } from '../../../json/text/infinite-numbers.ts';
import { readValue } from '../../../json/document/read-value.ts';
import { createBoundScanner, type Bound } from '../../source/bound-scanner.ts';
import type { JsonFollower } from './call-follower.ts';
import { beginsMatch } from '../../source/begins-match.ts';
import {
  hasCharacter,
  matchAt,
  mayGuess,
  passSpace,
  pay,
  showFrom,
  type GrowingText,
  type Reading,
  type Shown,
} from '../../source/growing-text.ts';
import { isDoubtful } from '../../source/is-doubtful.ts';
import { createJsonScanner, type JsonScanner } from '../../source/json-scanner.ts';
import { beginsCall, nextBound } from '../../source/next-bound.ts';
import { createTextProof } from '../../source/text-proof.ts';

/** What may end JSON beside its own closer. */
export interface JsonBounds {
  /** What ends the envelope; none for JSON with nothing around it, which ends where its brackets do. */
  readonly closers: readonly string[];
  /** What begins the next envelope, where the closers of this one may be missing. */
  readonly openers: readonly string[];
}

/** A value that was read as the JSON of calls. */
export interface JsonReading {
  readonly root: JsonValue | undefined;
  readonly end: number;
  readonly ending: Machine['ending'];
  readonly risk: Machine['risk'];
  readonly repairs: Machine['repairs'];
  /** Containers that the text ended in, outermost first. */
  readonly unclosed: readonly JsonValue[];
  readonly cutKey: string | undefined;
  /** Why no reading holds: where reading stopped. */
  readonly failedAt: number | undefined;
  /** Whether its closer may belong to a string in it that was cut. */
  readonly isDoubtful: boolean;
  /** Whether a closing tag ended it. */
  readonly isTagged: boolean;
  /** Whether another call begins before this one has ended. */
  readonly isInterrupted: boolean;
  /** Whether a name or arguments stand twice in a call, so that its meaning is unknown. */
  readonly isAmbiguous: boolean;
  /** Whether a call with its name and arguments was seen, whatever became of it. */
  readonly hasSeenCall: boolean;
}

/** What the machine that read a value says of it. */
type Read = Pick<
  Machine,
  'root' | 'rootEnd' | 'ending' | 'hasDoubtfulEnd' | 'risk' | 'repairs' | 'unclosed' | 'cutKey' | 'failure'
>;

interface BoundedRead {
  readonly read: Read;
  readonly isDoubtful?: boolean;
  readonly isTagged?: boolean;
  readonly isInterrupted?: boolean;
}

/**
 * Reads the object or list that begins at an offset. Valid JSON ends where it closes, whatever its strings hold. Damaged
 * JSON ends at the first bound up to which it reads as closed, or which no string can hold. `follow` is told whether it may
 * be valid, as far as its first character says.
 */
export function* readJsonValue(
  source: GrowingText,
  at: number,
  bounds: JsonBounds,
  follow: (mayBeValid: boolean) => JsonFollower,
): Reading<JsonReading> {
  const isStrict = yield* mayBeValid(source, at);
  const follower = follow(isStrict);
  const shown = showFrom(source, at, follower.show);
  if (!isStrict) return toReading(at, yield* readDamaged(source, at, bounds, shown, noStrictness), follower);
  const scanner = createJsonScanner(at, follower.observer);
  yield* scanStrictly(source, scanner, shown);
  const isWhole = scanner.status === 'closed' && !(yield* goesOn(source, at, scanner.at));
  const bounded: BoundedRead = isWhole
    ? { read: readStrictly(source, at, scanner.at) }
    : yield* readDamaged(source, at, bounds, shown, { isOpen: scanner.status === 'open', end: scanner.at });
  return toReading(at, bounded, follower);
}

/** Whether what follows the opener may do so in valid JSON. Most damage shows at once, and costs no more then. */
function* mayBeValid(source: GrowingText, at: number): Reading<boolean> {
  const first = yield* passSpace(source, at + 1);
  const code = source.text.charCodeAt(first);
  if (first >= source.text.length || code === 0x22 || code === source.text.charCodeAt(at) + 2) return true;
  return source.text[at] === '[' && '{[-0123456789tfn'.includes(source.text[first] ?? 'x');
}

function toReading(at: number, bounded: BoundedRead, { isAmbiguous, hasSeenCall }: JsonFollower): JsonReading {
  const { isDoubtful: mayBeCut = false, isTagged = false, isInterrupted = false } = bounded;
  const { root, rootEnd, risk, repairs, unclosed, cutKey, failure } = bounded.read;
  const ending = isInterrupted && bounded.read.ending === 'open' ? 'cut' : bounded.read.ending;
  // Without a value, reading would never get on.
  const failedAt = failure === undefined && root !== undefined ? undefined : Math.max(at + 1, failure?.position ?? 0);
  const end = failedAt ?? rootEnd;
  const read = { root, end, ending, risk, repairs, unclosed, cutKey, failedAt };
  return { ...read, isDoubtful: mayBeCut, isTagged, isInterrupted, isAmbiguous, hasSeenCall };
}

function* scanStrictly(source: GrowingText, scanner: JsonScanner, shown: Shown): Reading<void> {
  for (;;) {
    scanner.scan(source.text.slice(scanner.at));
    shown.catchUp();
    if (scanner.status !== 'open' || source.ended) return;
    yield (piece) => {
      const offset = scanner.at;
      scanner.scan(piece);
      shown.add(piece, offset);
      return scanner.status !== 'open';
    };
  }
}

const KEY = /"[^"\\\n]{0,64}"\s{0,9}:/y;
const NAME = /[A-Za-z_$][\w$-]{0,64}/y;

/** `{"a": 1}, "b": 2}`: members follow, or may have before the text was cut, so that the brace closed nothing. */
function* goesOn(source: GrowingText, at: number, end: number): Reading<boolean> {
  if (source.text[at] !== '{') return false;
  const sign = yield* passSpace(source, end);
  if (source.text[sign] === '"') return source.text[at - 1] !== '"' && (yield* mayMatch(source, KEY, sign));
  if (source.text[sign] !== ',' && source.text[sign] !== ';') return false;
  const next = yield* passSpace(source, sign + 1);
  const first = source.text[next];
  if (first === undefined) return source.text[sign] === ',';
  return first === '"' || first === "'" || (yield* isCutMatch(source, NAME, next));
}

function* mayMatch(source: GrowingText, pattern: RegExp, at: number): Reading<boolean> {
  return (yield* matchAt(source, pattern, at)) !== null || beginsMatch(pattern, source.text, at);
}

/** Whether a match goes as far as the text does. */
function* isCutMatch(source: GrowingText, pattern: RegExp, at: number): Reading<boolean> {
  const match = yield* matchAt(source, pattern, at);
  return match !== null && at + match[0].length >= source.text.length;
}

function readStrictly(source: GrowingText, at: number, end: number): Read {
  const { depth, duplicateKeys = 'last', unsafeIntegers = 'round' } = source.limits ?? {};
  if (depth === undefined && duplicateKeys === 'last' && unsafeIntegers === 'round') {
    try {
      const written = source.text.slice(at, end);
      const root = JSON.parse(written) as JsonValue;
      if (mayHoldInfinity(written) && holdsInfinity(root)) return readUpTo(source, at, end);
      const nothing = { hasDoubtfulEnd: false, repairs: [], unclosed: [], cutKey: undefined, failure: undefined };
      return { root, rootEnd: end, ending: 'closed', risk: 'none', ...nothing };
    } catch {
      // Nested too deeply for it.
    }
  }
  return readUpTo(source, at, end);
}

function readUpTo({ text, limits }: GrowingText, at: number, end: number): Machine {
  return readValue(text.slice(0, end), at, 'value', { stopped: 'stop', ...(limits === undefined ? {} : { limits }) });
}

function readToTextEnd({ text, stopped, limits }: GrowingText, at: number): Machine {
  return readValue(text, at, 'value', {
    ...(stopped === undefined ? {} : { stopped }),
    ...(limits === undefined ? {} : { limits }),
  });
}

/** How far a text is valid JSON, before it is damaged. */
interface Strictness {
  /** As far as the text goes, so that what stands in its last string is nothing but text. */
  readonly isOpen: boolean;
  readonly end: number;
}

const noStrictness: Strictness = { isOpen: false, end: -1 };

function* readDamaged(
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
    const read = readUpTo(source, at, bound.at);
    if (isEnd(read, bound)) {
      // What only seems to close the root closes nothing.
      const mayBeCut =
        bound.kind === 'balanced' &&
        read.failure === undefined &&
        ((yield* isDoubtful(source, read, bound.kind)) || (yield* goesOn(source, at, read.rootEnd)));
      if (!mayBeCut) return { read, isTagged: bound.kind === 'closer', isInterrupted: isCutBy(read, bound) };
    }
    first ??= { read, isDoubtful: bound.kind === 'balanced' && read.hasDoubtfulEnd };
    if (yield* interrupts(source, bound)) return { ...first, isInterrupted: true };
  }
  source.guessed += source.text.length - at;
  const last = readToTextEnd(source, at);
  const isWhole = last.failure === undefined && last.ending === 'closed';
  if (first !== undefined && !areBalanced && !isOpen && !isWhole) return first;
  return { read: last, isDoubtful: yield* isDoubtful(source, last, undefined) };
}

const BRIEFLY = 64;

/** What is read where much was read to the end of the text for nothing already. */
function* readBriefly(source: GrowingText, at: number): Reading<BoundedRead> {
  yield* hasCharacter(source, at + BRIEFLY - 1);
  return { read: readUpTo(source, at, Math.min(source.text.length, at + BRIEFLY)) };
}

/** Whether what was read up to a bound has ended there, one way or another. */
function isEnd(read: Read, { kind }: Bound): boolean {
  if (read.failure === undefined && read.ending === 'closed') return true;
  // Where brackets only seemed to be balanced, or a line only looks like a call, all is as it was.
  if (kind === 'balanced') return read.failure !== undefined;
  // Only a string can hold a tag, and only one that has not ended goes on behind it.
  return kind === 'closer' || kind === 'opener' ? !isCutInString(read) : false;
}

/** Whether the next opener ended it, where nothing else did. */
function isCutBy(read: Read, { kind }: Bound): boolean {
  return kind === 'opener' && read.failure === undefined && read.ending !== 'closed';
}

function* interrupts(source: GrowingText, bound: Bound): Reading<boolean> {
  return bound.kind === 'call' || (bound.kind === 'opener' && (yield* beginsCall(source, bound)));
}

/** Whether what was read ran out of text within a string. */
function isCutInString({ failure, ending, repairs }: Read): boolean {
  if (failure !== undefined || ending === 'closed') return false;
  let last = repairs.length - 1;
  while (repairs[last]?.code === 'missing-closers') last -= 1;
  return repairs[last]?.code === 'cut-string';
}

const ALWAYS_TRIED = 4;

/** Says where damaged text is read again: at first at every bound, later only when there is a good deal more of it. */
function createAttempts(at: number): (end: number) => boolean {
  let tried = 0;
  let last = 0;
  return (end) => {
    if (tried >= ALWAYS_TRIED && end - at < last * 1.5) return false;
    tried += 1;
    last = end - at;
    return true;
  };
}
