import { emit, type RunState } from '../run/run-state.ts';
import type { AnsweredCall } from './calls/answer-calls.ts';
import type { FoundCalls } from './calls/find-calls.ts';
import type { ModelAnswer } from './model/read-stream.ts';

/** Adds the turn to the conversation: the repaired answer and one message for each call, in call order. */
export function appendTurn(
  run: RunState,
  turn: number,
  { reasoning, finishReason, usage }: ModelAnswer,
  { text, calls }: FoundCalls,
  answered: readonly AnsweredCall[],
): void {
  run.turns = turn;
  run.text = text;
  run.finishReason = finishReason;
  if (text.trim() !== '' || calls.length > 0) {
    run.messages.push({
      role: 'assistant',
      content: text,
      ...(reasoning !== '' && { reasoning }),
      ...(calls.length > 0 && { toolCalls: calls.map((call) => call.message) }),
    });
  }
  for (const { completed, message } of answered) {
    run.calls.push(completed);
    run.messages.push(message);
  }
  emit(run, { type: 'turn-end', turn, text, finishReason, usage });
}
