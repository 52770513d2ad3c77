import type { Message } from '@haft/core';
import { createCallIds } from '../history/call-ids.ts';
import { pairHistory } from '../history/pair-history.ts';
import { report, type RunState } from '../run/run-state.ts';

/** Ensures that each call added since the last request has exactly one answer. */
export function ensurePaired(run: RunState, turn: number): void {
  const isFirst = run.pairedUpTo === 0;
  if (!isFirst && isAsRecorded(run.messages, run.pairedUpTo)) {
    run.pairedUpTo = run.messages.length;
    return;
  }
  const fresh = run.messages.slice(run.pairedUpTo);
  // The ids of the run's own calls are already claimed; those of the initial conversation are claimed here.
  const { messages, changes } = pairHistory(fresh, isFirst ? run.ids : createCallIds());
  if (messages !== fresh) run.messages = [...run.messages.slice(0, run.pairedUpTo), ...messages];
  for (const change of changes) report(run, { ...change, turn: isFirst ? 0 : turn });
  run.pairedUpTo = run.messages.length;
}

/**
 * Returns whether the messages from an index on are in the form of recorded turns: each call directly followed by its
 * answer.
 */
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
      // The ids of a run's own calls are claimed and therefore unique.
      if (answer?.role !== 'tool' || answer.callId !== id) return false;
    }
  }
  return true;
}
