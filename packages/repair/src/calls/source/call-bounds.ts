import type { Machine } from '../../json/machine/machine.ts';
import { matchEnd } from '../../json/text/characters.ts';
import type { OpenerTrie } from './envelope-index.ts';
import type { Shown } from './call-watch.ts';
import type { GrowingText, Reading } from './growing-text.ts';
import { watchNeedles } from './needles.ts';

const firstBlockLength = 64;
const maxBlockLength = 16_384;
const maxEagerAttempts = 4;

/** A position at which damaged JSON or a call written as code may end. It is a guess that has to be tried. */
export interface Bound {
  /**
   * `closer` and `opener`: one of the searched texts begins at `at`. `call`: the opener of an envelope begins there, at
   * the start of a line. `balanced`: everything that was opened before it is closed.
   */
  readonly kind: 'closer' | 'opener' | 'call' | 'balanced';
  readonly at: number;
  readonly end: number;
}

/** A value, and how its text ended. */
export type ReadValue = Pick<
  Machine,
  | 'root'
  | 'positional'
  | 'rootEnd'
  | 'ending'
  | 'hasAmbiguousEnd'
  | 'isUncertain'
  | 'risk'
  | 'repairs'
  | 'unclosed'
  | 'cutKey'
  | 'failure'
>;

/** What is true of a value without damage. */
export const undamaged = {
  positional: [],
  ending: 'closed',
  hasAmbiguousEnd: false,
  isUncertain: false,
  unclosed: [],
  cutKey: undefined,
  failure: undefined,
} as const;

/** What ended a value. */
export interface ValueEnd {
  /** Whether the closing bracket may belong to a truncated string in the value. */
  readonly hasAmbiguousEnd: boolean;
  /** Whether a closing tag ended it. */
  readonly hasClosingTag: boolean;
  /** Whether another call begins before its end. */
  readonly isInterrupted: boolean;
}

/** The end of a value that its own closing bracket ended, or the end of the text. */
export const ownEnd: ValueEnd = { hasAmbiguousEnd: false, hasClosingTag: false, isInterrupted: false };

interface BoundKinds {
  readonly closers: readonly string[];
  readonly openers: readonly string[];
  readonly areBalanced: boolean;
  /** Up to this offset, every bound is part of a string. */
  readonly textEnd?: number;
}

/**
 * Creates a function that returns the next bound after an offset at which reading is tried, or undefined if the text ends
 * first: at first every bound, later only after much more text. Never searches a character twice.
 */
export function createBoundSearch(
  source: GrowingText,
  start: number,
  { closers: allClosers, openers, areBalanced, textEnd = 0 }: BoundKinds,
  shown: Shown,
): () => Reading<Bound | undefined> {
  // A single character is too common to be a bound.
  const closers = allClosers.filter(({ length }) => length > 1);
  const finders: readonly BoundFinder[] = [
    findNeedles('closer', closers, start),
    findNeedles('opener', openers, start),
    createCallFollower(source.index.fixed),
    ...(areBalanced ? [createBracketFollower()] : []),
  ];
  /** The bounds in the text before `at` that were not returned yet, in the order of their ends. */
  let bounds: Bound[] = [];
  let at = start;
  let tried = 0;
  let triedLength = 0;
  const search = (chunk: string): void => {
    bounds = finders.flatMap((find) => find(chunk, at)).sort((one, other) => one.end - other.end);
    at += chunk.length;
  };

  return function* (): Reading<Bound | undefined> {
    for (let blockLength = firstBlockLength; ;) {
      const bound = bounds.shift();
      if (bound === undefined) {
        if (at < source.text.length) {
          // Searches the existing text in small steps, because the next bound is often near.
          search(source.text.slice(at, at + blockLength));
          blockLength = Math.min(maxBlockLength, blockLength * 2);
          continue;
        }
        shown.catchUp(at);
        if (source.ended) return undefined;
        yield (chunk) => {
          search(chunk);
          shown.add(chunk);
          return bounds.length > 0;
        };
        continue;
      }
      shown.catchUp(at);
      if (bound.kind === 'call' && !(yield* beginsCall(source, bound))) continue;
      const length = bound.at - start;
      if (length <= 0 || bound.end <= textEnd) continue;
      if (tried >= maxEagerAttempts && length < triedLength * 1.5) continue;
      tried += 1;
      triedLength = length;
      return bound;
    }
  };
}

/** Receives the chunks of a text with their offsets, and returns the bounds that each completes. */
type BoundFinder = (chunk: string, at: number) => readonly Bound[];

function findNeedles(kind: 'closer' | 'opener', needles: readonly string[], start: number): BoundFinder {
  const find = watchNeedles(needles, start);
  return (chunk) => find(chunk).map(({ at, end }) => ({ kind, at, end }));
}

const afterCloserPattern = /(?:^|[>\]}])\s{0,99}$/;
const lineStartPattern = /(?:^|\n)[ \t]{0,99}$/;
const likelyOpenerPattern = /<(?:[|｜]|function[= ]|invoke )/y;

const callBodyPattern =
  /\s{0,9}(?:[{[]\s{0,9}[{[]?\s{0,9}["']?(?:name|tool_name|function|function_name|arguments|parameters)["']?\s{0,9}:|<(?:function|invoke)[ =])/y;

/** Returns whether the text at a bound looks like the beginning of a call, instead of only an opener. */
export function* beginsCall(source: GrowingText, { kind, at, end }: Bound): Reading<boolean> {
  const before = source.before(at, 100);
  if (kind !== 'call' && !lineStartPattern.test(before) && !afterCloserPattern.test(before)) return false;
  return (
    matchEnd(likelyOpenerPattern, source.text, at) !== -1 || (yield* source.matchAt(callBodyPattern, end)) !== null
  );
}

/** Finds the beginnings of lines whose first text opens a call. */
function createCallFollower(openers: OpenerTrie): BoundFinder {
  let line = -1;
  let node: OpenerTrie | undefined;
  return (chunk, at) => {
    const bounds: Bound[] = [];
    for (let index = 0; index < chunk.length; index += 1) {
      const code = chunk.charCodeAt(index);
      if (code === 0x0a) {
        node = openers;
        line = at + index + 1;
      } else if (node !== undefined) {
        const isIndent = node === openers && (code === 0x20 || code === 0x09);
        if (isIndent) line += 1;
        else node = node.next.get(code);
        if (node !== undefined && node.values.length > 0) {
          bounds.push({ kind: 'call', at: line, end: at + index + 1 });
          node = undefined;
        }
      }
    }
    return bounds;
  };
}

const bracketOpeners = '{[(';
const bracketClosers = '}])';

/** Counts brackets and quotes, and finds the offsets after closers at which nothing is open. */
function createBracketFollower(): BoundFinder {
  let depth = 0;
  let quote = 0;
  let isEscaped = false;
  /** The last character that is neither white space nor inside a string. */
  let last = '(';
  return (chunk, at) => {
    const bounds: Bound[] = [];
    for (let index = 0; index < chunk.length; index += 1) {
      const code = chunk.charCodeAt(index);
      if (quote !== 0) {
        if (isEscaped) isEscaped = false;
        else if (code === 0x5c) isEscaped = true;
        else if (code === quote) quote = 0;
        continue;
      }
      if (code <= 0x20) continue;
      const character = chunk[index] ?? '';
      // Apostrophes inside words open nothing.
      if (code === 0x22 || (code === 0x27 && '{[(,:='.includes(last))) quote = code;
      else if (bracketOpeners.includes(character)) depth += 1;
      else if (bracketClosers.includes(character)) {
        depth -= 1;
        if (depth <= 0) bounds.push({ kind: 'balanced', at: at + index + 1, end: at + index + 1 });
      }
      last = character;
    }
    return bounds;
  };
}

/**
 * Returns whether the closer of a value may belong to a truncated string in it. A closing tag or fence after it proves
 * that the model had finished the call, but not where a string in it ended.
 */
export function* endsAmbiguously(source: GrowingText, value: ReadValue): Reading<boolean> {
  const { hasAmbiguousEnd, isUncertain, rootEnd } = value;
  if (!hasAmbiguousEnd || isUncertain) return isUncertain;
  return (yield* source.matchAt(callEndPattern, yield* source.skipMatches(skippedPattern, rootEnd))) === null;
}

// Text that ends a call, or the message around it: a closing tag, a special token, a fence.
const callEndPattern = /<[/|]|\[\/|```|<[\w-]{1,64}>/y;
const skippedPattern = /(?:[ \t\r\n,;}\])]|\\n){1,99}/y;
