import { createGroup, type CallGroup } from './queue/call-group.ts';
import { checkExtractOptions } from '../contract/check-options.ts';
import { noWatch, type CallWatch } from '../source/call-watch.ts';
import { watchDoubt, type Doubt, type Outcome } from './scan/doubts.ts';
import { allEnvelopes } from '../envelopes/index.ts';
import { indexEnvelopes } from '../source/envelope-index.ts';
import type { ExtractOptions, ExtractedCall } from '../contract/extraction.ts';
import { firstOf, type GrowingText, type Wait } from '../source/growing-text.ts';
import { createMessageQueue } from './queue/message-queue.ts';
import { reportMentions } from './queue/report-mentions.ts';
import type { LiveCall, MessageSink } from './queue/message-sink.ts';
import { resolveName } from '../contract/resolve-name.ts';
import { rejectedCall } from '../settle/rejected-call.ts';
import { scanMessage, type Scan, type ScanState } from './scan-message.ts';
import { reasoningClosers } from './scan/talk.ts';

/** Reads a message that arrives in pieces. */
export interface MessageReader {
  readonly push: (piece: string) => void;
  /** Says that nothing more comes, and why. */
  readonly end: (stopped?: 'stop' | 'length') => void;
}

const CONTEXT = 512;
const FORGET = 2_048;
const SMALL = 16_384;
const SHARE = 64;
/** Calls in so many texts of strangers are reported, since each is read like a message. */
const MOST_REPORTED = 16;

/**
 * Makes a reader that tells a sink what a message turns out to be, as soon as nothing that may follow can change it.
 * `whole`: the message, if it is there already. `isUntrusted`: whether it stood between marks of untrusted text.
 */
export function createMessageReader(
  options: ExtractOptions,
  sink: MessageSink,
  whole?: string,
  isUntrusted = false,
): MessageReader {
  const tools = checkExtractOptions(options);
  const { stopped, limits, startsInReasoning } = options;
  const index = indexEnvelopes(options.envelopes ?? allEnvelopes, tools);
  const source: GrowingText = {
    text: whole ?? '',
    tools,
    ...(stopped === undefined ? {} : { stopped }),
    ...(limits === undefined ? {} : { limits }),
    ended: whole !== undefined,
    base: 0,
    calls: index.fixed,
    spent: 0,
    guessed: 0,
    finds: new Map(),
  };
  const mentions = reportMentions(tools, sink);
  const queue = createMessageQueue(source, index, mentions.sink);
  let doubts: OpenDoubt[] = [];
  let pending: string[] = [];
  let size = 0;
  let wait: Wait;
  /** Whether reading can go on with what is pending. */
  let isDue = false;
  /** Whether reasoning has begun of which it is known that it never ends. */
  let isReasoningOpen = false;
  /** How much of the message has gone to the queue. */
  let passed = 0;
  /** Number of texts of strangers in the message. */
  let reported = 0;
  /** Whether the text that passes was written by strangers. */
  let isQuoting = false;

  const pass = (to: number): void => {
    const from = passed - source.base;
    if (to <= from) return;
    queue.addText(source.text.slice(from, to), isQuoting);
    passed = source.base + to;
  };
  const takeGroup = (end: number, placed: CallGroup['placed'], live?: CallGroup['live']): CallGroup => {
    pass(scan.state.at);
    passed = source.base + end;
    return createGroup(source, { start: scan.state.at, end }, placed, live);
  };
  const scan: Scan = {
    source,
    index,
    queue,
    state: { ...beginning, mayBeReasoning: startsInReasoning === undefined },
    addMade: (end, placed, live) => {
      const { isHead, isOtherTurn } = scan.state;
      const group = takeGroup(end, placed, live);
      if (isOtherTurn) queue.addRefused(group, 'another_turn');
      else queue.addMade(group, isHead && placed.some(({ tier }) => tier === 3));
      scan.state.madeEnd = source.base + end;
    },
    addQuoted: (end, placed, live) => queue.addRefused(takeGroup(end, placed, live), 'quotation'),
    quote: (isBegin) => {
      pass(scan.state.at);
      isQuoting = isBegin;
    },
    reportCalls: (text, start) => {
      reported += 1;
      if (reported > MOST_REPORTED || text.trim() === '') return;
      const report = ({ name, ...span }: Pick<ExtractedCall, 'start' | 'end'> & { readonly name?: string }): void =>
        queue.addRejected(rejectedCall(tools, 'quotation', { start: start + span.start, end: start + span.end }, name));
      const heard = { text: () => {}, rejected: report, call: report };
      createMessageReader({ ...options, tools, stopped: 'stop', startsInReasoning: false }, heard, text, true).end();
    },
    isUntrusted,
    addFence: (end, placed, { hasOwnLines, isPrinted }) => {
      const before = textBefore(source, scan.state.at);
      const group = takeGroup(end, placed);
      const { isHead } = scan.state;
      queue.addCandidate({
        kind: 'fence',
        pieces: [group],
        isHead,
        followsMade: false,
        hasOwnLines,
        isPrinted,
        before,
      });
    },
    addSeries: (series, followsMade, hasOwnLines) => {
      const before = textBefore(source, scan.state.at);
      pass(scan.state.at);
      const pieces: (CallGroup | string)[] = [];
      for (const one of series) {
        pieces.push(source.text.slice(passed - source.base, one.start));
        pieces.push(createGroup(source, one, [one]));
        passed = source.base + one.end;
      }
      queue.addCandidate({ kind: 'bare', pieces, isHead: false, followsMade, hasOwnLines, isPrinted: false, before });
    },
    addQuote: () => {
      pass(scan.state.at);
      queue.addQuote(passed);
    },
    doubt: ({ inside, ...doubt }) =>
      raise({ ...doubt, start: source.base + scan.state.at, state: { ...scan.state }, fences: queue.fences }, inside),
    isInReasoning: () => isReasoningOpen || doubts.some(({ doubt }) => doubt.isReasoning),
    isInDoubt: () => doubts.length > 0,
    leaveReasoning: (end) => {
      pass(end);
      queue.maskReasoning();
      scan.state = { ...beginning, at: end, isLineStart: false, isFresh: false, mayBeReasoning: false };
    },
    isWatched: sink.begin !== undefined,
    watch: (live) => (sink.begin === undefined || doubts.length > 0 || scan.state.isOtherTurn ? noWatch : watch(live)),
    forget: () => {
      const before = scan.state.at - CONTEXT;
      if (source.ended || before < FORGET) return;
      pass(scan.state.at);
      source.text = source.text.slice(before);
      source.base += before;
      source.finds.clear();
      scan.state.at -= before;
    },
  };
  const watch = (live: LiveCall[]): CallWatch => ({
    isOn: true,
    begin: (name) => {
      const resolved = resolveName(tools, name);
      if (resolved === undefined) return undefined;
      pass(scan.state.at);
      queue.makeCertain();
      flush();
      const call = sink.begin?.(resolved.tool.name);
      if (call !== undefined) live.push(call);
      return call?.watch;
    },
  });

  /** Whether something that begins is closed already; what is not, may still be. */
  const raise = (doubt: MessageDoubt, inside: number): boolean => {
    const { closers, barrier, isReasoning } = doubt;
    const needles = barrier === undefined ? closers : [...closers, barrier];
    const { at, needle } = firstOf(source, needles, inside);
    if (at !== -1 && needle !== barrier) {
      leave(doubt, source.base + at + needle.length);
      return true;
    }
    const look = watchDoubt(needles, barrier, source.text.slice(inside), source.base + source.text.length);
    if (at === -1 && !source.ended) doubts.push({ doubt, look });
    if (isReasoning && source.ended) isReasoningOpen = true;
    return false;
  };
  /** Goes on behind something that was nothing but talk. */
  const leave = ({ start, state, isReasoning, fences }: MessageDoubt, end: number): void => {
    const at = end - source.base;
    pass(at);
    queue.mask(start);
    queue.fences = fences;
    const isHead = isReasoning && state.isHead;
    const mayBeReasoning = state.mayBeReasoning && !isReasoning;
    scan.state = { ...state, at, isLineStart: false, isFresh: false, isHead, mayBeReasoning };
  };
  /** Looks whether a piece that has arrived ends a doubt; `true` when reading begins again behind it. */
  const settleDoubts = (piece: string): boolean => {
    const left: OpenDoubt[] = [];
    for (const one of doubts) {
      const outcome = one.look(piece);
      if (outcome?.isClosed === true) {
        doubts = left;
        arrive();
        leave(one.doubt, outcome.end);
        isDue = true;
        return true;
      }
      if (outcome === undefined) left.push(one);
    }
    doubts = left;
    return false;
  };
  const arrive = (): void => {
    if (pending.length > 0) source.text += pending.join('');
    pending = [];
    size = 0;
  };
  const flush = (): void => {
    const { mayBeReasoning, at } = scan.state;
    const doubtfulFrom = doubts[0]?.doubt.start ?? Number.POSITIVE_INFINITY;
    const rest = source.text.slice(passed - source.base, at + CONTEXT);
    queue.flush({ doubtfulFrom, mayBeReasoning, rest });
  };
  const run = (): void => {
    const step = scanning.next();
    wait = step.done === true ? undefined : step.value;
    pass(withoutHalf(source, scan.state.at));
    flush();
  };

  if (startsInReasoning === true) {
    const doubt = { start: 0, state: { ...scan.state }, fences: 0, isReasoning: true, closers: reasoningClosers };
    raise({ ...doubt, barrier: undefined }, 0);
  }
  let scanning = scanMessage(scan);
  return {
    push: (piece) => {
      if (piece === '') return;
      pending.push(piece);
      size += piece.length;
      if (settleDoubts(piece)) scanning = scanMessage(scan);
      else isDue ||= wait === undefined || wait(piece);
      // Joining what has arrived costs as much as all that is held, so that it waits for a share of that.
      if (!isDue || size < (source.text.length - SMALL) / SHARE) return;
      isDue = false;
      arrive();
      run();
    },
    end: (why) => {
      if (why !== undefined) source.stopped = why;
      source.ended = true;
      isReasoningOpen ||= scan.isInReasoning();
      doubts = [];
      arrive();
      run();
      pass(source.text.length);
      queue.finish();
      mentions.finish();
    },
  };
}

type MessageDoubt = Doubt<ScanState> & { readonly fences: number };

interface OpenDoubt {
  readonly doubt: MessageDoubt;
  readonly look: (piece: string) => Outcome | undefined;
}

const beginning: Omit<ScanState, 'mayBeReasoning'> = {
  at: 0,
  isLineStart: true,
  isFresh: true,
  isHead: true,
  noise: 0,
  isColonDue: false,
  quotations: 0,
  quotation: undefined,
  attempts: 0,
  isOtherTurn: false,
  madeEnd: 0,
};

const REACH = 400;

function textBefore({ text }: GrowingText, at: number): string {
  return text.slice(Math.max(0, at - REACH), at);
}

/** Half a surrogate pair at the end of what is there waits for its other half. */
function withoutHalf({ text, ended }: GrowingText, to: number): number {
  const last = text.charCodeAt(to - 1);
  return !ended && to === text.length && last >= 0xd800 && last < 0xdc00 ? to - 1 : to;
}
