import type { ToolResult } from '../../contracts/results/result.ts';
import { describeCause } from '../../describe-cause.ts';
import type { CallRun } from '../call/call-run.ts';
import { endEarly, EarlyEnd, waitBounded, type Step } from '../call/early-end.ts';
import { callInfo } from './prepare.ts';
import { readReturned, refuse } from './settle.ts';

/**
 * Runs the step `execute` inside the middleware. The first middleware is the outermost. `next` runs the inner stages at
 * most once.
 */
export async function around(run: CallRun, execute: (run: CallRun) => Step): Promise<EarlyEnd | undefined> {
  const tool = run.tool!;
  const { wrapping, middlewareTimeoutMs, cancelGraceMs } = run.config;
  const info = callInfo(run, tool);
  run.hasWaited = true;
  const enter = async (index: number): Promise<ToolResult> => {
    const middleware = wrapping[index];
    if (!middleware) return resultOf(run, (await execute(run)) ?? readReturned(run, run.returned));
    let inner: Promise<ToolResult> | undefined;
    let answer: unknown;
    try {
      answer = await middleware.around!(info, () => (inner ??= enter(index + 1)));
    } catch (cause) {
      const message = `middleware ${middleware.name} failed around ${tool.name}: ${describeCause(cause)}`;
      return resultOf(run, endEarly('EXECUTION_ERROR', message, { cause }));
    }
    return resultOf(run, readReturned(run, answer));
  };
  const timeoutMs = (run.options.timeoutMs ?? run.toolTimeoutMs) + cancelGraceMs + middlewareTimeoutMs;
  const limits = { timeoutMs, graceMs: 2 * cancelGraceMs + 1 };
  const received = await waitBounded(run, limits, enter(0), `the middleware around ${tool.name}`);
  if (received instanceof EarlyEnd) return received;
  run.returned = received.value;
  return undefined;
}

/** Returns a result for middleware, even if the body threw or was cancelled. */
function resultOf(run: CallRun, ended: ToolResult | EarlyEnd): ToolResult {
  return ended instanceof EarlyEnd ? refuse(run, ended.error) : ended;
}
