import { resolveName } from '../../contract/resolve-tool-name.ts';
import { type CallWatch, noWatch } from '../../source/call-watch.ts';
import type { GrowingText, Reading } from '../../source/growing-text.ts';
import { watchNeedles } from '../../source/needles.ts';
import type { RejectReason } from '../../contract/extraction.ts';
import type { EnvelopeCalls } from '../found-calls/read-found-calls.ts';
import type { LiveCall, MessageSink } from '../queue/message-sink.ts';
import { createPartSender, type PartSender } from '../queue/part-sender.ts';
import { QueuedParts } from '../queue/queued-parts.ts';
import { beginning, type ScanState } from './scan-state.ts';

/** A region that has begun and contains only prose if it is closed. */
interface OpenRegion {
  /** Its start, from the beginning of the message. */
  readonly start: number;
  /** The state at its start, from which reading continues after it. */
  readonly state: ScanState;
  readonly isReasoning: boolean;
  /** The text that shows that it will not be closed. */
  readonly barrier: string | undefined;
  /** Takes the next chunk of the message, and returns the closers and barriers that it completes. */
  readonly look: ReturnType<typeof watchNeedles>;
}

const keptContext = 512;
const minForgotten = 2_048;
const maxAttempts = 32;
const maxGap = 100;

/** The scan of a message: its text, its state, the regions that are open, and the queue of the parts that it found. */
export class Scan {
  readonly source: GrowingText;
  readonly queue: QueuedParts;
  /** Reports the calls in an untrusted text that began at an offset of the message. Missing if the whole message is untrusted. */
  readonly reportCalls: ((text: string, start: number) => void) | undefined;
  state: ScanState = { ...beginning };
  private readonly sender: PartSender;
  private readonly sink: MessageSink;
  private regions: OpenRegion[] = [];
  /** Whether reasoning has begun that never ends. */
  private isReasoningOpen = false;

  constructor(source: GrowingText, sink: MessageSink, reportCalls: Scan['reportCalls']) {
    this.source = source;
    this.sink = sink;
    this.reportCalls = reportCalls;
    this.queue = new QueuedParts(source);
    this.sender = createPartSender(source, this.queue, sink);
  }

  isInReasoning(): boolean {
    return this.isReasoningOpen || this.regions.some(({ isReasoning }) => isReasoning);
  }

  hasOpenRegion(): boolean {
    return this.regions.length > 0;
  }

  /** Returns whether bare calls are no longer looked for: after a found call, many attempts or another turn. */
  areBareCallsOver(): boolean {
    return this.state.isOtherTurn || this.state.attempts >= maxAttempts || this.queue.hasCounted();
  }

  /**
   * Opens a region that is prose if one of `closers` closes it, and `barrier` does not come first. `inside`: the offset of
   * its content. Returns whether it is closed and was skipped.
   */
  openRegion(isReasoning: boolean, inside: number, closers: readonly string[], barrier?: string): boolean {
    const { source, state } = this;
    const needles = barrier === undefined ? closers : [...closers, barrier];
    const region: OpenRegion = {
      start: source.base + state.at,
      state: { ...state },
      isReasoning,
      barrier,
      look: watchNeedles(needles, source.base + source.text.length, source.text.slice(inside)),
    };
    const { at, needle } = source.firstOf(needles, inside);
    if (at !== -1 && needle !== barrier) {
      this.skipRegion(region, source.base + at + needle.length);
      return true;
    }
    if (at === -1 && !source.ended) this.regions.push(region);
    this.isReasoningOpen ||= isReasoning && source.ended;
    return false;
  }

  /** Takes a chunk that is not yet part of the text. Returns a function that skips the region that it closes. */
  closeRegions(chunk: string): (() => void) | undefined {
    const left: OpenRegion[] = [];
    for (const region of this.regions) {
      const [found] = region.look(chunk);
      if (found !== undefined && found.needle !== region.barrier) {
        this.regions = left;
        return () => this.skipRegion(region, found.end);
      }
      if (found === undefined) left.push(region);
    }
    this.regions = left;
    return undefined;
  }

  /** Continues after a region that turned out to be prose. */
  private skipRegion({ start, state, isReasoning }: OpenRegion, end: number): void {
    const at = end - this.source.base;
    this.queue.pass(at);
    this.queue.mask(start);
    const isHead = isReasoning && state.isHead;
    const mayBeReasoning = state.mayBeReasoning && !isReasoning;
    this.state = { ...state, at, isLineStart: false, isFresh: false, isHead, mayBeReasoning };
  }

  /** Treats the message up to an offset as reasoning. */
  endReasoning(end: number): void {
    this.queue.pass(end);
    this.sender.rejectReasoning();
    this.state = { ...beginning, at: end, isLineStart: false, isFresh: false, mayBeReasoning: false };
  }

  /** Returns the receiver of calls that begin at the current offset. Calls that are shown are added to `live`. */
  watch(live: LiveCall[]): CallWatch {
    const { source, queue, sink, state } = this;
    if (sink.begin === undefined || this.hasOpenRegion() || state.isOtherTurn) return noWatch;
    const begin: CallWatch['begin'] = (name) => {
      const tool = resolveName(source.tools, name);
      if (tool === undefined) return undefined;
      queue.pass(this.state.at);
      queue.isBegun = true;
      this.flush();
      const call = sink.begin?.(tool.name);
      if (call !== undefined) live.push(call);
      return call?.watch;
    };
    return { begin };
  }

  /** Sends the parts that no further text can change. */
  flush(): void {
    const { source, queue, regions } = this;
    const { mayBeReasoning, at } = this.state;
    const undecidedFrom = regions[0]?.start ?? Number.POSITIVE_INFINITY;
    const rest = source.text.slice(queue.passed - source.base, at + keptContext);
    this.sender.flush({ undecidedFrom, mayBeReasoning, rest });
  }

  /** Drops text that is no longer needed. */
  forget(): void {
    const { source, state, queue } = this;
    const before = state.at - keptContext;
    if (source.ended || before < minForgotten) return;
    queue.pass(state.at);
    source.text = source.text.slice(before);
    source.base += before;
    source.finds.clear();
    state.at -= before;
  }

  /** Adds calls that begin at the current offset, and continues after them. `reason`: why they do not count. */
  addCalls(end: number, found: readonly EnvelopeCalls[], live: readonly LiveCall[] = [], reason?: RejectReason): void {
    const { state, queue } = this;
    queue.addCalls(state.at, end, found, live, reason ?? (state.isOtherTurn ? 'another_turn' : undefined));
    if (reason === undefined) state.callsEnd = queue.passed;
    this.goTo(end);
  }

  /** Returns whether at most a little space precedes the current offset, after an offset of the message. */
  isRightAfter(end: number): boolean {
    const { source, state } = this;
    const length = source.base + state.at - end;
    return length < maxGap && source.before(state.at, length).trim() === '';
  }

  /** Continues at an offset inside a line. */
  goTo(at: number): void {
    const { state } = this;
    state.at = at;
    state.isLineStart = false;
    state.isFresh = false;
    state.isHead = false;
  }

  /** Skips the text up to and including one of the needles. `passed` receives the text before it. */
  *passUntil(needles: readonly string[], passed: (text: string) => void = () => {}): Reading<string> {
    const { source } = this;
    const longest = Math.max(...needles.map(({ length }) => length));
    for (;;) {
      const from = this.state.at;
      const { at, needle } = source.firstOf(needles, from);
      const { length } = source.text;
      const end = at !== -1 ? at : source.ended ? length : Math.max(from, length - longest + 1);
      passed(source.text.slice(from, end));
      this.goTo(end + needle.length);
      if (at !== -1 || source.ended) return needle;
      this.forget();
      yield undefined;
    }
  }

  /** Notes that the text is complete, so that open regions are never closed. */
  endText(): void {
    this.source.ended = true;
    this.isReasoningOpen = this.isInReasoning();
    this.regions = [];
  }

  /** Sends the remaining parts after the whole text was read. */
  finish(): void {
    this.queue.pass(this.source.text.length);
    this.sender.finish(this.state.fences);
  }
}
