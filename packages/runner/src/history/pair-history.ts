import type { Message, MessageToolCall } from '@haft/core';
import type { Diagnostic } from '../diagnostic.ts';
import { createCallIds, type CallIds } from './call-ids.ts';

type AssistantMessage = Extract<Message, { readonly role: 'assistant' }>;
type ToolMessage = Extract<Message, { readonly role: 'tool' }>;

/** A call that waits for its answer. */
interface Slot {
  readonly call: MessageToolCall;
  answer: ToolMessage | undefined;
}

/** A conversation in which every call has exactly one answer, with the changes that were made. */
export interface PairedHistory {
  /** The original array if nothing was wrong. */
  readonly messages: readonly Message[];
  readonly changes: readonly Pick<Diagnostic, 'kind' | 'message' | 'callId'>[];
}

/**
 * Gives every call exactly one tool message, directly after its own message and in call order, as vendors require. A
 * call without an answer gets one that reports the interruption; an answer without a call is removed; a later answer is
 * moved up; an empty or repeated id is replaced in both. An answer belongs to the nearest earlier message with an
 * unanswered call of its id. `runAgent` does this itself.
 *
 * @param ids ids that are already taken; those of the conversation are added.
 * @example
 * import { pairHistory } from '@haft/runner';
 * const { messages } = pairHistory([{ role: 'user', content: 'Hello' }]);
 * messages.length; // => 1
 */
export function pairHistory(messages: readonly Message[], ids: CallIds = createCallIds()): PairedHistory {
  const changes: Pick<Diagnostic, 'kind' | 'message' | 'callId'>[] = [];
  const open = new Map<string, Slot[]>();
  const kept: (
    | Exclude<Message, ToolMessage>
    | { readonly message: AssistantMessage; readonly slots: readonly Slot[] }
  )[] = [];

  const openSlots = (message: AssistantMessage, calls: readonly MessageToolCall[]): readonly Slot[] => {
    for (const call of calls) open.set(call.id, []);
    return calls.map((call) => {
      const id = ids.claim(call.id);
      if (id !== call.id) {
        changes.push({
          kind: 'renamed-call',
          message: `the call id ${JSON.stringify(call.id)} is now ${id}`,
          callId: id,
        });
      }
      const slot = { call: id === call.id ? call : { ...call, id }, answer: undefined };
      open.get(call.id)!.push(slot);
      return slot;
    });
  };

  for (const message of messages) {
    if (message.role === 'assistant' && message.toolCalls && message.toolCalls.length > 0) {
      kept.push({ message, slots: openSlots(message, message.toolCalls) });
    } else if (message.role === 'tool') {
      const slot = open.get(message.callId)?.shift();
      if (slot) slot.answer = message;
      else
        changes.push({
          kind: 'stray-result',
          message: `an answer of ${message.name} belonged to no call`,
          callId: message.callId,
        });
    } else {
      kept.push(message);
    }
  }

  const paired = kept.flatMap((entry): readonly Message[] => {
    if (!('slots' in entry)) return [entry];
    const { message, slots } = entry;
    const calls = slots.map((slot) => slot.call);
    const isSame = calls.every((call, index) => call === message.toolCalls![index]);
    return [isSame ? message : { ...message, toolCalls: calls }, ...slots.map((slot) => answerOf(slot, changes))];
  });
  const isUnchanged =
    paired.length === messages.length && paired.every((message, index) => message === messages[index]);
  return { messages: isUnchanged ? messages : paired, changes };
}

function answerOf({ call, answer }: Slot, changes: Pick<Diagnostic, 'kind' | 'message' | 'callId'>[]): ToolMessage {
  if (answer) return answer.callId === call.id ? answer : { ...answer, callId: call.id };
  changes.push({ kind: 'orphan-call', message: `the call ${call.id} of ${call.name} had no answer`, callId: call.id });
  const text = 'This call was interrupted. Its effects are unknown. Check before you repeat it.';
  return { role: 'tool', callId: call.id, name: call.name, content: [{ type: 'text', text }], isError: true };
}
