import type { ToolError } from '../../contracts/results/error.ts';
import type { ToolErrorExtras } from '../../results/tool-error.ts';
import { toolError } from '../../results/tool-error.ts';
import type { ErrorCode } from '../../results/error-codes.ts';

/** The return value of a step that ends the call: the error of the result. */
export class Stop {
  readonly error: ToolError;

  constructor(error: ToolError) {
    this.error = error;
  }
}

/** The return value of a step: `undefined` to continue, a stop to end the call, or a promise of either. */
export type Step = Stop | undefined | Promise<Stop | undefined>;

/** Ends a call with an error code of Haft. */
export function stop(code: ErrorCode, message: string, extras?: ToolErrorExtras): Stop {
  return new Stop(toolError(code, message, extras));
}
