import type { ToolResult } from '../contracts/result.ts';
import type { AnyTool } from '../contracts/tool.ts';
import { isToolResult } from '../results/tool-result.ts';
import { wrapReturn } from '../results/wrap-return.ts';
import type { CallRun } from './call-run.ts';
import type { CallInfo } from './middleware.ts';
import { waitBounded } from './race-cancellation.ts';

/** Runs the body inside the middleware, the first one outermost. `next` runs what is inside at most once. */
export async function around(run: CallRun, tool: AnyTool, body: () => unknown): Promise<unknown> {
  const wrapping = run.parts.middleware.filter((middleware) => middleware.around !== undefined);
  if (wrapping.length === 0) return body();
  const info = callInfo(run, tool);
  const step = (index: number): (() => Promise<ToolResult>) => {
    let answer: Promise<ToolResult> | undefined;
    const enter = async (): Promise<ToolResult> => {
      const middleware = wrapping[index];
      const value: unknown = middleware ? await middleware.around!(info, step(index + 1)) : await body();
      return isToolResult(value) ? value : wrapReturn(run.call.id, value);
    };
    return () => (answer ??= enter());
  };
  const { middlewareTimeoutMs, cancelGraceMs } = run.parts;
  const timeoutMs = (run.circumstances.timeoutMs ?? tool.timeoutMs) + cancelGraceMs + middlewareTimeoutMs;
  return waitBounded(
    run,
    { timeoutMs, graceMs: 2 * cancelGraceMs + 1 },
    step(0)(),
    `the middleware around ${tool.name}`,
  );
}

/** What middleware is shown of a call. */
export function callInfo(run: CallRun, tool: AnyTool): CallInfo {
  return { call: run.call, tool, provider: run.provider, arguments: run.args, context: run.circumstances };
}
