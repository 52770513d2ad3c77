import type { CompletedCall } from '../agent-result.ts';
import { toToolMessage } from '../history/tool-message.ts';
import { emit, type RunState } from '../run-state.ts';
import type { FoundCalls } from './find-calls.ts';
import type { ModelAnswer } from './read-stream.ts';

/** Writes the turn into the conversation: the answer, repaired, and one message for each call, in call order. */
export function recordTurn(
  run: RunState,
  turn: number,
  { reasoning, finishReason, usage }: ModelAnswer,
  { text, calls }: FoundCalls,
  completed: readonly CompletedCall[],
): void {
  run.turns = turn;
  run.text = text;
  run.finishReason = finishReason;
  run.calls.push(...completed);
  if (text.trim() !== '' || calls.length > 0) {
    run.messages.push({
      role: 'assistant',
      content: text,
      ...(reasoning !== '' && { reasoning }),
      ...(calls.length > 0 && { toolCalls: calls.map((call) => call.message) }),
    });
  }
  for (const { call, result } of completed) run.messages.push(toToolMessage(call, result));
  emit(run, { type: 'turn-end', turn, text, finishReason, usage });
}
