import { unreadable, type WrittenCall } from '../../contract/envelope.ts';
import type { CallWatch } from '../../source/call-watch.ts';
import { findFirst, type GrowingText, matchAt, needleAt, type Reading, skipSpace } from '../../source/growing-text.ts';
import { argumentsShape, readAsDeclared } from './as-declared.ts';
import { followArguments } from './call-follower.ts';
import { readJsonValue } from './read-json-value.ts';

/** A call whose name stood before its arguments. */
export interface NamedCall {
  readonly call: WrittenCall;
  /** Where it ends, the closer included when it is there. */
  readonly end: number;
  /** Whether another call begins before it has ended. */
  readonly isInterrupted?: boolean;
}

const openingFence = /```[a-z0-9]{0,32}\s{0,9}/y;
const closingFence = /\s{0,9}```/y;

/** Reads the arguments object at an offset, in a fence or not, for a call whose name is known already. */
export function* readNamedCall(
  source: GrowingText,
  name: string,
  from: number,
  closers: readonly string[],
  watch: CallWatch,
): Reading<NamedCall | undefined> {
  const at = yield* behind(source, openingFence, yield* skipSpace(source, from));
  if (source.text[at] !== '{') return undefined;
  const begun = watch.begin(name);
  const written = yield* readJsonValue(source, at, { closers, openers: [] }, () => followArguments(begun));
  const reading = readAsDeclared(source, at, written, argumentsShape(source.tools, name));
  const { root, isTagged, risk, repairs, end } = reading;
  const ending = reading.hasAmbiguousEnd ? 'cut' : reading.ending;
  if (reading.failedAt !== undefined) {
    // What follows its closer is another call.
    const closer = closers.length === 0 ? { at: -1, needle: '' } : yield* findFirst(source, closers, at + 1);
    return { call: unreadable, end: closer.at === -1 ? at + 1 : closer.at + closer.needle.length };
  }
  const call = { name, arguments: root, ending, isTagged, risk, repairs };
  if (reading.isInterrupted) return { call, end, isInterrupted: true };
  const after = yield* skipSpace(source, yield* behind(source, closingFence, end));
  const closer = yield* needleAt(source, closers, after);
  return { call, end: closer === undefined ? end : after + closer.length };
}

function* behind(source: GrowingText, pattern: RegExp, at: number): Reading<number> {
  const match = yield* matchAt(source, pattern, at);
  return match === null ? at : at + match[0].length;
}
