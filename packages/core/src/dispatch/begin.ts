import type { CallRun } from './call-run.ts';
import { reject } from './rejection.ts';
import type { StepOutcome } from './step.ts';

/** Refuses a call that was cancelled before it came, and one that can't be read or not be made as it was asked. */
export function begin(run: CallRun): StepOutcome {
  const { call, circumstances } = run;
  const problem = circumstances.problem ?? call.problem;
  if (problem !== undefined) return reject('EXECUTION_ERROR', `${call.name || 'the call'} can't be called: ${problem}`);
  if (!run.lease && circumstances.queue) run.lease = run.place = circumstances.queue.enter();
  return refuseIfAborted(run);
}

/** Ends a call that was cancelled while it waited for something. */
export function refuseIfAborted(run: CallRun): StepOutcome {
  return run.isAborted ? reject('ABORTED', 'the call was cancelled before it ran') : undefined;
}
