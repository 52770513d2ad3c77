import { readCallLiterals } from '../../notations/code/read-call-literals.ts';
import type { Found, WrittenCall } from '../../contract/envelope.ts';
import { resolveName } from '../../contract/resolve-tool-name.ts';
import { type CallWatch, noWatch } from '../../source/call-watch.ts';
import { readEnvelope, type Surroundings } from '../../source/growing-envelope.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';

/** The calls of one envelope, and their range. */
export interface EnvelopeCalls extends Found {
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
    const result = { ...found, envelope: name, tier, start: at };
    if (found.calls.length > 0) return result;
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
    const result = { ...found, envelope: found.shape ?? envelope.name, tier: 3, start: at } as const;
    const callLike = found.calls.filter((call) => isCallLike(call));
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
  return found && { end: found.end, calls: found.calls, envelope: 'call-text', tier: 3, start: at };
}

/** Matches the mark of a Markdown list item. */
export const itemMark: RegExp = /(?:[-*+\u2022]|\d{1,3}[.)])[ \t]{1,16}/y;

// Text in code or bold markup, but not in a fence.
const emphasisPattern = /(?:\*\*)?`{1,2}(?!`)|\*\*/y;

/**
 * Reads bare calls, possibly in a Markdown list item. All direct repetitions of a call are one call. `isLikely`: whether the
 * message begins here.
 */
export function* readListItem(
  source: GrowingText,
  at: number,
  isLikely: boolean,
  watch: CallWatch,
): Reading<EnvelopeCalls | undefined> {
  const item = yield* source.skipMatch(itemMark, at);
  const mark = (yield* source.matchAt(emphasisPattern, item))?.[0] ?? '';
  const start = item + mark.length;
  const isCode = mark.includes('`');
  const found =
    (yield* readBare(source, start, { closers: [], isLikely }, isCode ? noWatch : watch)) ??
    (source.text[start] === '#' ? undefined : yield* readProgram(source, start, []));
  if (found === undefined || found.calls.length === 0 || found.isInterrupted === true)
    return isCode ? undefined : found;
  const closer = mark.startsWith('**') ? `${mark.slice(2)}**` : mark;
  const isClosed = (yield* source.needleAt([closer], found.end)) !== undefined;
  if (isCode && !isClosed) return undefined;
  let end = found.end + (isClosed ? mark.length : 0);
  const said = source.text.slice(item, end);
  for (;;) {
    const next = yield* source.skipMatch(itemMark, yield* source.skipSpace(end));
    if ((yield* source.needleAt([said], next)) === undefined) return { ...found, start: at, end, isCode };
    end = next + said.length;
  }
}
