import { noWatch, type CallWatch } from '../../source/call-watch.ts';
import { envelopesAt, type EnvelopeIndex } from '../../source/envelope-index.ts';
import type { OpenedEnvelope } from '../../source/opened-envelope.ts';
import type { WrittenCall } from '../../contract/envelope.ts';
import { readEnvelope, type Surroundings } from '../../source/growing-envelope.ts';
import { needleAt, passSpace, type GrowingText, type Reading } from '../../source/growing-text.ts';
import { resolveName } from '../../contract/resolve-name.ts';
import { propertySchema } from '../../arguments/text-values.ts';
import { readCallLiterals } from '../../arguments/code/read-call-literals.ts';

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
    data ??= placed;
  }
  return data;
}

const TAG = /^<([A-Za-z_]\w*)>$/;
const MOST_REPEATED = 3;

/** The same, with tags around it that were opened or closed more than once, or closed by opening them again. */
export function* readRepeatedlyTagged(
  source: GrowingText,
  at: number,
  index: EnvelopeIndex,
  opened: readonly OpenedEnvelope[],
  watchTier: (tier: 1 | 2) => CallWatch,
): Reading<PlacedCalls | undefined> {
  const tag = tagOf(source, opened);
  if (tag === undefined) return yield* readTagged(source, at, index, watchTier, opened);
  let start = at;
  for (let repeated = 0; repeated < MOST_REPEATED; repeated += 1) {
    const next = yield* passSpace(source, start + tag.length);
    if ((yield* needleAt(source, [tag], next)) === undefined) break;
    start = next;
  }
  const placed = yield* readTagged(source, start, index, watchTier, start === at ? opened : undefined);
  if (placed === undefined || placed.calls.length === 0 || placed.isInterrupted === true) return placed;
  const end = yield* behindStrayTags(source, placed.end, tag, index);
  return { ...placed, start: at, end };
}

/** Returns the opener that is a tag with nothing in it but a name. */
function tagOf(source: GrowingText, opened: readonly OpenedEnvelope[]): string | undefined {
  const tag = opened.find(({ envelope, opener }) => envelope.tier === 2 && TAG.test(opener))?.opener;
  // What looks like the tag once more may be an argument of the tool's own name.
  const tool = source.tools.find(({ name }) => tag === `<${name}>`);
  return tool !== undefined && propertySchema(tool.parameters, tool.name) !== undefined ? undefined : tag;
}

function* behindStrayTags(source: GrowingText, from: number, tag: string, index: EnvelopeIndex): Reading<number> {
  const closer = `</${tag.slice(1)}`;
  const isClosed = source.text.endsWith(closer, from);
  let end = from;
  for (let repeated = 0; repeated < MOST_REPEATED; repeated += 1) {
    const next = yield* passSpace(source, end);
    const found = yield* needleAt(source, [closer, tag], next);
    if (found === undefined || (found === tag && (isClosed || repeated > 0))) return end;
    if (found === tag && (yield* opensCall(source, next, tag, index))) return end;
    end = next + found.length;
  }
  return end;
}

const CODE = /[A-Za-z_]/;

/** Whether a tag that stands where its closer was due opens another call after all. */
function* opensCall(source: GrowingText, at: number, tag: string, index: EnvelopeIndex): Reading<boolean> {
  const body = yield* passSpace(source, at + tag.length);
  const first = source.text[body];
  if (first === undefined || !CODE.test(first)) return first !== undefined && '{[<`'.includes(first);
  const placed = yield* readTagged(source, at, index);
  return placed !== undefined && placed.calls.length > 0;
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
    else if (found.isDoubtful !== true) data ??= { ...placed, calls: [] };
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
  let at = yield* passSpace(source, from);
  while (at < source.text.length) {
    const next =
      (yield* readTagged(source, at, index)) ??
      (yield* readUntagged(source, at, index, around)) ??
      (isProgram ? yield* readProgram(source, at, closers) : undefined);
    if (next === undefined) return placed;
    if (next.calls.length === 0) return [];
    placed.push(next);
    if (next.isInterrupted === true) return placed;
    at = yield* passSpace(source, next.end);
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
