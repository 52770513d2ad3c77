import { describeCause } from '../describe-cause.ts';
import { readIssues } from '../results/read-error.ts';
import type { CallRun } from './call-run.ts';
import { timeoutOf } from './execute.ts';
import { waitBounded } from './race-cancellation.ts';
import { reject, Rejection } from './rejection.ts';
import type { StepOutcome } from './step.ts';

/** Asks the tool itself whether it can work with these arguments; its issues keep the body from running. */
export function check(run: CallRun): StepOutcome | Promise<StepOutcome> {
  return run.tool!.check ? ask(run) : undefined;
}

async function ask(run: CallRun): Promise<StepOutcome> {
  const tool = run.tool!;
  try {
    const asked = tool.check!(run.shownArgs, run.context);
    const settled = await waitBounded(run, { timeoutMs: timeoutOf(tool) }, asked, `the check of ${tool.name}`);
    if (settled instanceof Rejection) return settled;
    const issues = readIssues(settled.value ?? []);
    if (issues.length === 0) return undefined;
    return reject('INVALID_ARGS', `${tool.name} can't work with these arguments`, { issues });
  } catch (cause) {
    return reject('EXECUTION_ERROR', `the check of ${tool.name} failed: ${describeCause(cause)}`, { cause });
  }
}
