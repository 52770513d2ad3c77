import { describeCause } from '../../describe-cause.ts';
import { readIssues } from '../../results/read-error.ts';
import type { CallRun } from '../call/call-run.ts';
import { endEarly, EarlyEnd, endIfAborted, endThrown, waitBounded } from '../call/early-end.ts';
import { contextOf } from './tool-context.ts';

/** Runs the tool's own check of the arguments. If it returns issues, the body does not run. */
export async function check(run: CallRun): Promise<EarlyEnd | undefined> {
  const cancelled = endIfAborted(run);
  if (cancelled) return cancelled;
  const tool = run.tool!;
  let answered: unknown;
  try {
    const asked = tool.check!(run.args, contextOf(run));
    const received = await waitBounded(run, { timeoutMs: run.timeoutMs }, asked, `the check of ${tool.name}`);
    if (received instanceof EarlyEnd) return received;
    answered = received.value ?? [];
  } catch (cause) {
    return endThrown(run, `the check of ${tool.name} failed`, cause);
  }
  try {
    const issues = readIssues(answered);
    if (issues.length === 0) return undefined;
    return endEarly('INVALID_ARGS', `${tool.name} does not accept these arguments`, { issues });
  } catch (cause) {
    return endEarly('EXECUTION_ERROR', `the check of ${tool.name} failed: ${describeCause(cause)}`, { cause });
  }
}
