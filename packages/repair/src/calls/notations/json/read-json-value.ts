import { holdsInfinity } from '../../../json/result/holds-infinity.ts';
import { isJsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import { ownEnd, type ValueEnd } from '../../source/call-bounds.ts';
import { showFrom, type Shown } from '../../source/call-watch.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';
import { JsonScanner } from '../../source/json-scanner.ts';
import { parseJson } from '../../../json/document/read-valid-document.ts';
import type { JsonFollower } from './json-call-follower.ts';
import {
  type BoundedRead,
  goesOn,
  isInString,
  type JsonBounds,
  type Read,
  readDamaged,
  readUpTo,
} from './read-damaged-json.ts';

export interface JsonReading extends Omit<Read, 'rootEnd' | 'hasAmbiguousEnd' | 'isUncertain' | 'failure'>, ValueEnd {
  readonly end: number;
  /** The offset at which reading stopped, if the value can't be read. */
  readonly failedAt: number | undefined;
  /** Whether a call has two names or two sets of arguments, so that its meaning is unknown. */
  readonly hasTwoMeanings: boolean;
  /** Whether a call with a name and arguments was found, even if it turns out to be unreadable. */
  readonly hasSeenCall: boolean;
  /** Whether the arguments of such a call were shown while they arrived. */
  readonly hasShownCall: boolean;
}

/**
 * Reads the object or list at an offset. Valid JSON ends at its closer, whatever its strings contain. Damaged JSON ends
 * at the first bound at which it can be closed, or which no string can contain. `follower` receives the valid part.
 */
export function* readJsonValue(
  source: GrowingText,
  at: number,
  bounds: JsonBounds,
  follower: JsonFollower,
): Reading<JsonReading> {
  const shown = showFrom(source, at, (chunk, offset) => follower.show(chunk, offset));
  const scanner = new JsonScanner(at, follower.observer);
  yield* scanStrictly(source, scanner, shown);
  // Many unfinished values would each be scanned to the end of the text.
  if (scanner.status === 'open') source.guessed += source.text.length - at;
  const isWhole =
    scanner.status === 'closed' &&
    !(yield* goesOn(source, at, scanner.at)) &&
    !(yield* isInString(source, at, scanner.at, bounds));
  const { read, ...valueEnd }: BoundedRead = isWhole
    ? { ...ownEnd, read: readStrictly(source, at, scanner.at) }
    : yield* readDamaged(source, at, bounds, shown, { isOpen: scanner.status === 'open', end: scanner.at });
  const { root, rootEnd, risk, repairs, unclosed, cutKey, failure } = read;
  const ending = valueEnd.isInterrupted && read.ending === 'open' ? 'cut' : read.ending;
  // Without a value, reading would not advance.
  const failedAt = failure === undefined && root !== undefined ? undefined : Math.max(at + 1, failure?.position ?? 0);
  const hasAmbiguousEnd =
    valueEnd.hasAmbiguousEnd ||
    (!isWhole && ending === 'closed' && (isMixed(root) || (yield* isInString(source, at, rootEnd, bounds))));
  const { hasTwoMeanings, hasSeenCall, hasShownCall } = follower;
  const found = { root, end: failedAt ?? rootEnd, ending, risk, repairs, unclosed, cutKey, failedAt };
  return { ...found, ...valueEnd, hasAmbiguousEnd, hasTwoMeanings, hasSeenCall, hasShownCall };
}

/** `[{"a": "echo "} && ls"]`: returns whether a damaged list has texts after objects, which may be the rest of a string. */
function isMixed(root: JsonValue | undefined): boolean {
  if (!Array.isArray(root)) return false;
  return root.some((item, index) => typeof item === 'string' && isJsonObject(root[index - 1] as JsonValue | undefined));
}

function* scanStrictly(source: GrowingText, scanner: JsonScanner, shown: Shown): Reading<void> {
  for (;;) {
    scanner.scan(source.text.slice(scanner.at));
    shown.catchUp(scanner.at);
    if (scanner.status !== 'open' || source.ended) return;
    yield (chunk) => {
      const offset = scanner.at;
      scanner.scan(chunk);
      shown.add(chunk, offset);
      return scanner.status !== 'open';
    };
  }
}

function readStrictly(source: GrowingText, at: number, end: number): Read {
  const { depth, duplicateKeys = 'last', unsafeIntegers = 'round' } = source.limits ?? {};
  if (depth === undefined && duplicateKeys === 'last' && unsafeIntegers === 'round') {
    // A value that is nested too deeply for this reader is undefined.
    const root = parseJson(source.text.slice(at, end));
    if (root !== undefined && !holdsInfinity(root)) {
      const nothing = {
        hasAmbiguousEnd: false,
        isUncertain: false,
        repairs: [],
        unclosed: [],
        cutKey: undefined,
        failure: undefined,
      };
      return { root, rootEnd: end, ending: 'closed', risk: 'none', ...nothing };
    }
  }
  return readUpTo(source, at, end);
}
