import type { CallContext } from '../../contracts/calls/call.ts';
import type { ToolError } from '../../contracts/results/error.ts';
import { readToolError } from '../../results/read-error.ts';
import type { CallRun } from '../call/call-run.ts';
import { Stop } from '../call/stop.ts';
import { stopIfAborted } from '../call/wait-bounded.ts';

/** Tells the caller that the body is about to run. Waits for the answer, which may prevent it. */
export async function announceStart(
  run: CallRun,
  onStart: NonNullable<CallContext['onStart']>,
): Promise<Stop | undefined> {
  const error = (await onStart({ tool: run.tool!, arguments: run.args })) as ToolError | null | undefined;
  if (error !== undefined && error !== null) return new Stop(readToolError(error));
  return stopIfAborted(run);
}
