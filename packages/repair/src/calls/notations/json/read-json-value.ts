import { holdsInfinity } from '../../../json/result/holds-infinity.ts';
import { isJsonObject, type JsonValue } from '../../../json/result/json-value.ts';
import { ownEnd, type ReadValue, undamaged, type ValueEnd } from '../../source/call-bounds.ts';
import { showFrom, type Shown } from '../../source/call-watch.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';
import { type JsonObserver, JsonScanner } from '../../source/json-scanner.ts';
import { parseJson } from '../../../json/document/read-valid-document.ts';
import { type BoundedRead, mayGoOn, type JsonBounds, readDamaged, readUpTo } from './read-damaged-json.ts';

export interface JsonReading
  extends Omit<ReadValue, 'positional' | 'rootEnd' | 'hasAmbiguousEnd' | 'isUncertain' | 'failure'>, ValueEnd {
  readonly end: number;
  /** The offset at which reading stopped, if the value can't be read. */
  readonly failedAt: number | undefined;
}

/**
 * Reads the object or list at an offset. Valid JSON ends at its closer, whatever its strings contain. Damaged JSON ends
 * at the first bound at which it can be closed, or which no string can contain. `observer` receives the valid part, and `show`
 * each chunk after that.
 */
export function* readJsonValue(
  source: GrowingText,
  at: number,
  bounds: JsonBounds,
  show: ((chunk: string, offset: number) => void) | undefined,
  observer?: JsonObserver,
): Reading<JsonReading> {
  const shown = showFrom(source, at, show);
  const scanner = new JsonScanner(at, observer);
  yield* scanStrictly(source, scanner, shown);
  // Many unfinished values would each be scanned to the end of the text.
  if (scanner.status === 'open') source.guessed += source.text.length - at;
  const isWhole = scanner.status === 'closed' && !(yield* mayGoOn(source, at, scanner.at, bounds));
  const { read, ...valueEnd }: BoundedRead = isWhole
    ? { ...ownEnd, read: readStrictly(source, at, scanner.at) }
    : yield* readDamaged(source, at, bounds, shown, scanner);
  const { root, rootEnd, risk, repairs, unclosed, cutKey, failure } = read;
  const ending = valueEnd.isInterrupted && read.ending === 'open' ? 'cut' : read.ending;
  // Without a value, reading would not advance.
  const failedAt = failure === undefined && root !== undefined ? undefined : Math.max(at + 1, failure?.position ?? 0);
  const hasAmbiguousEnd =
    valueEnd.hasAmbiguousEnd ||
    (!isWhole && ending === 'closed' && (isMixed(root) || (yield* mayGoOn(source, at, rootEnd, bounds))));
  const found = { root, end: failedAt ?? rootEnd, ending, risk, repairs, unclosed, cutKey, failedAt };
  return { ...found, ...valueEnd, hasAmbiguousEnd };
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
      scanner.scan(chunk);
      shown.add(chunk);
      return scanner.status !== 'open';
    };
  }
}

function readStrictly(source: GrowingText, at: number, end: number): ReadValue {
  const { depth, duplicateKeys = 'last', unsafeIntegers = 'round' } = source.limits ?? {};
  if (depth === undefined && duplicateKeys === 'last' && unsafeIntegers === 'round') {
    // A value that is nested too deeply for this reader is undefined.
    const root = parseJson(source.text.slice(at, end));
    if (root !== undefined && !holdsInfinity(root))
      return { ...undamaged, root, rootEnd: end, risk: 'none', repairs: [] };
  }
  return readUpTo(source, at, end);
}
