import { judgeGroup, type CallGroup, type JudgedCall } from './call-group.ts';
import type { EnvelopeIndex } from '../source/envelope-index.ts';
import type { GrowingText } from '../source/growing-text.ts';
import { isNoiseAfter, mayBeNoiseAfter, messageEnd } from './scan/message-bounds.ts';
import type { RejectReason, RejectedCall } from '../contract/extraction.ts';
import { rejectedCall } from '../settle/rejected-call.ts';
import type { MessageSink } from './message-sink.ts';
import type { WrittenCall } from '../contract/envelope.ts';
import { readQuotedMessage } from './scan/read-quoted-message.ts';

/**
 * Parts of a message in their order. `made`: calls for certain. `fence` and `bare`: calls if the message ends in the right
 * way. `rejected`: a call in text that was passed. `quote`: where a message begins that may be nothing but calls between quotes.
 */
type Part =
  | { readonly kind: 'text'; text: string }
  | MadePart
  | { readonly kind: 'rejected'; readonly rejected: RejectedCall }
  | Candidate
  | { readonly kind: 'quote'; readonly start: number };

/** Calls for certain, or, with a reason, what looks like calls and is none. */
interface MadePart {
  readonly kind: 'made';
  readonly group: CallGroup;
  readonly isHead: boolean;
  readonly reason: 'reasoning' | 'quotation' | undefined;
}

/** Calls if the message ends in the right way. */
export interface Candidate {
  readonly kind: 'fence' | 'bare';
  /** The calls, and what stands between them. */
  readonly pieces: readonly (CallGroup | string)[];
  /** Whether it opens the message. */
  readonly isHead: boolean;
  /** Whether it goes on where calls were made, and nothing stands between. */
  readonly followsMade: boolean;
}

/** What has to be known of the rest to decide about the parts before it. */
export interface Outlook {
  /** From where on parts may still turn out not to have been said. */
  readonly doubtfulFrom: number;
  /** Whether calls may still turn out to stand in reasoning that lost its beginning. */
  readonly mayBeReasoning: boolean;
  /** What follows the parts and is no part yet. */
  readonly rest: string;
}

/** The parts of a message about which something is undecided, and what comes after them. */
export interface MessageQueue {
  readonly addText: (text: string) => void;
  readonly addMade: (group: CallGroup, isHead: boolean) => void;
  /** Adds what looks like calls and is quoted. */
  readonly addQuoted: (group: CallGroup) => void;
  /** Adds a call that stands in the text before. */
  readonly addRejected: (rejected: RejectedCall) => void;
  readonly addCandidate: (candidate: Candidate) => void;
  readonly addQuote: (start: number) => void;
  /** Whether calls have been made, so that what has nothing around it is none. */
  readonly hasMade: () => boolean;
  /** Says that a call has begun that will be made. */
  readonly makeCertain: () => void;
  /** Turns what was found from an offset on into text. */
  readonly mask: (from: number) => void;
  /** Rejects what was found so far: it stood in reasoning. */
  readonly maskReasoning: () => void;
  /** How many fences have been filled with calls. */
  fences: number;
  /** Tells of every part that is decided. */
  readonly flush: (outlook: Outlook) => void;
  /** Decides what only the end of the message decides, and tells of everything. */
  readonly finish: () => void;
}

/** Makes an empty queue. */
export function createMessageQueue(source: GrowingText, index: EnvelopeIndex, sink: MessageSink): MessageQueue {
  let parts: Part[] = [];
  let isCertain = false;
  const headCalls = new Set<string>();

  const addText = (text: string): void => {
    if (text === '') return;
    const last = parts.at(-1);
    if (last?.kind === 'text') last.text += text;
    else parts.push({ kind: 'text', text });
  };
  const hasMade = (): boolean => isCertain || parts.some(isMade);

  const tell = (part: Part): void => {
    if (part.kind === 'text') sink.text(part.text);
    else if (part.kind === 'made') tellGroup(part.group, part.isHead, part.reason);
    else if (part.kind === 'rejected') sink.rejected(part.rejected, '', undefined);
    else if (part.kind !== 'quote') sink.text(textOf(part));
  };
  const tellGroup = (group: CallGroup, isHead: boolean, reason: MadePart['reason']): void => {
    const judged = judgeGroup(source, group).map((one) => reconsider(one, isHead, reason));
    let text = judged.some(({ ok }) => ok) ? '' : group.text;
    for (const one of judged) {
      if (one.ok) sink.call(one.call, one.live);
      else {
        sink.rejected(one.rejected, text, one.live);
        text = '';
      }
    }
    if (text !== '') sink.text(text);
  };
  const tellPieces = (pieces: Candidate['pieces']): void => {
    for (const piece of pieces) {
      if (typeof piece === 'string') sink.text(piece);
      else tellGroup(piece, true, undefined);
    }
  };
  /** What stood in reasoning or in a quotation, and what says again what opened the message, is no call. */
  const reconsider = (one: JudgedCall, isHead: boolean, reason: MadePart['reason']): JudgedCall => {
    if (!one.ok) return one;
    const { name, start, end } = one.call;
    const reject = (why: RejectReason): JudgedCall => ({
      ok: false,
      rejected: rejectedCall(source.tools, why, { start, end }, name),
      live: one.live,
    });
    if (reason !== undefined) return reject(reason);
    if (!isHead && headCalls.size === 0) return one;
    const key = JSON.stringify([name, one.call.arguments]);
    if (isHead) headCalls.add(key);
    else if (headCalls.has(key)) return reject('repeated');
    return one;
  };

  const isViable = (at: number, { doubtfulFrom, rest }: Outlook): boolean => {
    const part = parts[at];
    if (part === undefined || part.kind === 'text' || part.kind === 'made' || part.kind === 'rejected') return false;
    const followsMade = part.kind !== 'quote' && part.followsMade;
    const isOver = isCertain || parts.some((one) => isMade(one) && one.group.start < doubtfulFrom);
    if (isOver && !followsMade) return false;
    if (part.kind === 'quote') return true;
    if (part.kind === 'fence' && queue.fences > 1) return false;
    return (part.kind === 'fence' && part.isHead) || mayBeNoiseAfter(behind(at) + rest);
  };
  const behind = (at: number): string => {
    let text = '';
    for (const part of parts.slice(at + 1)) {
      text += textOf(part);
      if (text.length > 1_000) break;
    }
    return text;
  };

  const chosen = (): number => {
    const next = parts.findIndex((part, at) => part.kind === 'bare' && part.followsMade && isAtBound(at));
    if (next !== -1 || hasMade()) return next;
    const fence = queue.fences === 1 ? parts.findIndex(({ kind }) => kind === 'fence') : -1;
    if (fence !== -1 && isAtBound(fence)) return fence;
    if (takeQuote()) return -1;
    return parts.findIndex(({ kind }, at) => kind === 'bare' && isAtBound(at));
  };
  const isAtBound = (at: number): boolean => {
    const part = parts[at];
    return (part?.kind === 'fence' && part.isHead) || isNoiseAfter(behind(at));
  };
  const takeQuote = (): boolean => {
    const at = parts.findIndex(({ kind }) => kind === 'quote');
    const quote = parts[at];
    if (quote?.kind !== 'quote') return false;
    const text = parts.slice(at).map(textOf).join('');
    const length = messageEnd(text);
    const placed = readQuotedMessage(source, text.slice(0, length), index);
    if (placed.length === 0) return false;
    const end = quote.start + length;
    const spanned = placed.map((one) => ({ ...one, calls: one.calls.map((call) => spanning(call, quote.start, end)) }));
    const group = { start: quote.start, end, text: text.slice(0, length), placed: spanned, live: new Map() };
    parts = [...parts.slice(0, at), { kind: 'made', group, isHead: true, reason: undefined }];
    addText(text.slice(length));
    return true;
  };

  const queue: MessageQueue = {
    addText,
    addMade: (group, isHead) => void parts.push({ kind: 'made', group, isHead, reason: undefined }),
    addQuoted: (group) => void parts.push({ kind: 'made', group, isHead: false, reason: 'quotation' }),
    addRejected: (rejected) => void parts.push({ kind: 'rejected', rejected }),
    addCandidate: (candidate) => {
      if (candidate.kind === 'fence') queue.fences += 1;
      parts.push(candidate);
    },
    addQuote: (start) => void parts.push({ kind: 'quote', start }),
    hasMade,
    makeCertain: () => {
      isCertain = true;
    },
    mask: (from) => {
      const known = parts;
      parts = [];
      for (const part of known) {
        if (part.kind === 'text') addText(part.text);
        else if (part.kind === 'quote' ? part.start <= from : startOf(part) < from) parts.push(part);
        else addText(textOf(part));
      }
    },
    maskReasoning: () => {
      const known = parts;
      parts = [];
      for (const part of known) {
        if (part.kind === 'made') parts.push({ ...part, reason: part.reason ?? 'reasoning' });
        else if (part.kind === 'rejected') parts.push(part);
        else addText(textOf(part));
      }
      for (const part of parts) tell(part);
      parts = [];
      isCertain = false;
      queue.fences = 0;
    },
    fences: 0,
    flush: (outlook) => {
      let told = 0;
      for (; told < parts.length; told += 1) {
        const part = parts[told];
        if (part === undefined || isViable(told, outlook)) break;
        if (part.kind === 'made') {
          if (part.group.start >= outlook.doubtfulFrom || outlook.mayBeReasoning) break;
          isCertain ||= isMade(part);
        }
        tell(part);
      }
      if (told > 0) parts = parts.slice(told);
    },
    finish: () => {
      const at = chosen();
      for (const [index, part] of parts.entries()) {
        const isChosen = index === at && (part.kind === 'fence' || part.kind === 'bare');
        if (isChosen) tellPieces(part.pieces);
        else tell(part);
      }
      parts = [];
    },
  };
  return queue;
}

function isMade(part: Part): part is MadePart {
  return part.kind === 'made' && part.reason === undefined;
}

function textOf(part: Part): string {
  if (part.kind === 'quote' || part.kind === 'rejected') return '';
  if (part.kind === 'text') return part.text;
  if (part.kind === 'made') return part.group.text;
  return part.pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
}

/** Where the calls of a part begin. */
function startOf(part: Part): number {
  if (part.kind === 'made') return part.group.start;
  if (part.kind === 'rejected') return part.rejected.start;
  if (part.kind !== 'fence' && part.kind !== 'bare') return 0;
  const [first] = part.pieces.filter((piece) => typeof piece !== 'string');
  return first?.start ?? 0;
}

/** Offsets in a text that was quoted are not those of the message: what was repaired in it spans the whole. */
function spanning(call: WrittenCall, start: number, end: number): WrittenCall {
  return { ...call, repairs: call.repairs.map((repair) => ({ ...repair, start, end })) };
}
