import { isFirstHalf } from '../../json/text/characters.ts';
import { checkExtractOptions } from '../contract/check-extract-options.ts';
import type { ExtractedCall, ExtractOptions } from '../contract/extraction.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';
import { allEnvelopes } from '../envelopes/index.ts';
import { rejectedCall } from '../settle/rejected-call.ts';
import { type ArgumentsWatch, noWatch } from '../source/call-watch.ts';
import { indexEnvelopes } from '../source/envelope-index.ts';
import { endedText, firstOf, type GrowingText, type Wait, watchNeedles } from '../source/growing-text.ts';
import type { MessageSink } from './queue/message-sink.ts';
import { createPartSender } from './queue/part-sender.ts';
import { QueuedParts } from './queue/queued-parts.ts';
import { reportMentions } from './mentions/report-mentions.ts';
import { reasoningClosers } from './scan/pass-prose.ts';
import { scanMessage } from './scan/scan-message.ts';
import { beginning, type OpenRegion, type Scan } from './scan/scan-state.ts';

interface MessageReader {
  readonly push: (chunk: string) => void;
  /** Ends the message, with the reason. */
  readonly end: (stopped?: 'stop' | 'length') => void;
}

const keptContext = 512;
const minForgotten = 2_048;
const smallText = 16_384;
const joinShare = 64;

/** Number of untrusted texts in which calls are reported: each is read like a message. */
const maxReportedTexts = 16;

/**
 * Creates a reader that sends the parts of a message to a sink as soon as no further text can change them. `whole`: the
 * complete message, if it is available. `isUntrusted`: whether it was in a fence around untrusted text.
 */
export function createMessageReader(
  options: ExtractOptions,
  sink: MessageSink,
  whole?: string,
  isUntrusted = false,
): MessageReader {
  const tools = checkExtractOptions(options);
  const { startsInReasoning } = options;
  const index = indexEnvelopes(options.envelopes ?? allEnvelopes, tools);
  const source: GrowingText = {
    ...endedText({ ...options, text: whole ?? '', tools }),
    ended: whole !== undefined,
    calls: index.fixed,
  };
  const mentions = reportMentions(tools, sink);
  const queue = new QueuedParts(source);
  const sender = createPartSender(source, index, queue, mentions.sink);
  let regions: WatchedRegion[] = [];
  let pending: string[] = [];
  let size = 0;
  let wait: Wait;
  /** Whether there is enough pending text to continue. */
  let isDue = false;
  /** Whether reasoning has begun that never ends. */
  let isReasoningOpen = false;
  let reported = 0;
  const scan: Scan = {
    source,
    index,
    queue,
    state: { ...beginning, mayBeReasoning: startsInReasoning === undefined },
    reportCalls: (text, start) => {
      reported += 1;
      if (reported > maxReportedTexts) return;
      const report = ({ name, ...span }: Pick<ExtractedCall, 'start' | 'end'> & { readonly name?: string }): void => {
        const moved = { start: start + span.start, end: start + span.end };
        queue.list.push({ kind: 'rejected', rejected: rejectedCall(tools, 'quotation', moved, name) });
      };
      const how = { ...options, tools, stopped: 'stop', startsInReasoning: false } as const;
      createMessageReader(how, { text: () => {}, rejected: report, call: report }, text, true).end();
    },
    isUntrusted,
    openRegion: ({ inside, ...kind }) => {
      const region = { ...kind, start: source.base + scan.state.at, state: { ...scan.state }, fences: queue.fences };
      const { closers, barrier, isReasoning } = region;
      const needles = barrier === undefined ? closers : [...closers, barrier];
      const { at, needle } = firstOf(source, needles, inside);
      if (at !== -1 && needle !== barrier) {
        skipRegion(region, source.base + at + needle.length);
        return true;
      }
      const look = watchNeedles(source.text.slice(inside), needles);
      if (at === -1 && !source.ended) regions.push({ region, base: source.base + inside, look });
      if (isReasoning && source.ended) isReasoningOpen = true;
      return false;
    },
    isInReasoning: () => isReasoningOpen || regions.some(({ region }) => region.isReasoning),
    hasOpenRegion: () => regions.length > 0,
    endReasoning: (end) => {
      queue.pass(end);
      sender.rejectReasoning();
      scan.state = { ...beginning, at: end, isLineStart: false, isFresh: false, mayBeReasoning: false };
    },
    watch: (live) => {
      if (sink.begin === undefined || regions.length > 0 || scan.state.isOtherTurn) return noWatch;
      const begin = (name: string): ArgumentsWatch | undefined => {
        const resolved = resolveName(tools, name);
        if (resolved === undefined) return undefined;
        queue.pass(scan.state.at);
        queue.isBegun = true;
        flush();
        const call = sink.begin?.(resolved.tool.name);
        if (call !== undefined) live.push(call);
        return call?.watch;
      };
      return { isOn: true, begin };
    },
    forget: () => {
      const before = scan.state.at - keptContext;
      if (source.ended || before < minForgotten) return;
      queue.pass(scan.state.at);
      source.text = source.text.slice(before);
      source.base += before;
      source.finds.clear();
      scan.state.at -= before;
    },
  };
  /** Continues after a region that turned out to be prose. */
  const skipRegion = ({ start, state, isReasoning, fences }: OpenRegion, end: number): void => {
    const at = end - source.base;
    queue.pass(at);
    queue.mask((part, callAt) =>
      (part.kind === 'wholeQuote' ? part.start <= start : callAt < start) ? part : undefined,
    );
    queue.fences = fences;
    const isHead = isReasoning && state.isHead;
    const mayBeReasoning = state.mayBeReasoning && !isReasoning;
    scan.state = { ...state, at, isLineStart: false, isFresh: false, isHead, mayBeReasoning };
  };
  /** Returns whether a chunk closes a region, so that the reading starts again after it. */
  const closeRegions = (chunk: string): boolean => {
    const left: WatchedRegion[] = [];
    for (const one of regions) {
      const found = one.look(chunk);
      if (found !== undefined && found.needle !== one.region.barrier) {
        regions = left;
        arrive();
        skipRegion(one.region, one.base + found.end);
        isDue = true;
        return true;
      }
      if (found === undefined) left.push(one);
    }
    regions = left;
    return false;
  };
  const arrive = (): void => {
    if (pending.length > 0) source.text += pending.join('');
    pending = [];
    size = 0;
  };
  const flush = (): void => {
    const { mayBeReasoning, at } = scan.state;
    const undecidedFrom = regions[0]?.region.start ?? Number.POSITIVE_INFINITY;
    const rest = source.text.slice(queue.passed - source.base, at + keptContext);
    sender.flush({ undecidedFrom, mayBeReasoning, rest });
  };
  const run = (): void => {
    wait = scanning.next().value;
    queue.pass(withoutHalf(source.text, scan.state.at));
    flush();
  };

  if (startsInReasoning === true) scan.openRegion({ isReasoning: true, closers: reasoningClosers, inside: 0 });
  let scanning = scanMessage(scan);
  return {
    push: (chunk) => {
      if (chunk === '') return;
      pending.push(chunk);
      size += chunk.length;
      if (closeRegions(chunk)) scanning = scanMessage(scan);
      else isDue ||= wait === undefined || wait(chunk);
      // Joining copies all the pending text, so it waits until the new text is a fixed share of that.
      if (!isDue || size < (source.text.length - smallText) / joinShare) return;
      isDue = false;
      arrive();
      run();
    },
    end: (why) => {
      if (why !== undefined) source.stopped = why;
      source.ended = true;
      isReasoningOpen ||= scan.isInReasoning();
      regions = [];
      arrive();
      run();
      queue.pass(source.text.length);
      sender.finish();
      mentions.finish();
    },
  };
}

interface WatchedRegion {
  readonly region: OpenRegion;
  /** The offset from which its watch counts. */
  readonly base: number;
  readonly look: ReturnType<typeof watchNeedles>;
}

/** Returns an offset, moved before the first half of a surrogate pair that would end the text. The other half may still arrive. */
function withoutHalf(text: string, to: number): number {
  return isFirstHalf(text.charCodeAt(to - 1)) ? to - 1 : to;
}
