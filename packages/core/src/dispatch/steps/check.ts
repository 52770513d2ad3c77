import { describeCause } from '../../describe-cause.ts';
import { readIssues } from '../../results/read-error.ts';
import type { CallRun } from '../call/call-run.ts';
import { waitBounded } from '../call/wait-bounded.ts';
import { stopThrown } from '../call/stop-thrown.ts';
import { stop, Stop } from '../call/stop.ts';
import { contextOf } from './tool-context.ts';

/** Runs the tool's own check of the arguments. If it returns issues, the body does not run. */
export async function check(run: CallRun): Promise<Stop | undefined> {
  const tool = run.tool!;
  let answered: unknown;
  try {
    const asked = tool.check!(run.args, contextOf(run));
    const settled = await waitBounded(run, { timeoutMs: run.toolTimeoutMs }, asked, `the check of ${tool.name}`);
    if (settled instanceof Stop) return settled;
    answered = settled.value ?? [];
  } catch (cause) {
    return stopThrown(run, `the check of ${tool.name} failed`, cause);
  }
  try {
    const issues = readIssues(answered);
    if (issues.length === 0) return undefined;
    return stop('INVALID_ARGS', `${tool.name} does not accept these arguments`, { issues });
  } catch (cause) {
    return stop('EXECUTION_ERROR', `the check of ${tool.name} failed: ${describeCause(cause)}`, { cause });
  }
}
