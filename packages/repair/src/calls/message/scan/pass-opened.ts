import { declares } from '../../contract/argument-shape.ts';
import { type CallWatch, noWatch } from '../../source/call-watch.ts';
import { mayOpenAt, type OpenedEnvelope } from '../../source/envelope-index.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';
import { type EnvelopeCalls, readOpened } from '../found-calls/read-found-calls.ts';
import type { LiveCall } from '../queue/message-sink.ts';
import { type Introduction, introductionOf, isDocumentation, subjectAfter } from './is-documentation.ts';
import { openQuotation, quotationEnd } from './quotation-marks.ts';
import type { Scan } from './scan.ts';

const tagPattern = /^<([A-Za-z_]\w*)>$/;
const maxRepeatedTags = 3;

/** The same call, with superfluous tags around it, or closed by a second opening tag. */
function* readRepeatedlyOpened(
  source: GrowingText,
  at: number,
  opened: readonly OpenedEnvelope[],
  watch: CallWatch,
): Reading<EnvelopeCalls | undefined> {
  const tag = tagOf(source, opened);
  if (tag === undefined) return yield* readOpened(source, at, watch);
  let start = at;
  for (let repeated = 0; repeated < maxRepeatedTags; repeated += 1) {
    const next = yield* source.skipSpace(start + tag.length);
    if ((yield* source.needleAt([tag], next)) === undefined) break;
    start = next;
  }
  const found = yield* readOpened(source, start, watch);
  if (found === undefined || found.calls.length === 0 || found.isInterrupted === true) return found;
  const end = yield* skipStrayTags(source, found.end, tag);
  return { ...found, start: at, end };
}

/** Returns the opener if it is a tag that contains only a name. */
function tagOf(source: GrowingText, opened: readonly OpenedEnvelope[]): string | undefined {
  const tag = opened.find(({ envelope, opener }) => envelope.tier === 2 && tagPattern.test(opener))?.opener;
  // A second tag of this name may be an argument with the tool's own name.
  const tool = source.tools.find(({ name }) => tag === `<${name}>`);
  return tool !== undefined && declares(tool, tool.name) ? undefined : tag;
}

function* skipStrayTags(source: GrowingText, from: number, tag: string): Reading<number> {
  const closer = `</${tag.slice(1)}`;
  const isClosed = source.text.endsWith(closer, from);
  let end = from;
  for (let repeated = 0; repeated < maxRepeatedTags; repeated += 1) {
    const next = yield* source.skipSpace(end);
    const found = yield* source.needleAt([closer, tag], next);
    if (found === undefined || (found === tag && (isClosed || repeated > 0))) return end;
    if (found === tag && (yield* opensCall(source, next, tag))) return end;
    end = next + found.length;
  }
  return end;
}

const codeStart = /[A-Za-z_]/;

/** Returns whether a tag instead of the closer opens another call. */
function* opensCall(source: GrowingText, at: number, tag: string): Reading<boolean> {
  const body = yield* source.skipSpace(at + tag.length);
  const first = source.text[body];
  if (first === undefined || !codeStart.test(first)) return first !== undefined && '{[<`'.includes(first);
  const found = yield* readOpened(source, at);
  return found !== undefined && found.calls.length > 0;
}

/** Reads the calls whose opener begins at the scan's offset. Returns false, without moving the scan, if none does. */
export function* passOpened(scan: Scan): Reading<boolean> {
  const { source, state } = scan;
  const { at } = state;
  if (!mayOpenAt(source.index, source.text, at, source.ended)) return false;
  const live: LiveCall[] = [];
  const opened = yield* source.envelopesAt(at);
  if (opened.length === 0) return false;
  const { quotation } = state;
  const isInSame = quotation !== undefined && source.base + at < quotation.until;
  const closers = isInSame ? quotation.closers : openQuotation(source, at, state.callsEnd - source.base);
  const introduction = (): Introduction =>
    scan.isRightAfter(state.shownEnd) ? 'label' : introductionOf(source, at, state.callsEnd - source.base);
  let watch = closers === undefined ? scan.watch(live) : noWatch;
  const isTag = opened.some(({ envelope }) => envelope.tier === 2);
  if (watch !== noWatch && isTag && introduction() !== undefined) watch = noWatch;
  const found = yield* readRepeatedlyOpened(source, at, opened, watch);
  if (found === undefined) return false;
  const { end, tier } = found;
  const hasCalls = found.calls.length > 0;
  const until = hasCalls && closers !== undefined ? yield* quotationEnd(source, end, closers) : undefined;
  if (closers !== undefined && until !== undefined) {
    scan.addCalls(end, [found], live, 'quotation');
    state.quotation = { closers, until: source.base + until };
  } else if (hasCalls && tier === 2 && (yield* source.matchAt(subjectAfter, end)) !== null) {
    scan.addCalls(end, [found], live, 'quotation');
  } else if (hasCalls && (tier === 1 || !(yield* isDocumentation(source, introduction(), end)))) {
    scan.addCalls(end, [found], live);
  } else if (hasCalls && introduction() === 'label') {
    state.shownEnd = source.base + end;
  }
  scan.goTo(Math.max(at + 1, end));
  return true;
}
