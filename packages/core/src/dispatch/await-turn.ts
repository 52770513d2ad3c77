import { refuseIfAborted } from './begin.ts';
import type { CallRun } from './call-run.ts';
import { footprintOf } from './footprint.ts';
import type { StepOutcome } from './step.ts';

/** In a batch or a queue, waits until nothing that runs, and no earlier call, touches what this call does. */
export function awaitTurn(run: CallRun): StepOutcome | Promise<StepOutcome> {
  if (!run.lease) return undefined;
  const waiting = run.lease.acquire(footprintOf(run), run.circumstances.signal);
  return waiting ? waiting.then(() => refuseIfAborted(run)) : undefined;
}
