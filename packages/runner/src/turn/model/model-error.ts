import { isToolError, toolError, type ToolError } from '@haft/core';
import { describeCause } from '@haft/core/results';

/**
 * Converts an exception of a model to an error. Values with the members of a `ToolError` are trusted, including
 * `retryable`; anything else becomes a general failure.
 */
export function asModelError(thrown: unknown): ToolError {
  try {
    return isToolError(thrown) ? copyError(thrown) : failed(thrown);
  } catch {
    return failed(thrown);
  }
}

/** Reads each member once, because accessors may change. */
function copyError(thrown: ToolError): ToolError {
  const { code, fault, retryable, message, hint, details, cause } = thrown;
  return {
    code,
    fault,
    retryable,
    message,
    ...(hint && { hint }),
    ...(details && { details }),
    cause: cause ?? thrown,
  };
}

function failed(thrown: unknown): ToolError {
  return toolError('MODEL_FAILED', `the model failed: ${describeCause(thrown)}`, { retryable: false, cause: thrown });
}

/** Returns the delay that the vendor requested in `details.retryAfterMs`, in milliseconds. */
export function retryAfterOf(error: ToolError): number | undefined {
  const asked = error.details?.['retryAfterMs'];
  return typeof asked === 'number' && asked >= 0 ? asked : undefined;
}
