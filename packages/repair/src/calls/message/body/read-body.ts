import { readCallLiterals } from '../../arguments/code/read-call-literals.ts';
import type { WrittenCall } from '../../contract/envelope.ts';
import { resolveName } from '../../contract/resolve-name.ts';
import { type CallWatch, noWatch } from '../../source/call-watch.ts';
import { type EnvelopeIndex, envelopesAt } from '../../source/envelope-index.ts';
import { readEnvelope, type Surroundings } from '../../source/growing-envelope.ts';
import { type GrowingText, type Reading, skipSpace } from '../../source/growing-text.ts';
import type { OpenedEnvelope } from '../../source/opener-trie.ts';

/** Calls found in one envelope, and where. */
export interface PlacedCalls {
  readonly envelope: string;
  readonly tier: 1 | 2 | 3;
  readonly start: number;
  readonly end: number;
  readonly calls: readonly WrittenCall[];
  /** Whether another call begins before the last of these has ended. */
  readonly isInterrupted?: boolean;
  /** Whether it stands between backticks: then it is one only where nothing else is said. */
  readonly isCode?: boolean;
}

/**
 * Reads the tagged envelope whose opener stands at an offset. One that holds data and no call is answered with no calls,
 * so that nothing inside it is looked at again.
 */
export function* readTagged(
  source: GrowingText,
  at: number,
  index: EnvelopeIndex,
  watchTier: (tier: 1 | 2) => CallWatch = () => noWatch,
  known?: readonly OpenedEnvelope[],
): Reading<PlacedCalls | undefined> {
  let data: PlacedCalls | undefined;
  const opened = known ?? (yield* envelopesAt(index, source, at));
  for (const { envelope, opener } of opened) {
    const { name, tier } = envelope;
    if (tier === 3) continue;
    const found = yield* readEnvelope(envelope, source, at, at + opener.length, watchTier(tier));
    if (found === undefined) continue;
    const { end, calls, isInterrupted = false } = found;
    const placed = { envelope: name, tier, start: at, end, calls, isInterrupted };
    if (calls.length > 0) return placed;
    if (data === undefined || end > data.end) data = placed;
  }
  return data;
}

/**
 * Reads what stands at an offset with no envelope around it. Data that is no call is answered with no calls, so that
 * nothing inside it is looked at again.
 */
export function* readUntagged(
  source: GrowingText,
  at: number,
  index: EnvelopeIndex,
  around: Surroundings,
  watch: CallWatch = noWatch,
): Reading<PlacedCalls | undefined> {
  let data: PlacedCalls | undefined;
  let unknown: PlacedCalls | undefined;
  for (const envelope of index.untagged) {
    const found = yield* readEnvelope(envelope, source, at, at, watch, around);
    if (found === undefined) continue;
    const { end, calls, shape = envelope.name, isInterrupted = false } = found;
    const placed = { envelope: shape, tier: 3, start: at, end, calls, isInterrupted } as const;
    const callLike = calls.filter((call) => isCallLike(call));
    if (callLike.some(({ name }) => name === undefined || resolveName(source.tools, name) !== undefined)) return placed;
    // What names no tool may be a part of what another envelope reads as a call of one.
    if (callLike.length > 0) unknown ??= placed;
    // Prose in brackets can be read as data as well, and there may be calls in it.
    else if (found.isUncertain !== true) data ??= { ...placed, calls: [] };
  }
  return unknown ?? data;
}

/** Without an envelope only arguments tell a call from any object that has a name. One that cannot be read has none either. */
export function isCallLike(call: WrittenCall): boolean {
  return call.arguments !== undefined || call.ending !== 'closed' || call.name === undefined;
}

/**
 * Reads everything from an offset on as calls, in whatever envelopes; the last of them says where reading stopped.
 * Where a program is expected, `print(f())` and `x = f()` mean `f()`; elsewhere they are ordinary code.
 */
export function* readBody(
  source: GrowingText,
  from: number,
  index: EnvelopeIndex,
  isProgram: boolean,
  closers: readonly string[],
): Reading<readonly PlacedCalls[]> {
  const placed: PlacedCalls[] = [];
  const around = { closers, isCertain: false };
  let at = yield* skipSpace(source, from);
  while (at < source.text.length) {
    const next =
      (yield* readTagged(source, at, index)) ??
      (yield* readUntagged(source, at, index, around)) ??
      (isProgram ? yield* readProgram(source, at, closers) : undefined);
    if (next === undefined) return placed;
    if (next.calls.length === 0) return [];
    placed.push(next);
    if (next.isInterrupted === true) return placed;
    at = yield* skipSpace(source, next.end);
  }
  return placed;
}

/** Reads statements that each make one call. */
export function* readProgram(
  source: GrowingText,
  at: number,
  closers: readonly string[],
): Reading<PlacedCalls | undefined> {
  const place = { layout: { isList: true, isProgram: true }, closers, isCertain: false };
  const found = yield* readCallLiterals(source, at, place);
  return found && { envelope: 'call-text', tier: 3, start: at, end: found.end, calls: found.calls };
}
