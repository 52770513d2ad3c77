import { readCallLiterals } from '../../notations/code/read-call-literals.ts';
import type { Found, WrittenCall } from '../../contract/envelope.ts';
import { resolveName } from '../../contract/resolve-tool-name.ts';
import { type CallWatch, noWatch } from '../../source/call-watch.ts';
import { readEnvelope, type Surroundings } from '../../source/growing-envelope.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';

/** The calls of one envelope, and their range. */
export interface EnvelopeCalls extends Omit<Found, 'shape' | 'mayBeProse'> {
  readonly envelope: string;
  readonly tier: 1 | 2 | 3;
  readonly start: number;
  /** Whether it is between backticks. At the beginning of a message it then counts only on lines of its own. */
  readonly isCode?: boolean;
}

/** Reads the envelope whose opener begins at an offset. Returns no calls for data, so that its content is not searched again. */
export function* readOpened(
  source: GrowingText,
  at: number,
  watch: CallWatch = noWatch,
  surroundings?: Surroundings,
): Reading<EnvelopeCalls | undefined> {
  let data: EnvelopeCalls | undefined;
  for (const { envelope, opener } of yield* source.envelopesAt(at)) {
    const { name, tier } = envelope;
    if (tier === 3) continue;
    const found = yield* readEnvelope(envelope, source, at, at + opener.length, watch, surroundings);
    if (found === undefined) continue;
    const { end, calls, isInterrupted = false } = found;
    const result = { envelope: name, tier, start: at, end, calls, isInterrupted };
    if (calls.length > 0) return result;
    data ??= result;
  }
  return data;
}

/** Reads bare calls at an offset. Returns no calls for data, so that its content is not searched again. */
export function* readBare(
  source: GrowingText,
  at: number,
  surroundings: Surroundings,
  watch: CallWatch = noWatch,
): Reading<EnvelopeCalls | undefined> {
  let data: EnvelopeCalls | undefined;
  let unknown: EnvelopeCalls | undefined;
  for (const envelope of source.index.bare) {
    const found = yield* readEnvelope(envelope, source, at, at, watch, surroundings);
    if (found === undefined) continue;
    const { end, calls, shape = envelope.name, isInterrupted = false } = found;
    const result = { envelope: shape, tier: 3, start: at, end, calls, isInterrupted } as const;
    const callLike = calls.filter((call) => isCallLike(call));
    if (callLike.some(({ name }) => name === undefined || resolveName(source.tools, name) !== undefined)) return result;
    // Text without the name of a tool may be part of a call in another envelope.
    if (callLike.length > 0) unknown ??= result;
    // Prose in brackets may look like data, and may contain calls.
    else if (found.mayBeProse !== true) data ??= { ...result, calls: [] };
  }
  return unknown ?? data;
}

/** Returns whether a bare value is a call: only arguments distinguish it from any object with a name. */
export function isCallLike(call: WrittenCall): boolean {
  return call.arguments !== undefined || call.ending !== 'closed' || call.name === undefined;
}

/** Reads everything from an offset on as calls. In a program, `print(f())` and `x = f()` mean `f()`. */
export function* readBody(
  source: GrowingText,
  from: number,
  isProgram: boolean,
  closers: readonly string[],
): Reading<readonly EnvelopeCalls[]> {
  const result: EnvelopeCalls[] = [];
  const surroundings = { closers, isLikely: false };
  let at = yield* source.skipMatch(thoughtPattern, yield* source.skipMatches(spaceAndComments, from));
  while (at < source.text.length) {
    const next =
      (yield* readOpened(source, at, undefined, surroundings)) ??
      (yield* readBare(source, at, surroundings)) ??
      (isProgram ? yield* readProgram(source, at, closers) : undefined);
    if (next === undefined) return result;
    if (next.calls.length === 0) return [];
    result.push(next);
    if (next.isInterrupted === true) return result;
    at = yield* source.skipMatches(spaceAndComments, next.end);
  }
  return result;
}

/** Matches white space, and lines of comments that announce no example. */
export const spaceAndComments: RegExp =
  /[ \n\t\r]{1,400}|(?:#|\/\/)(?![^\n]{0,200}(?:example|usage|e\.g\.|replace|template))[^\n]{0,200}/iy;

// The lines of a model's own thoughts before an action.
const thoughtPattern = /(?:(?:Question|Thought):[^\n]{0,999}\n\s{0,9}){1,2}(?=Action:)/y;

/** Reads the statements of a program that contain one call each. */
export function* readProgram(
  source: GrowingText,
  at: number,
  closers: readonly string[],
): Reading<EnvelopeCalls | undefined> {
  const place = { layout: { isList: true, isProgram: true }, closers, isLikely: false };
  const found = yield* readCallLiterals(source, at, place);
  return found && { envelope: 'call-text', tier: 3, start: at, end: found.end, calls: found.calls };
}
