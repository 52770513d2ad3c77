import type { Lease } from '../../contracts/calls/call-queue.ts';
import type { CallInfo, DispatchMiddleware, Preparation } from '../../contracts/calls/middleware.ts';
import type { ToolResult } from '../../contracts/results/result.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { describeCause } from '../../describe-cause.ts';
import { readToolError } from '../../results/read-error.ts';
import { failure, readReturned } from '../../results/tool-result.ts';
import type { CallRun } from '../call/call-run.ts';
import { copyData, freezeData } from '../call/copy-data.ts';
import { maxObjects, toCall } from '../call/read-call.ts';
import { endEarly, EarlyEnd, waitBounded, type Step } from '../call/early-end.ts';
import { validate } from './validate.ts';

/**
 * Lets each middleware rewrite the arguments in turn. Rewritten arguments are validated again, and the lease is acquired
 * again.
 */
export async function prepare(
  run: CallRun,
  acquire: (run: CallRun, lease: Lease) => Step,
): Promise<EarlyEnd | undefined> {
  const tool = run.tool!;
  let isRewritten = false;
  for (const middleware of run.config.preparing) {
    let answer;
    try {
      answer = await ask(run, tool, middleware);
    } catch (cause) {
      const message = `middleware ${middleware.name} failed before ${tool.name} ran: ${describeCause(cause)}`;
      return endEarly('EXECUTION_ERROR', message, { cause });
    }
    if (answer instanceof EarlyEnd) return answer;
    if (answer === undefined) continue;
    run.args = answer.rewritten;
    isRewritten = true;
    const invalid = await validate(run);
    if (invalid) return invalid;
  }
  // Rewritten arguments may have another footprint.
  return isRewritten && run.lease ? acquire(run, run.lease) : undefined;
}

/** Runs `prepare` of one middleware: returns nothing, new arguments, or an end to the call. */
async function ask(
  run: CallRun,
  tool: AnyTool,
  middleware: DispatchMiddleware,
): Promise<{ readonly rewritten: unknown } | EarlyEnd | undefined> {
  const received = await waitBounded<Preparation>(
    run,
    { timeoutMs: run.config.middlewareTimeoutMs },
    middleware.prepare!(callInfo(run, tool)),
    `middleware ${middleware.name}`,
  );
  if (received instanceof EarlyEnd) return received;
  const answer: unknown = received.value;
  if (answer === undefined || answer === null) return undefined;
  if (typeof answer !== 'object') throw new TypeError('it returned neither arguments nor an error');
  if ('reject' in answer) {
    const { reject: error } = answer;
    if (typeof error !== 'object' || error === null) throw new TypeError('it rejected the call without an error');
    return new EarlyEnd(readToolError(error));
  }
  if (!('arguments' in answer)) throw new TypeError('it returned neither arguments nor an error');
  return { rewritten: copyData(answer.arguments, maxObjects) };
}

/** Returns immutable information about a call for middleware. */
function callInfo(run: CallRun, tool: AnyTool): CallInfo {
  freezeData(run.call.arguments);
  return { call: toCall(run.call), tool, provider: run.provider, arguments: run.args, context: run.options.given };
}

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
    if (!middleware) return resultOf(run, (await execute(run)) ?? run.returned);
    let inner: Promise<ToolResult> | undefined;
    let answer: unknown;
    try {
      answer = await middleware.around!(info, () => (inner ??= enter(index + 1)));
    } catch (cause) {
      const message = `middleware ${middleware.name} failed around ${tool.name}: ${describeCause(cause)}`;
      return resultOf(run, endEarly('EXECUTION_ERROR', message, { cause }));
    }
    return resultOf(run, answer);
  };
  const timeoutMs = run.timeoutMs + cancelGraceMs + middlewareTimeoutMs;
  const limits = { timeoutMs, graceMs: 2 * cancelGraceMs + 1 };
  const received = await waitBounded(run, limits, enter(0), `the middleware around ${tool.name}`);
  if (received instanceof EarlyEnd) return received;
  run.returned = received.value;
  return undefined;
}

/** Returns what middleware receives: a result, even if the body threw, was cancelled or returned an invalid value. */
function resultOf(run: CallRun, ended: unknown): ToolResult {
  const { id, name } = run.call;
  const result = ended instanceof EarlyEnd ? failure(id, ended.error) : readReturned(id, name, ended);
  return result.ok ? result : run.identify(result, run.config.now());
}
