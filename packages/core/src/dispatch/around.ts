import type { ToolResult } from '../contracts/result.ts';
import type { AnyTool } from '../contracts/tool.ts';
import { describeCause } from '../describe-cause.ts';
import { freezeData } from './copy-data.ts';
import type { CallRun } from './call-run.ts';
import { runToEnd, timeoutOf } from './execute.ts';
import type { CallInfo } from './middleware.ts';
import { waitBounded } from './race-cancellation.ts';
import { toCall } from './read-call.ts';
import { readReturned } from './read-returned.ts';
import { reject, Rejection } from './rejection.ts';
import { refuse } from './settle.ts';
import type { StepOutcome } from './step.ts';

/** Runs the body inside the middleware, the first one outermost. `next` runs what is inside at most once. */
export async function around(run: CallRun): Promise<StepOutcome> {
  const tool = run.tool!;
  const { wrapping, middlewareTimeoutMs, cancelGraceMs } = run.parts;
  const info = callInfo(run, tool);
  const enter = async (index: number): Promise<ToolResult> => {
    const middleware = wrapping[index];
    if (!middleware) return runInside(run);
    let inner: Promise<ToolResult> | undefined;
    let answer: unknown;
    try {
      answer = await middleware.around!(info, () => (inner ??= enter(index + 1)));
    } catch (cause) {
      const message = `middleware ${middleware.name} failed around ${tool.name}: ${describeCause(cause)}`;
      return refuse(run, reject('EXECUTION_ERROR', message, { cause }).error);
    }
    const read = readReturned(run, answer);
    return read instanceof Rejection ? refuse(run, read.error) : read;
  };
  const timeoutMs = (run.circumstances.timeoutMs ?? timeoutOf(tool)) + cancelGraceMs + middlewareTimeoutMs;
  const limits = { timeoutMs, graceMs: 2 * cancelGraceMs + 1 };
  const settled = await waitBounded(run, limits, enter(0), `the middleware around ${tool.name}`);
  if (settled instanceof Rejection) return settled;
  run.returned = settled.value;
  return undefined;
}

/** The body's answer as middleware sees it: always a result, also where it threw or was stopped. */
async function runInside(run: CallRun): Promise<ToolResult> {
  const outcome = await runToEnd(run);
  const read = outcome ?? readReturned(run, run.returned);
  return read instanceof Rejection ? refuse(run, read.error) : read;
}

/** What middleware is shown of a call: nothing that it could change. */
export function callInfo(run: CallRun, tool: AnyTool): CallInfo {
  const args = run.shownArgs;
  freezeData(run.call.arguments);
  return { call: toCall(run.call), tool, provider: run.provider, arguments: args, context: run.circumstances.given };
}
