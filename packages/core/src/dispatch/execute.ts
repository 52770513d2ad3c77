import type { AnyTool } from '../contracts/tool.ts';
import { isTimeSpan } from '../check-option.ts';
import { describeCause } from '../describe-cause.ts';
import { isThenable } from '../is-thenable.ts';
import { isToolError } from '../results/tool-result.ts';
import { readToolError } from '../results/read-error.ts';
import { around } from './around.ts';
import type { CallRun } from './call-run.ts';
import { reject, Rejection } from './rejection.ts';
import { later, type Resume, type StepOutcome } from './step.ts';
import { mayRepeat, runRepeatedly } from './retry.ts';
import { supervise } from './supervise.ts';

const usualTimeoutMs = 120_000;

/** Runs the body, inside the middleware where there is some. */
export function execute(run: CallRun, resume: Resume): StepOutcome | Promise<StepOutcome> | typeof later {
  if (run.parts.wrapping.length > 0) return around(run);
  return mayRepeat(run) ? runToEnd(run) : runBody(run, resume);
}

/** Runs the body, more than once where that is allowed and helps. */
export async function runToEnd(run: CallRun): Promise<StepOutcome> {
  return mayRepeat(run) ? runRepeatedly(run, run.parts.retries!) : runBodyOnce(run);
}

/** Runs the body and waits for its end. */
export function runBodyOnce(run: CallRun): Promise<StepOutcome> {
  // Middleware, and an attempt before this one, take time of their own.
  run.hasWaited = true;
  return new Promise((resolve) => {
    const outcome = runBody(run, (_, ended) => resolve(ended));
    if (outcome !== later) resolve(outcome);
  });
}

/** Runs the body and leaves what it gives back on the run. One that answers at once costs no promise. */
export function runBody(run: CallRun, resume: Resume): StepOutcome | typeof later {
  const tool = run.tool!;
  if (run.isAborted || !run.isOpen) return reject('ABORTED', `${tool.name} was cancelled before it ran`);
  const timeoutMs = run.circumstances.timeoutMs ?? timeoutOf(tool);
  const args = run.takeArgs(mayRepeat(run));
  const { context } = run;
  const { now } = run;
  // One deadline for all attempts.
  run.bodyStartedAt ??= now;
  context.deadline = run.bodyStartedAt + timeoutMs;
  const leftMs = context.deadline - now;
  let returned: unknown;
  try {
    returned = tool.execute(args, context);
    if (isThenable(returned)) {
      supervise(run, returned, { timeoutMs, startedAt: now, leftMs }, resume);
      return later;
    }
  } catch (error) {
    return thrown(tool, error);
  }
  run.returned = returned;
  return undefined;
}

/** What a body threw: an error of the tool's own making, or a mistake of its code. */
export function thrown(tool: AnyTool, error: unknown): Rejection {
  try {
    if (isToolError(error)) return new Rejection(readToolError(error));
  } catch {
    // It only looked like an error of a tool.
  }
  return reject('EXECUTION_ERROR', `${tool.name} threw: ${describeCause(error)}`, { cause: error });
}

/** How long a call of a tool may take, in milliseconds, whatever made the tool. */
export function timeoutOf(tool: AnyTool): number {
  return isTimeSpan(tool.timeoutMs) ? tool.timeoutMs : usualTimeoutMs;
}
