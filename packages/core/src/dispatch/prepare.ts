import type { AnyTool } from '../contracts/tool.ts';
import { describeCause } from '../describe-cause.ts';
import { callInfo } from './around.ts';
import type { CallRun } from './call-run.ts';
import { waitBounded } from './race-cancellation.ts';
import { reject, Rejection } from './rejection.ts';
import { validate } from './validate.ts';

/** Lets middleware rewrite the arguments, one after the other; what it writes is validated again. */
export async function prepare(run: CallRun, tool: AnyTool): Promise<Rejection | undefined> {
  for (const middleware of run.parts.middleware) {
    if (!middleware.prepare) continue;
    let answer;
    try {
      answer = await waitBounded(
        run,
        { timeoutMs: run.parts.middlewareTimeoutMs },
        Promise.resolve(middleware.prepare(callInfo(run, tool))),
        `middleware ${middleware.name}`,
      );
    } catch (cause) {
      return reject(
        'EXECUTION_ERROR',
        `middleware ${middleware.name} failed before ${tool.name} ran: ${describeCause(cause)}`,
        { cause },
      );
    }
    if (answer === undefined) continue;
    if (answer instanceof Rejection) return answer;
    if ('reject' in answer) return new Rejection(answer.reject);
    run.args = answer.arguments;
    const invalid = await validate(run, tool);
    if (invalid) return invalid;
  }
  return undefined;
}
