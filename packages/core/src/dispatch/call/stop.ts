import type { ToolError } from '../../contracts/results/error.ts';
import type { ToolErrorExtras } from '../../results/tool-error.ts';
import { toolError } from '../../results/tool-error.ts';
import type { ErrorCode } from '../../results/error-codes.ts';

/** What a step returns when the call ends there: the error of its result. */
export class Stop {
  readonly error: ToolError;

  constructor(error: ToolError) {
    this.error = error;
  }
}

/** What a step returns: nothing when the call goes on, or a promise where it has to wait. */
export type Step = Stop | undefined | Promise<Stop | undefined>;

/** Ends a call with one of Haft's own codes. */
export function stop(code: ErrorCode, message: string, extras?: ToolErrorExtras): Stop {
  return new Stop(toolError(code, message, extras));
}
