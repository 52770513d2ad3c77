import type { ToolError } from '../contracts/error.ts';
import type { ToolErrorExtras } from '../results/tool-error.ts';
import { toolError } from '../results/tool-error.ts';
import type { ErrorCode } from '../results/error-codes.ts';

/** What a step returns when the call goes no further. */
export class Rejection {
  readonly error: ToolError;

  constructor(error: ToolError) {
    this.error = error;
  }
}

/** Ends a call with one of Haft's own codes. */
export function reject(code: ErrorCode, message: string, extras?: ToolErrorExtras): Rejection {
  return new Rejection(toolError(code, message, extras));
}
