import type { CallInfo, DispatchMiddleware, Preparation } from '../../contracts/calls/middleware.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { describeCause } from '../../describe-cause.ts';
import { readToolError } from '../../results/read-error.ts';
import type { CallRun } from '../call/call-run.ts';
import { copyData, freezeData } from '../call/copy-data.ts';
import { maxObjects, toCall } from '../call/read-call.ts';
import { endEarly, EarlyEnd, waitBounded } from '../call/early-end.ts';
import { acquire } from './acquire.ts';
import { validate } from './validate.ts';

/** Lets each middleware rewrite the arguments in turn. Rewritten arguments are validated again. */
export async function prepare(run: CallRun): Promise<EarlyEnd | undefined> {
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
export function callInfo(run: CallRun, tool: AnyTool): CallInfo {
  freezeData(run.call.arguments);
  return { call: toCall(run.call), tool, provider: run.provider, arguments: run.args, context: run.options.given };
}
