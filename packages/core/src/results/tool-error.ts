import type { ToolError } from '../contracts/results/error.ts';
import type { Fault } from '../contracts/results/fault.ts';
import { HaftError } from '../haft-error.ts';
import { errorCodes, type ErrorCode } from './error-codes.ts';

/** Optional members of a tool error. */
export type ToolErrorExtras = Partial<Omit<ToolError, 'code' | 'message'>>;

/**
 * Creates an error with one of Haft's codes. The code determines the fault and `retryable`, unless `extras` overrides
 * them.
 */
export function toolError(code: ErrorCode, message: string, extras?: ToolErrorExtras): ToolError;
/**
 * Creates an error with a custom code. `extras` must specify the fault. Not retryable by default.
 * @throws HaftError `INVALID_OPTION` if a custom code has no fault.
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
      `toolError: ${JSON.stringify(code)} is not a code of Haft; a custom code needs a fault, as in { fault: 'world' }`,
    );
  return { code, retryable: false, message, ...extras, fault };
}

/**
 * Creates an error for a mistake of the model, which must correct the call and send it again.
 *
 * @example
 * import { validation } from '@haft/core';
 * const { code, fault, message } = validation('reading the file', 'the range is empty');
 * [code, fault, message]; // => ['INVALID_ARGS', 'model', 'reading the file: the range is empty']
 */
export function validation(operation: string, reason: string, extras?: ToolErrorExtras): ToolError {
  return toolError('INVALID_ARGS', `${operation}: ${reason}`, extras);
}

/**
 * Creates an error for a temporary failure that is not the model's fault. The same call may succeed later.
 *
 * @example
 * import { transient } from '@haft/core';
 * const { fault, retryable } = transient('reading the page', new Error('the host is down'));
 * [fault, retryable]; // => ['world', true]
 */
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
