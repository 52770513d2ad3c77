import type { TextSpan } from '../../contract/envelope.ts';
import type { RejectedCall, RejectReason } from '../../contract/extraction.ts';
import type { GrowingText } from '../../source/growing-text.ts';
import type { EnvelopeCalls } from '../found-calls/read-found-calls.ts';
import { type CallGroup, createGroup } from './call-group.ts';
import type { LiveCall } from './message-sink.ts';

/**
 * A part of a message. `calls`: calls that count or are rejected. `fence` and `bare`: calls if the rest of the message allows it. `rejected`: a call in
 * text that was added before. `wholeQuote`: the offset from which the message may be calls between quotes.
 */
export type Part =
  | TextPart
  | CallsPart
  | { readonly kind: 'rejected'; readonly rejected: RejectedCall }
  | Candidate
  | { readonly kind: 'wholeQuote'; readonly start: number };

interface TextPart {
  readonly kind: 'text';
  text: string;
  readonly isUntrusted: boolean;
}

/** Calls, or with a `reason` calls that are rejected. */
interface CallsPart {
  readonly kind: 'calls';
  readonly group: CallGroup;
  readonly reason: RejectReason | undefined;
}

/** Calls if the rest of the message allows it. */
export interface Candidate {
  readonly kind: 'fence' | 'bare';
  readonly segments: readonly (TextPart | CallsPart)[];
  readonly isHead: boolean;
  readonly hasOwnLines: boolean;
  /** Whether it is inside a print statement, so that it counts only at the beginning of the message and with text after it. */
  readonly isPrinted: boolean;
  /** The end of the text before it. */
  readonly before: string;
}

/** Returns whether a part contains calls that count. */
export function isCounted(part: Part): part is CallsPart {
  return part.kind === 'calls' && part.reason === undefined;
}

/** Returns whether a part is a candidate. */
export function isCandidate(part: Part | undefined): part is Candidate {
  return part?.kind === 'fence' || part?.kind === 'bare';
}

/** Returns the text of a part. */
export function textOf(part: Part): string {
  if (part.kind === 'text') return part.text;
  if (part.kind === 'calls') return part.group.text;
  return isCandidate(part) ? part.segments.map(textOf).join('') : '';
}

function startOf(part: Part): number {
  if (part.kind === 'rejected') return part.rejected.start;
  const calls = isCandidate(part) ? part.segments.find(isCounted) : part;
  return calls?.kind === 'calls' ? calls.group.start : 0;
}

const maxTextBefore = 400;

/** The parts of a message that are undecided, and the parts after them. The scan adds what it finds. */
export class QueuedParts {
  list: Part[] = [];
  /** Number of characters of the message that have been added. */
  passed = 0;
  /** Whether a call has been sent or shown, so that candidates no longer count. */
  isShown = false;
  /** Whether a call is shown while it is written, so that it may still be rejected. */
  isBegun = false;
  /** Whether the scan is inside an untrusted text. */
  isUntrusted = false;
  private readonly source: GrowingText;

  constructor(source: GrowingText) {
    this.source = source;
  }

  /** Returns whether calls count, so that bare calls no longer do. */
  hasCounted(): boolean {
    return this.isShown || this.list.some(isCounted);
  }

  /** Adds the text up to an offset. */
  pass(to: number): void {
    const { base, text } = this.source;
    const from = this.passed - base;
    if (to <= from) return;
    this.addText(text.slice(from, to), this.isUntrusted);
    this.passed = base + to;
  }

  /** `isUntrusted`: the text is in a fence around untrusted text. */
  addText(text: string, isUntrusted = false): void {
    if (text === '') return;
    const last = this.list.at(-1);
    if (last?.kind === 'text' && last.isUntrusted === isUntrusted) last.text += text;
    else this.list.push({ kind: 'text', text, isUntrusted });
  }

  /** Adds calls. `reason`: why they do not count. */
  addCalls(
    at: number,
    end: number,
    found: readonly EnvelopeCalls[],
    live: readonly LiveCall[],
    reason: RejectReason | undefined,
  ): void {
    this.list.push({ kind: 'calls', group: this.take(at, end, found, live), reason });
  }

  /** Adds groups of calls, one after the other, that may count. */
  addCandidate(
    how: Omit<Candidate, 'segments' | 'before'>,
    groups: readonly (TextSpan & { readonly found: readonly EnvelopeCalls[] })[],
  ): void {
    const { source } = this;
    const { base, text } = source;
    const at = groups[0]?.start ?? 0;
    this.pass(at);
    const segments = groups.flatMap(({ start, end, found }): Candidate['segments'] => {
      const between = text.slice(this.passed - base, start);
      this.passed = base + start;
      const group = this.take(start, end, found);
      return [
        { kind: 'text', text: between, isUntrusted: false },
        { kind: 'calls', group, reason: undefined },
      ];
    });
    this.list.push({ ...how, segments, before: source.before(at, maxTextBefore) });
  }

  /** Turns the parts that begin at an offset of the message or later into text. A region may itself be a whole quote. */
  mask(from: number): void {
    const known = this.list;
    this.list = [];
    for (const part of known) {
      const isKept = part.kind === 'wholeQuote' ? part.start <= from : part.kind !== 'text' && startOf(part) < from;
      if (isKept) this.list.push(part);
      else this.addText(textOf(part), part.kind === 'text' && part.isUntrusted);
    }
  }

  private take(start: number, end: number, found: readonly EnvelopeCalls[], live?: readonly LiveCall[]): CallGroup {
    this.pass(start);
    this.passed = this.source.base + end;
    this.isBegun = false;
    return createGroup(this.source, { start, end }, found, live);
  }
}
