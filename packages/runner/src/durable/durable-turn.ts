import type { RunLog, Usage } from '@haft/core';
import { report, type RunEnd, type RunState } from '../run/run-state.ts';
import { createTurnRecord } from './durable-turn-record.ts';

/** Writes to the log of a run, if it has one. A log that rejects ends the run. */
export async function keep(run: RunState, write: (log: RunLog) => Promise<void>): Promise<void> {
  const { kept } = run;
  if (kept === undefined) return;
  if (kept.failure !== undefined) throw kept.failure.cause;
  try {
    await write(kept.log);
  } catch (cause) {
    kept.failure = { cause };
    throw cause;
  }
}

interface KeptAnswer {
  readonly answer: unknown;
  /** Usage of all requests of the turn, including failed ones. */
  readonly usage: Usage;
  readonly lastUsage: Usage;
}

/** Records a complete answer of the model before its calls run. */
export async function keepAnswer(run: RunState, turn: number, answer: unknown): Promise<void> {
  const { usage, lastUsage } = run;
  await keep(run, (log) => log.answer(turn, { answer, usage, lastUsage } satisfies KeptAnswer));
}

/**
 * Returns the answer that an earlier process received in this turn. Reports requests that the earlier process did not
 * finish.
 */
export function recallAnswer(run: RunState, turn: number): unknown {
  const open = run.kept?.open;
  if (run.kept === undefined || open === undefined) return undefined;
  run.kept.open = undefined;
  const known = open.answer as KeptAnswer | undefined;
  const lost = open.interrupted;
  if (lost > 0) {
    const message = `${lost === 1 ? 'a request was' : `${lost} requests were`} interrupted with the process; the model is asked again`;
    report(run, { kind: 'request-interrupted', turn, message });
  }
  if (known === undefined) return undefined;
  run.usage = known.usage;
  run.lastUsage = known.lastUsage;
  return known.answer;
}

/** Records a complete turn. */
export async function keepTurn(run: RunState, turn: number, end: RunEnd | undefined): Promise<void> {
  await keep(run, async (log) => {
    await log.complete(turn, await createTurnRecord(run, end));
    Object.assign(run.kept!, {
      open: undefined,
      messages: [...run.messages],
      callCount: run.calls.length,
      diagnosticCount: run.diagnostics.length,
    });
  });
}
