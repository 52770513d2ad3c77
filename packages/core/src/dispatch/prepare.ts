import type { AnyTool } from '../contracts/tool.ts';
import { describeCause } from '../describe-cause.ts';
import { readToolError } from '../results/read-error.ts';
import { awaitTurn } from './await-turn.ts';
import { callInfo } from './around.ts';
import type { CallRun } from './call-run.ts';
import { copyData } from './copy-data.ts';
import type { DispatchMiddleware, Preparation } from './middleware.ts';
import { mostObjects } from './read-call.ts';
import { waitBounded } from './race-cancellation.ts';
import { reject, Rejection } from './rejection.ts';
import type { StepOutcome } from './step.ts';
import { validate } from './validate.ts';

/** Lets middleware rewrite the arguments, one after the other; what it writes is validated again. */
export function prepare(run: CallRun): StepOutcome | Promise<StepOutcome> {
  return run.parts.preparing.length === 0 ? undefined : prepareOneByOne(run, run.tool!);
}

async function prepareOneByOne(run: CallRun, tool: AnyTool): Promise<StepOutcome> {
  let isRewritten = false;
  for (const middleware of run.parts.preparing) {
    let answer;
    try {
      answer = await ask(run, tool, middleware);
    } catch (cause) {
      const message = `middleware ${middleware.name} failed before ${tool.name} ran: ${describeCause(cause)}`;
      return reject('EXECUTION_ERROR', message, { cause });
    }
    if (answer instanceof Rejection) return answer;
    if (answer === undefined) continue;
    run.args = answer.rewritten;
    isRewritten = true;
    const invalid = await validate(run);
    if (invalid) return invalid;
  }
  // Other arguments may touch something else.
  return isRewritten ? awaitTurn(run) : undefined;
}

/** What one of them makes of the arguments: nothing, others, or an end to the call. */
async function ask(
  run: CallRun,
  tool: AnyTool,
  middleware: DispatchMiddleware,
): Promise<{ readonly rewritten: unknown } | Rejection | undefined> {
  const settled = await waitBounded<Preparation>(
    run,
    { timeoutMs: run.parts.middlewareTimeoutMs },
    middleware.prepare!(callInfo(run, tool)),
    `middleware ${middleware.name}`,
  );
  if (settled instanceof Rejection) return settled;
  const answer: unknown = settled.value;
  if (answer === undefined || answer === null) return undefined;
  if (typeof answer !== 'object') throw new TypeError('it answered neither arguments nor an error');
  if ('reject' in answer) {
    const { reject: error } = answer;
    if (typeof error !== 'object' || error === null) throw new TypeError('it rejected the call without an error');
    return new Rejection(readToolError(error));
  }
  if (!('arguments' in answer)) throw new TypeError('it answered neither arguments nor an error');
  return { rewritten: copyData(answer.arguments, mostObjects) };
}
