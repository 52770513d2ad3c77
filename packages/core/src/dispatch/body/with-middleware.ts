import type { ToolResult } from '../../contracts/results/result.ts';
import { describeCause } from '../../describe-cause.ts';
import type { CallRun } from '../call/call-run.ts';
import { stop, Stop, type Step } from '../call/stop.ts';
import { waitBounded } from '../call/wait-bounded.ts';
import { callInfo } from '../steps/prepare.ts';
import { readReturned, refuse } from '../steps/settle.ts';

/**
 * Runs the body inside the middleware. The first middleware is the outermost. `next` runs the inner stages at most
 * once.
 */
export async function withMiddleware(run: CallRun, body: (run: CallRun) => Step): Promise<Stop | undefined> {
  const tool = run.tool!;
  const { wrapping, middlewareTimeoutMs, cancelGraceMs } = run.config;
  const info = callInfo(run, tool);
  run.hasWaited = true;
  const enter = async (index: number): Promise<ToolResult> => {
    const middleware = wrapping[index];
    if (!middleware) return resultOf(run, (await body(run)) ?? readReturned(run, run.returned));
    let inner: Promise<ToolResult> | undefined;
    let answer: unknown;
    try {
      answer = await middleware.around!(info, () => (inner ??= enter(index + 1)));
    } catch (cause) {
      const message = `middleware ${middleware.name} failed around ${tool.name}: ${describeCause(cause)}`;
      return resultOf(run, stop('EXECUTION_ERROR', message, { cause }));
    }
    return resultOf(run, readReturned(run, answer));
  };
  const timeoutMs = (run.options.timeoutMs ?? run.toolTimeoutMs) + cancelGraceMs + middlewareTimeoutMs;
  const limits = { timeoutMs, graceMs: 2 * cancelGraceMs + 1 };
  const settled = await waitBounded(run, limits, enter(0), `the middleware around ${tool.name}`);
  if (settled instanceof Stop) return settled;
  run.returned = settled.value;
  return undefined;
}

/** Returns a result for middleware, even if the body threw or was stopped. */
function resultOf(run: CallRun, ended: ToolResult | Stop): ToolResult {
  return ended instanceof Stop ? refuse(run, ended.error) : ended;
}
