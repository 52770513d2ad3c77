import type { WrittenCall } from '../../contract/envelope.ts';
import type { RejectedCall } from '../../contract/extraction.ts';
import { rejectedCall } from '../../settle/rejected-call.ts';
import type { EnvelopeIndex } from '../../source/envelope-index.ts';
import type { GrowingText } from '../../source/growing-text.ts';
import { messageEnd } from '../placed-calls/message-residue.ts';
import { readQuotedMessage } from '../placed-calls/read-quoted-message.ts';
import { type CallGroup, createRepeats, type JudgedCall, judgeGroup } from './call-group.ts';
import { chooseCandidates, mayBeChosen } from './choose-candidates.ts';
import type { MessageSink } from './message-sink.ts';
import { type Candidate, isCandidate, isMade, type MadePart, type Part, startOf, textOf } from './queued-parts.ts';

/** The state that decides about parts before the end of the message. */
interface Outlook {
  /** The offset from which parts may still turn out to be prose. */
  readonly undecidedFrom: number;
  /** Whether calls may still turn out to be reasoning whose opening tag is missing. */
  readonly mayBeReasoning: boolean;
  /** The text after the parts. */
  readonly rest: string;
}

/** The parts of a message that are undecided, and the parts after them. */
export interface MessageQueue {
  /** `isQuoted`: the text is in a fence around untrusted text. */
  readonly addText: (text: string, isQuoted?: boolean) => void;
  readonly addMade: (group: CallGroup) => void;
  /** Adds calls that are rejected. */
  readonly addRefused: (group: CallGroup, reason: 'quotation' | 'another_turn') => void;
  /** Adds the rejection of a call in text that was added before. */
  readonly addRejected: (rejected: RejectedCall) => void;
  readonly addCandidate: (candidate: Candidate) => void;
  readonly addQuote: (start: number) => void;
  /** Returns whether calls have been made, so that calls without an envelope no longer count. */
  readonly hasMade: () => boolean;
  /** Records that a call has started. */
  readonly makeCertain: () => void;
  /** Turns the parts from an offset on into text. */
  readonly mask: (from: number) => void;
  /** Rejects all calls so far, because they are in reasoning. */
  readonly maskReasoning: () => void;
  /** Number of fences with calls. */
  fences: number;
  /** Sends every decided part. */
  readonly flush: (outlook: Outlook) => void;
  /** Decides the remaining parts at the end of the message, and sends them. */
  readonly finish: () => void;
}

/** Creates an empty queue. */
export function createMessageQueue(source: GrowingText, index: EnvelopeIndex, sink: MessageSink): MessageQueue {
  let parts: Part[] = [];
  let isCertain = false;
  const repeats = createRepeats();

  const addText = (text: string, isQuoted = false): void => {
    if (text === '') return;
    const last = parts.at(-1);
    if (last?.kind === 'text' && last.isQuoted === isQuoted) last.text += text;
    else parts.push({ kind: 'text', text, isQuoted });
  };
  const hasMade = (): boolean => isCertain || parts.some(isMade);

  const send = (part: Part): void => {
    if (part.kind === 'text') sink.text(part.text, part.isQuoted);
    else if (part.kind === 'made') sendGroup(part.group, part.reason);
    else if (part.kind === 'rejected') sink.rejected(part.rejected, '', undefined);
    else if (part.kind !== 'quote') sink.text(textOf(part), false);
  };
  const sendGroup = (group: CallGroup, reason: MadePart['reason'] | 'repeated'): void => {
    const judged = judgeGroup(source, group).map((one) => reconsider(one, reason));
    let text = judged.some(({ ok }) => ok) ? '' : group.text;
    for (const one of judged) {
      if (one.ok) sink.call(one.call, one.live);
      else {
        sink.rejected(one.rejected, text, one.live);
        text = '';
      }
    }
    if (text !== '') sink.text(text, false);
  };
  const sendPieces = (pieces: Candidate['pieces']): void => {
    for (const piece of pieces) {
      if (typeof piece === 'string') sink.text(piece, false);
      else sendGroup(piece, undefined);
    }
  };
  /** Rejects calls in reasoning, in a quotation or in another turn, and repeated calls. */
  const reconsider = (one: JudgedCall, reason: MadePart['reason'] | 'repeated'): JudgedCall => {
    if (!one.ok) return one;
    const why = reason ?? (repeats.isRepeated(one.call) ? 'repeated' : undefined);
    if (why === undefined) return one;
    return { ok: false, rejected: rejectedCall(source.tools, why, one.call, one.call.name), live: one.live };
  };
  /** Returns the number of parts that repeat all calls so far, or -1 if more text is needed to decide. */
  const saidAgain = (from: number, isEnded: boolean): number => {
    if (!repeats.mayRepeat()) return 0;
    const said = [];
    for (let at = from; at < parts.length; at += 1) {
      const part = parts[at];
      if (part !== undefined && !isMade(part) && textOf(part).trim() === '') continue;
      if (part === undefined || !isMade(part)) return 0;
      said.push(...judgeGroup(source, part.group).flatMap((one) => (one.ok ? [one.call] : [])));
      const outcome = repeats.compare(said);
      if (outcome === 'again') return at + 1 - from;
      if (outcome === 'none' || said.length === 0) return 0;
    }
    return isEnded ? 0 : -1;
  };

  const isViable = (at: number, { undecidedFrom, rest }: Outlook): boolean => {
    const part = parts[at];
    if (part?.kind !== 'quote' && !isCandidate(part)) return false;
    if (isCertain || parts.some((one) => isMade(one) && one.group.start < undecidedFrom)) return false;
    return part.kind === 'quote' || mayBeChosen(parts, at, rest);
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
    const group = { start: quote.start, end, text: text.slice(0, length), placed: spanned, live: [] };
    parts = [...parts.slice(0, at), { kind: 'made', group, reason: undefined }];
    addText(text.slice(length));
    return true;
  };
  const sendRepeats = (from: number, count: number): void => {
    for (const part of parts.slice(from, from + count)) {
      if (part.kind === 'made') sendGroup(part.group, 'repeated');
      else send(part);
    }
  };

  const queue: MessageQueue = {
    addText,
    fences: 0,
    addMade: (group) => void parts.push({ kind: 'made', group, reason: undefined }),
    addRefused: (group, reason) => void parts.push({ kind: 'made', group, reason }),
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
        if (part.kind === 'text') addText(part.text, part.isQuoted);
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
      for (const part of parts) send(part);
      parts = [];
      isCertain = false;
      queue.fences = 0;
    },
    // Stops at the first call while the text may still turn out to be reasoning. `finish` sends the rest.
    flush: (outlook) => {
      let sent = 0;
      while (sent < parts.length) {
        const part = parts[sent];
        if (part === undefined || isViable(sent, outlook)) break;
        if (part.kind === 'made') {
          if (part.group.start >= outlook.undecidedFrom || outlook.mayBeReasoning) break;
          const count = isMade(part) ? saidAgain(sent, false) : 0;
          if (count === -1) break;
          isCertain ||= isMade(part);
          if (count > 0) {
            sendRepeats(sent, count);
            sent += count;
            continue;
          }
        }
        send(part);
        sent += 1;
      }
      if (sent > 0) parts = parts.slice(sent);
    },
    finish: () => {
      const areOver = hasMade();
      if (!areOver) takeQuote();
      const chosen = chooseCandidates(parts, hasMade(), queue.fences);
      for (let at = 0; at < parts.length; at += 1) {
        const part = parts[at];
        if (part === undefined) continue;
        const count = isMade(part) ? saidAgain(at, true) : 0;
        if (count > 0) {
          sendRepeats(at, count);
          at += count - 1;
        } else if (chosen.has(at) && isCandidate(part)) sendPieces(part.pieces);
        else send(part);
      }
      parts = [];
    },
  };
  return queue;
}

/** Offsets in a quoted text are not those of the message, so each repair spans the whole text. */
function spanning(call: WrittenCall, start: number, end: number): WrittenCall {
  return { ...call, repairs: call.repairs.map((repair) => ({ ...repair, start, end })) };
}
