import { spanning } from '../../../json/result/repair-result.ts';
import type { RejectReason } from '../../contract/extraction.ts';
import { rejectedCall } from '../../settle/rejected-call.ts';
import type { GrowingText } from '../../source/growing-text.ts';
import { messageEnd } from './message-residue.ts';
import { readQuotedMessage } from '../found-calls/read-quoted-message.ts';
import { type CallGroup, type JudgedCall, judgeGroup, Repeats } from './call-group.ts';
import { chooseCandidates, mayBeChosen } from './choose-candidates.ts';
import type { MessageSink } from './message-sink.ts';
import { isCandidate, isCounted, type Part, type QueuedParts, textOf } from './queued-parts.ts';

interface Outlook {
  /** The offset from which parts may still turn out to be prose. */
  readonly undecidedFrom: number;
  /** Whether calls may still turn out to be reasoning whose opening tag is missing. */
  readonly mayBeReasoning: boolean;
  readonly rest: string;
}

/** Sends the parts of a message to a sink. */
export interface PartSender {
  /** Sends every decided part. */
  readonly flush: (outlook: Outlook) => void;
  /** Sends all parts, and rejects their calls, because they are in reasoning. */
  readonly rejectReasoning: () => void;
  /** Decides the remaining parts at the end of the message, and sends them. */
  readonly finish: (fencesWithCalls: number) => void;
}

/** Creates a sender of the parts in a queue. */
export function createPartSender(source: GrowingText, queue: QueuedParts, sink: MessageSink): PartSender {
  const repeats = new Repeats();

  /** Sends a part. Rejects its calls for a reason, unless they have another one. */
  const send = (part: Part, reason?: RejectReason): void => {
    if (part.kind === 'calls') sendGroup(part.group, part.reason ?? reason);
    else if (part.kind === 'rejected') sink.rejected(part.rejected, '', undefined);
    else sink.text(textOf(part), part.kind === 'text' && part.isUntrusted);
  };
  const sendGroup = (group: CallGroup, reason: RejectReason | undefined): void => {
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
  /** Rejects a call for a reason, or because it repeats another one. */
  const reconsider = (one: JudgedCall, reason: RejectReason | undefined): JudgedCall => {
    if (!one.ok) return one;
    const why = reason ?? (repeats.isRepeated(one.call) ? 'repeated' : undefined);
    if (why === undefined) return one;
    return { ok: false, rejected: rejectedCall(source.tools, why, one.call, one.call.name), live: one.live };
  };
  /** Returns the number of parts that repeat all calls so far, or -1 if more text may show that. */
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
    return source.ended ? 0 : -1;
  };
  /** Sends the parts before the first one that waits for more text. */
  const sendUntil = (isWaiting: (part: Part, at: number) => boolean): void => {
    let sent = 0;
    for (let part = queue.list[0]; part !== undefined && !isWaiting(part, sent); part = queue.list[sent]) {
      const repeating = part.kind === 'calls' ? saidAgain(sent) : 0;
      if (repeating === -1) break;
      queue.isShown ||= isCounted(part);
      if (repeating === 0) send(part);
      for (const one of queue.list.slice(sent, sent + repeating)) send(one, 'repeated');
      sent += Math.max(1, repeating);
    }
    if (sent > 0) queue.list = queue.list.slice(sent);
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
    const found = readQuotedMessage(source, text.slice(0, length));
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
      for (const part of queue.list) send(part, 'reasoning');
      queue.list = [];
      queue.isShown = false;
      queue.isBegun = false;
    },
    // Calls wait while the text may still turn out to be reasoning.
    flush: (outlook) => {
      const { undecidedFrom, mayBeReasoning } = outlook;
      sendUntil(
        (part, at) =>
          isViable(at, outlook) || (part.kind === 'calls' && (mayBeReasoning || part.group.start >= undecidedFrom)),
      );
    },
    finish: (fencesWithCalls) => {
      if (!queue.hasCounted()) takeQuote();
      const chosen = chooseCandidates(queue.list, queue.hasCounted(), fencesWithCalls);
      queue.list = queue.list.flatMap((part, at): readonly Part[] =>
        isCandidate(part) && chosen.has(at) ? part.segments : [part],
      );
      sendUntil(() => false);
    },
  };
}
