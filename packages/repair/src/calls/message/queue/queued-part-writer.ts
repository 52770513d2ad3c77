import type { GrowingText } from '../../source/growing-text.ts';
import type { PlacedCalls } from '../placed-calls/read-placed-calls.ts';
import { createGroup, type CallGroup } from './call-group.ts';
import type { MessageQueue } from './message-queue.ts';
import type { LiveCall } from './message-sink.ts';

/** The part of the scan's state that decides how calls are added. */
export interface ScanPosition {
  readonly at: number;
  readonly isHead: boolean;
  readonly isOtherTurn: boolean;
  madeEnd: number;
}

/** Writes what the scan finds to the queue, with the text before it. */
export interface PartWriter {
  /** Number of characters of the message that have been passed to the queue. */
  readonly passed: number;
  /** Passes the text up to an offset. */
  readonly pass: (to: number) => void;
  /** Adds calls that begin at the current offset. */
  readonly addMade: (
    state: ScanPosition,
    end: number,
    placed: readonly PlacedCalls[],
    live?: readonly LiveCall[],
  ) => void;
  /** Adds the calls of a quotation, to be rejected. */
  readonly addQuoted: (at: number, end: number, placed: PlacedCalls, live: readonly LiveCall[]) => void;
  /** Adds a code fence with calls as a candidate. */
  readonly addFence: (
    state: ScanPosition,
    end: number,
    placed: readonly PlacedCalls[],
    how: { readonly hasOwnLines: boolean; readonly isPrinted: boolean },
  ) => void;
  /** Adds calls without an envelope, one after the other, as a candidate. */
  readonly addSeries: (at: number, series: readonly PlacedCalls[], hasOwnLines: boolean) => void;
  /** Marks the offset from which the message may be one quoted text. */
  readonly addQuote: (at: number) => void;
  /** Marks the beginning or the end of an untrusted text. */
  readonly setUntrusted: (at: number, isBegin: boolean) => void;
}

const maxTextBefore = 400;

/** Creates a writer of the parts of a message. */
export function createPartWriter(source: GrowingText, queue: MessageQueue): PartWriter {
  let passed = 0;
  let isUntrusted = false;

  const pass = (to: number): void => {
    const from = passed - source.base;
    if (to <= from) return;
    queue.addText(source.text.slice(from, to), isUntrusted);
    passed = source.base + to;
  };
  const takeGroup = (
    at: number,
    end: number,
    placed: readonly PlacedCalls[],
    live?: readonly LiveCall[],
  ): CallGroup => {
    pass(at);
    passed = source.base + end;
    return createGroup(source, { start: at, end }, placed, live);
  };
  const textBefore = (at: number): string => source.text.slice(Math.max(0, at - maxTextBefore), at);
  return {
    get passed() {
      return passed;
    },
    pass,
    addMade: (state, end, placed, live) => {
      const group = takeGroup(state.at, end, placed, live);
      if (state.isOtherTurn) queue.addRefused(group, 'another_turn');
      else queue.addMade(group);
      state.madeEnd = source.base + end;
    },
    addQuoted: (at, end, placed, live) => queue.addRefused(takeGroup(at, end, [placed], live), 'quotation'),
    addFence: ({ at, isHead }, end, placed, how) => {
      const before = textBefore(at);
      queue.addCandidate({
        kind: 'fence',
        pieces: [takeGroup(at, end, placed)],
        isHead,
        ...how,
        before,
      });
    },
    addSeries: (at, series, hasOwnLines) => {
      const before = textBefore(at);
      pass(at);
      const pieces: (CallGroup | string)[] = [];
      for (const one of series) {
        pieces.push(source.text.slice(passed - source.base, one.start), createGroup(source, one, [one]));
        passed = source.base + one.end;
      }
      queue.addCandidate({ kind: 'bare', pieces, isHead: false, isPrinted: false, hasOwnLines, before });
    },
    addQuote: (at) => {
      pass(at);
      queue.addQuote(passed);
    },
    setUntrusted: (at, isBegin) => {
      pass(at);
      isUntrusted = isBegin;
    },
  };
}
