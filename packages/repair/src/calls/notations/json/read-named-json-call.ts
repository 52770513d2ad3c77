import { type PlacedCall, unreadable } from '../../contract/envelope.ts';
import type { CallWatch } from '../../source/call-watch.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';
import { argumentsShape } from '../../contract/argument-shape.ts';
import { readAsDeclared } from './read-json-as-declared.ts';
import { readJsonValue } from './read-json-value.ts';

const openingFence = /```[a-z0-9]{0,32}\s{0,9}/y;
const closingFence = /\s{0,9}```/y;

/** Reads the arguments object at an offset, possibly in a fence, for a call with a known name. */
export function* readNamedCall(
  source: GrowingText,
  name: string,
  from: number,
  closers: readonly string[],
  watch: CallWatch,
): Reading<PlacedCall | undefined> {
  const first = yield* source.skipSpace(from);
  const at = yield* source.skipMatch(openingFence, first);
  if (source.text[at] !== '{') return undefined;
  const written = yield* readJsonValue(source, at, { closers, openers: [] }, watch.begin(name)?.json);
  const reading = readAsDeclared(source, at, written, argumentsShape(source.tools, name));
  const { root, hasClosingTag, risk, repairs, end } = reading;
  const ending = reading.hasAmbiguousEnd ? 'cut' : reading.ending;
  if (reading.failedAt !== undefined) {
    // The text after its closer belongs to another call.
    const closer = closers.length === 0 ? { at: -1, needle: '' } : yield* source.findFirst(closers, at + 1);
    return { call: unreadable, end: closer.at === -1 ? at + 1 : closer.at + closer.needle.length };
  }
  const call = { name, arguments: root, ending, hasClosingTag, risk, repairs };
  if (reading.isInterrupted) return { call, end, isInterrupted: true };
  const fenceEnd = yield* source.skipMatch(closingFence, end);
  const after = yield* source.skipSpace(fenceEnd);
  const closer = yield* source.needleAt(closers, after);
  if (closer !== undefined) return { call, end: after + closer.length };
  const other = yield* source.skipSpace(yield* source.skipMatch(conjunction, after));
  // It is not clear which arguments are meant.
  const isObject =
    !source.text.slice(end, other).includes('\n') && (yield* source.matchAt(objectPattern, other)) !== null;
  if (isObject && (yield* source.needleAt([source.text.slice(at, end)], other)) === undefined)
    return { call: { ...call, ending: 'cut' }, end };
  return { call, end: at === first ? end : fenceEnd };
}

const objectPattern = /\{\s{0,9}["']/y;
// `{…}, {…}`, `{…} OR {…}` on one line.
const conjunction = /(?:,|OR|AND|or|and|\|\||&&|\+)/y;
