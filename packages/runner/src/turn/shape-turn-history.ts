import { type Message } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { untilAborted } from '../abortable.ts';
import type { RunAgentOptions } from '../options/agent-options.ts';
import { createCallIds } from '../history/call-ids.ts';
import { pairHistory } from '../history/pair-history.ts';
import { report, type RunState } from '../run/run-state.ts';

/** Lets `shapeHistory` replace the conversation before a request, then pairs calls and answers in it. */
export async function shapeHistory(
  run: RunState,
  turn: number,
  shape: NonNullable<RunAgentOptions['shapeHistory']>,
): Promise<void> {
  let shaped: readonly Message[] | undefined;
  try {
    shaped = await untilAborted(run.meter.signal, Promise.resolve(shape(run.messages, { turn, usage: run.lastUsage })));
  } catch (cause) {
    if (run.meter.signal?.aborted) return;
    report(run, { kind: 'history-kept', turn, message: `shapeHistory failed: ${describeCause(cause)}` });
    return;
  }
  if (shaped === undefined || shaped === run.messages) return;
  if (!Array.isArray(shaped) || shaped.length === 0) {
    report(run, { kind: 'history-kept', turn, message: 'shapeHistory returned no messages' });
    return;
  }
  const { messages, changes } = pairHistory(shaped, createCallIds());
  for (const change of changes) report(run, { ...change, turn });
  run.messages = [...messages];
  run.pairedUpTo = messages.length;
}
