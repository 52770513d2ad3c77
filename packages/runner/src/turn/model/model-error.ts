import { isToolError, toolError, type ToolError } from '@haft/core';
import { describeCause } from '@haft/core/results';

/**
 * What a model threw, as an error that says whether trying again makes sense. A thrown value with the members of a
 * `ToolError` is taken at its word; of any other it is only known that it failed.
 */
export function asModelError(thrown: unknown): ToolError {
  try {
    return isToolError(thrown) ? copyError(thrown) : failed(thrown);
  } catch {
    return failed(thrown);
  }
}

/** Each member is read once: an error may be anything. */
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

/** Milliseconds that the vendor asked to wait, where it did: `details.retryAfterMs` of the error. */
export function retryAfterOf(error: ToolError): number | undefined {
  const asked = error.details?.['retryAfterMs'];
  return typeof asked === 'number' && asked >= 0 ? asked : undefined;
}
