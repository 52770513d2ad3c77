import type { Message } from '@haft/core';
import { createCallIds } from '../history/call-ids.ts';
import { pairHistory } from '../history/pair-history.ts';
import { report, type RunState } from '../run/run-state.ts';

/** Checks what came into the conversation since the last request: each call must have exactly one answer. */
export function ensurePaired(run: RunState, turn: number): void {
  const isFirst = run.pairedUpTo === 0;
  if (!isFirst && isAsRecorded(run.messages, run.pairedUpTo)) {
    run.pairedUpTo = run.messages.length;
    return;
  }
  const fresh = run.messages.slice(run.pairedUpTo);
  // The run's own calls have claimed their ids already; those of the conversation it was given claim them here.
  const { messages, changes } = pairHistory(fresh, isFirst ? run.ids : createCallIds());
  if (messages !== fresh) run.messages = [...run.messages.slice(0, run.pairedUpTo), ...messages];
  for (const change of changes) report(run, { ...change, turn: isFirst ? 0 : turn });
  run.pairedUpTo = run.messages.length;
}

/** Whether the messages from a place on are as a run records its turns: each call directly followed by its answer, in order. */
function isAsRecorded(messages: readonly Message[], from: number): boolean {
  let at = from;
  while (at < messages.length) {
    const message = messages[at]!;
    at += 1;
    if (message.role === 'tool') return false;
    if (message.role !== 'assistant') continue;
    for (const { id } of message.toolCalls ?? []) {
      const answer = messages[at];
      at += 1;
      // The ids of a run's own calls are unique: they were claimed.
      if (answer?.role !== 'tool' || answer.callId !== id) return false;
    }
  }
  return true;
}
