import { createCallIds } from '../history/call-ids.ts';
import { pairHistory } from '../history/pair-history.ts';
import { report, type RunState } from '../run-state.ts';

/** Checks what came into the conversation since the last request: each call must have exactly one answer. */
export function keepPaired(run: RunState, turn: number): void {
  const isFirst = run.pairedUpTo === 0;
  const fresh = run.messages.slice(run.pairedUpTo);
  // The run's own calls have claimed their ids already; those of the conversation it was given claim them here.
  const { messages, changes } = pairHistory(fresh, isFirst ? run.ids : createCallIds());
  if (messages !== fresh) run.messages = [...run.messages.slice(0, run.pairedUpTo), ...messages];
  for (const change of changes) report(run, { ...change, turn: isFirst ? 0 : turn });
  run.pairedUpTo = run.messages.length;
}
