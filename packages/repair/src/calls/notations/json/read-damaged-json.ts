import { readValue } from '../../../json/document/read-value.ts';
import { beginsMatch } from '../../source/begins-match.ts';
import {
  beginsCall,
  type Bound,
  createBoundSearch,
  endsAmbiguously,
  ownEnd,
  type ReadValue,
  type ValueEnd,
} from '../../source/call-bounds.ts';
import type { Shown } from '../../source/call-watch.ts';
import type { JsonScanner } from '../../source/json-scanner.ts';
import type { Machine } from '../../../json/machine/machine.ts';
import { type GrowingText, optionsFor, type Reading } from '../../source/growing-text.ts';

/** The texts that may end JSON in addition to its own closer. */
export interface JsonBounds {
  /** The texts that end the envelope. Empty for JSON without an envelope, which ends at its closing bracket. */
  readonly closers: readonly string[];
  /** The texts that begin the next envelope, if the closers of this one may be missing. */
  readonly openers: readonly string[];
}

export interface BoundedRead extends ValueEnd {
  readonly read: ReadValue;
}

const keyPattern = /"[^"\\\n]{0,64}"\s{0,9}:/y;

/** `{"a": 1}, "b": 2}`: members follow, or may have followed before the text was cut, so the brace closed nothing. */
function* goesOn(source: GrowingText, at: number, end: number): Reading<boolean> {
  if (source.text[at] !== '{') return false;
  const sign = yield* source.skipSpace(end);
  if (source.text[sign] === '"') {
    if (source.text[at - 1] === '"') return false;
    return (yield* source.matchAt(keyPattern, sign)) !== null || beginsMatch(keyPattern, source.text, sign);
  }
  if (source.text[sign] !== ',' && source.text[sign] !== ';') return false;
  const next = yield* source.skipSpace(sign + 1);
  const first = source.text[next];
  if (first === undefined) return source.text[sign] === ',' && source.stopped !== 'stop';
  return first === '"' || first === "'";
}

const endTokenPattern =
  /<(?:[|｜]|\/(?:s|[\w-]{0,20}(?:call|tool|function|invoke|action)[\w-]{0,20})>)|\[\/?[A-Z][A-Z_]{2,20}\]/y;
const nextCallPattern = /[ \t,;]{0,9}\{["'](?:name|tool|function|action)/y;
const objectPattern = /\{|\[\s{0,9}\{/y;
const memberPattern = /\{\s{0,9}["']/y;
const lineEnd = /[}\]]{1,9}[ \t]{0,9}(?:\r?\n|$|[<[\uff1c])/y;
const maxLine = 1_000;

/**
 * `{"a": "echo "}" && ls"}`: returns whether a quote, text and one brace too many follow on the line, so that the closing
 * quote and brace may be part of a string.
 */
function* isInString(source: GrowingText, at: number, end: number, bounds: JsonBounds): Reading<boolean> {
  if ((yield* source.matchAt(objectPattern, at)) === null || (yield* source.matchAt(nextCallPattern, end)) !== null)
    return false;
  if (')]}'.includes(source.text.charAt(end))) return false;
  const needles = [...bounds.closers, ...bounds.openers];
  let depth = 0;
  let hasQuote = false;
  let hasText = false;
  const isDirect = `"'`.includes(source.text.charAt(end));
  for (let next = end; next < end + maxLine; next += 1) {
    if (next >= source.text.length && !(yield* source.hasCharacter(next))) return false;
    const character = source.text.charAt(next);
    if (character === '\n') return false;
    if (needles.some((needle) => needle.startsWith(character)) || '<['.includes(character)) {
      if ((yield* source.needleAt(needles, next)) !== undefined) return false;
      if ((yield* source.matchAt(endTokenPattern, next)) !== null) return false;
    }
    if (character === '{') {
      // Another object begins.
      if ((yield* source.matchAt(memberPattern, next)) !== null) return false;
      depth += 1;
    } else if (character === '}') {
      depth -= 1;
      if (depth >= 0) continue;
      const isStringEnd = source.text[next - 1] === '"' || (isDirect && !'}]'.includes(source.text.charAt(next - 1)));
      return hasQuote && hasText && isStringEnd && (yield* source.matchAt(lineEnd, next)) !== null;
    } else if (character === '"') hasQuote = true;
    else hasText ||= /\w/.test(character);
  }
  return false;
}

/** Returns whether the closer of a value that ends at an offset may close nothing. */
export function* mayGoOn(source: GrowingText, at: number, end: number, bounds: JsonBounds): Reading<boolean> {
  return (yield* goesOn(source, at, end)) || (yield* isInString(source, at, end, bounds));
}

export function readUpTo(source: GrowingText, at: number, end: number, isClosed = false): Machine {
  return readValue(source.text.slice(0, end), at, 'beforeValue', optionsFor(source, 'stop'), isClosed);
}

export function* readDamaged(
  source: GrowingText,
  at: number,
  bounds: JsonBounds,
  shown: Shown,
  valid: JsonScanner,
): Reading<BoundedRead> {
  const areBalanced = bounds.closers.length === 0;
  if (areBalanced && !source.mayGuess(at)) {
    // Too many attempts have already read to the end of the text without success.
    yield* source.hasCharacter(at + briefLength - 1);
    return { ...ownEnd, read: readUpTo(source, at, Math.min(source.text.length, at + briefLength)) };
  }
  shown.catchUp(valid.at);
  const kinds = { ...bounds, areBalanced, textEnd: valid.colonAt };
  const nextBound = createBoundSearch(source, at, kinds, shown);
  let first: BoundedRead | undefined;
  let quotedTo = -1;
  for (;;) {
    const bound = yield* nextBound();
    if (bound === undefined) break;
    const { kind } = bound;
    // Inside of quoted calls.
    if (bound.at < quotedTo) continue;
    quotedTo = -1;
    if (first !== undefined && !source.pay(bound.at - at, bound.at)) return first;
    const read = readUpTo(source, at, bound.at, kind === 'closer');
    const isRead = read.failure === undefined;
    const isClosed = isRead && read.ending === 'closed';
    // A bound that was guessed changes nothing. A tag can only be inside a string, and only an unfinished string
    // continues after it.
    if (isClosed || (kind === 'balanced' ? !isRead : kind !== 'call' && !isCutInString(read))) {
      // A closer that seems to close the root may close nothing.
      const isAmbiguous =
        kind === 'balanced' &&
        isRead &&
        ((yield* endsAmbiguously(source, read)) || (yield* mayGoOn(source, at, read.rootEnd, bounds)));
      // Only the next opener may have ended the value.
      const isInterrupted = kind === 'opener' && isRead && !isClosed;
      const hasClosingTag = kind === 'closer';
      if (!isAmbiguous)
        return { read, hasClosingTag, hasAmbiguousEnd: hasClosingTag && read.isUncertain, isInterrupted };
    }
    first ??= { ...ownEnd, read, hasAmbiguousEnd: kind === 'balanced' && read.hasAmbiguousEnd };
    const isCall = kind === 'call' || (kind === 'opener' && (yield* beginsCall(source, bound)));
    if (isCall && isRead && isCutInString(read)) quotedTo = yield* closerAround(source, bounds, bound);
    if (isCall && quotedTo === -1) return { ...first, isInterrupted: true };
  }
  source.guessed += source.text.length - at;
  const last = readValue(source.text, at, 'beforeValue', optionsFor(source, source.stopped));
  const isWhole = last.failure === undefined && last.ending === 'closed';
  if (first !== undefined && !areBalanced && valid.status !== 'open' && !isWhole) return first;
  return { ...ownEnd, read: last, hasAmbiguousEnd: yield* endsAmbiguously(source, last) };
}

const briefLength = 64;
const valueEnd = /[}\]][ \t]{0,9}\n?[ \t]{0,9}$/;
/** Number of openers and closers that are looked at. */
const maxQuoted = 16;

/**
 * `"content": "see⏎<tool_call>{…}</tool_call>⏎now"}}</tool_call>`: returns the closer of the value if a call that begins in
 * an unfinished string is a part of it, because the value is closed after that call and those that follow it. Otherwise -1.
 */
function* closerAround(source: GrowingText, { closers, openers }: JsonBounds, { end }: Bound): Reading<number> {
  const needles = [...closers, ...openers];
  let depth = 1;
  let from = end;
  for (let passed = 0; passed < maxQuoted; passed += 1) {
    const { at, needle } = yield* source.findFirst(needles, from);
    if (at === -1) return -1;
    depth += closers.includes(needle) ? -1 : 1;
    if (depth < 0) return valueEnd.test(source.text.slice(Math.max(from, at - maxLine), at)) ? at : -1;
    from = at + needle.length;
  }
  return -1;
}

function isCutInString({ failure, repairs }: ReadValue): boolean {
  const own = repairs.filter(({ code }) => code !== 'unclosed');
  return failure === undefined && own.at(-1)?.code === 'cut-string';
}
