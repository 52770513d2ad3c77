import { spanning } from '../../../json/result/repair-result.ts';
import { rejectedCall } from '../../settle/rejected-call.ts';
import type { EnvelopeIndex } from '../../source/envelope-index.ts';
import type { GrowingText } from '../../source/growing-text.ts';
import { messageEnd } from './message-residue.ts';
import { readQuotedMessage } from '../found-calls/read-quoted-message.ts';
import { type CallGroup, type JudgedCall, judgeGroup, Repeats } from './call-group.ts';
import { chooseCandidates, mayBeChosen } from './choose-candidates.ts';
import type { MessageSink } from './message-sink.ts';
import { isCandidate, isCounted, type CallsPart, type Part, type QueuedParts, textOf } from './queued-parts.ts';

interface Outlook {
  /** The offset from which parts may still turn out to be prose. */
  readonly undecidedFrom: number;
  /** Whether calls may still turn out to be reasoning whose opening tag is missing. */
  readonly mayBeReasoning: boolean;
  readonly rest: string;
}

interface PartSender {
  /** Sends every decided part. */
  readonly flush: (outlook: Outlook) => void;
  /** Sends all parts, and rejects their calls, because they are in reasoning. */
  readonly rejectReasoning: () => void;
  /** Decides the remaining parts at the end of the message, and sends them. */
  readonly finish: () => void;
}

type Reason = CallsPart['reason'] | 'repeated';

/** Creates a sender of the parts in a queue. */
export function createPartSender(
  source: GrowingText,
  index: EnvelopeIndex,
  queue: QueuedParts,
  sink: MessageSink,
): PartSender {
  const repeats = new Repeats();

  const send = (part: Part): void => {
    if (part.kind === 'text') sink.text(part.text, part.isUntrusted);
    else if (part.kind === 'calls') sendGroup(part.group, part.reason);
    else if (part.kind === 'rejected') sink.rejected(part.rejected, '', undefined);
    else if (part.kind !== 'wholeQuote') sink.text(textOf(part), false);
  };
  const sendGroup = (group: CallGroup, reason: Reason): void => {
    const judged = judgeGroup(source, group).map((one) => reconsider(one, reason));
    let text = judged.some(({ ok }) => ok) ? '' : group.text;
    for (const one of judged) {
      if (one.ok) sink.call(one.call, one.live);
      else {
        sink.rejected(one.rejected, text, one.live);
        text = '';
      }
    }
  };
  /** Rejects calls in reasoning, in a quotation or in another turn, and repeated calls. */
  const reconsider = (one: JudgedCall, reason: Reason): JudgedCall => {
    if (!one.ok) return one;
    const why = reason ?? (repeats.isRepeated(one.call) ? 'repeated' : undefined);
    if (why === undefined) return one;
    return { ok: false, rejected: rejectedCall(source.tools, why, one.call, one.call.name), live: one.live };
  };
  /** Returns the number of parts that repeat all calls so far, or -1 if the queue ends before that is decided. */
  const saidAgain = (from: number): number => {
    if (!repeats.isMixed) return 0;
    const said = [];
    for (let at = from; at < queue.list.length; at += 1) {
      const part = queue.list[at];
      if (part !== undefined && !isCounted(part) && textOf(part).trim() === '') continue;
      if (part === undefined || !isCounted(part)) return 0;
      said.push(...judgeGroup(source, part.group).flatMap((one) => (one.ok ? [one.call] : [])));
      const outcome = repeats.compare(said);
      if (outcome === 'again') return at + 1 - from;
      if (outcome === 'none' || said.length === 0) return 0;
    }
    return -1;
  };
  /** Sends parts. Rejects their calls for a reason, unless they have another one. */
  const sendRejected = (parts: readonly Part[], reason: Reason): void => {
    for (const part of parts) {
      if (part.kind === 'calls') sendGroup(part.group, part.reason ?? reason);
      else send(part);
    }
  };

  const isViable = (at: number, { undecidedFrom, rest }: Outlook): boolean => {
    const { list, isBegun } = queue;
    const part = list[at];
    if (part?.kind !== 'wholeQuote' && !isCandidate(part)) return false;
    if (isBegun || list.some((one) => isCounted(one) && one.group.start < undecidedFrom)) return false;
    return part.kind === 'wholeQuote' || mayBeChosen(list, at, rest);
  };
  const takeQuote = (): void => {
    const at = queue.list.findIndex(({ kind }) => kind === 'wholeQuote');
    const quote = queue.list[at];
    if (quote?.kind !== 'wholeQuote') return;
    const text = queue.list.slice(at).map(textOf).join('');
    const length = messageEnd(text);
    const found = readQuotedMessage(source, text.slice(0, length), index);
    if (found.length === 0) return;
    const { start } = quote;
    const end = start + length;
    // Offsets in a quoted text are not those of the message, so each repair spans the whole text.
    const spanned = found.map((one) => ({
      ...one,
      calls: one.calls.map((call) => ({ ...call, repairs: spanning(call.repairs, start, end) })),
    }));
    const group = { start, end, text: text.slice(0, length), found: spanned, live: [] };
    queue.list.splice(at, queue.list.length, { kind: 'calls', group, reason: undefined });
    queue.addText(text.slice(length));
  };

  return {
    rejectReasoning: () => {
      sendRejected(queue.list, 'reasoning');
      queue.list = [];
      queue.isShown = false;
      queue.isBegun = false;
      queue.fences = 0;
    },
    // Stops at the first call while the text may still turn out to be reasoning. `finish` sends the rest.
    flush: (outlook) => {
      let sent = 0;
      for (;;) {
        const part = queue.list[sent];
        if (part === undefined || isViable(sent, outlook)) break;
        let count = 0;
        if (part.kind === 'calls') {
          if (part.group.start >= outlook.undecidedFrom || outlook.mayBeReasoning) break;
          count = saidAgain(sent);
          if (count === -1) break;
          queue.isShown ||= isCounted(part);
        }
        if (count > 0) sendRejected(queue.list.slice(sent, sent + count), 'repeated');
        else send(part);
        sent += Math.max(1, count);
      }
      if (sent > 0) queue.list = queue.list.slice(sent);
    },
    finish: () => {
      if (!queue.hasCounted()) takeQuote();
      const chosen = chooseCandidates(queue.list, queue.hasCounted(), queue.fences);
      for (let at = 0; at < queue.list.length; at += 1) {
        const part = queue.list[at];
        if (part === undefined) continue;
        const count = saidAgain(at);
        if (count > 0) {
          sendRejected(queue.list.slice(at, at + count), 'repeated');
          at += count - 1;
        } else if (chosen.has(at) && isCandidate(part)) {
          for (const segment of part.segments) {
            if (typeof segment === 'string') sink.text(segment, false);
            else sendGroup(segment, undefined);
          }
        } else send(part);
      }
      queue.list = [];
    },
  };
}
