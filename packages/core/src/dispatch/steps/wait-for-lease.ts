import type { Lease } from '../../contracts/calls/call-queue.ts';
import type { CallRun } from '../call/call-run.ts';
import type { Step } from '../call/stop.ts';
import { stopIfAborted } from '../call/wait-bounded.ts';
import { alone, footprintOf } from '../lease/footprint.ts';

/** In a batch or a queue, waits until no running or earlier call conflicts with this call. */
export function waitForLease(run: CallRun, lease: Lease): Step {
  const footprint = run.tool!.runsAlone === true ? alone : footprintOf(run);
  const waiting = lease.acquire(footprint, run.options.signal);
  return waiting ? waiting.then(() => stopIfAborted(run)) : undefined;
}
