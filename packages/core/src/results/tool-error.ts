import type { ToolError } from '../contracts/results/error.ts';
import type { Fault } from '../contracts/results/fault.ts';
import { HaftError } from '../haft-error.ts';
import { errorCodes, type ErrorCode } from './error-codes.ts';

/** What may be said about a failure besides its code and message. */
export type ToolErrorExtras = Partial<Omit<ToolError, 'code' | 'message'>>;

/** Makes an error of one of Haft's own codes, with that code's fault and retry rule unless `extras` says otherwise. */
export function toolError(code: ErrorCode, message: string, extras?: ToolErrorExtras): ToolError;
/**
 * Makes an error of a code of your own, whose fault `extras` has to say; not retryable unless it says so.
 * @throws HaftError `INVALID_OPTION` for a code that is not Haft's and has no fault.
 */
export function toolError(
  code: string,
  message: string,
  extras: ToolErrorExtras & { readonly fault: Fault },
): ToolError;
export function toolError(code: string, message: string, extras?: ToolErrorExtras): ToolError {
  if (Object.hasOwn(errorCodes, code)) {
    const { fault, retryable } = errorCodes[code as ErrorCode];
    return { code, fault, retryable, message, ...extras };
  }
  const fault = extras?.fault;
  if (fault === undefined)
    throw new HaftError(
      'INVALID_OPTION',
      `toolError: ${JSON.stringify(code)} is no code of Haft's; one of your own needs its fault, as in { fault: 'world' }`,
    );
  return { code, retryable: false, message, ...extras, fault };
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
