import type { ToolError } from '../contracts/error.ts';
import { errorCodes, type ErrorCode } from './error-codes.ts';

/** What may be said about a failure besides its code and message. */
export type ToolErrorExtras = Partial<Omit<ToolError, 'code' | 'message'>>;

/** Makes an error of one of Haft's own codes, with that code's fault and retry rule unless `extras` says otherwise. */
export function toolError(code: ErrorCode, message: string, extras?: ToolErrorExtras): ToolError {
  const { fault, retryable } = errorCodes[code];
  return { code, fault, retryable, message, ...extras };
}

/** The model's mistake: fix the call and send it again. */
export function validation(operation: string, reason: string, extras?: ToolErrorExtras): ToolError {
  return toolError('INVALID_ARGS', `${operation}: ${reason}`, extras);
}

/** The world's mistake: the same call may work later, and the model is not to blame. */
export function transient(operation: string, cause: unknown, extras?: ToolErrorExtras): ToolError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return {
    code: 'EXECUTION_ERROR',
    fault: 'world',
    retryable: true,
    message: `${operation}: ${reason}`,
    cause,
    ...extras,
  };
}
