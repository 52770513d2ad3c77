import { errorCodes, redactText, type Fault, type ToolError } from '@haft/core';

/** Properties of a {@link ModelFailure} besides its message. */
interface FailureFacts {
  readonly retryable: boolean;
  readonly fault?: Fault;
  readonly details?: Readonly<Record<string, unknown>>;
}

/**
 * Thrown by the stream of an {@link aiSdkModel} when the provider fails. Has the members of a `ToolError` with code
 * `MODEL_FAILED`: `retryable`, `details.status`, and `details.retryAfterMs` with the delay that the vendor asked for.
 * The provider's error is the `cause`.
 */
export class ModelFailure extends Error implements ToolError {
  override readonly name = 'ModelFailure';
  readonly code = 'MODEL_FAILED' as const;
  readonly fault: Fault;
  readonly retryable: boolean;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, facts: FailureFacts, cause: unknown) {
    // Vendors repeat rejected keys in messages, which are logged and shown.
    super(redactText(message), { cause });
    this.fault = facts.fault ?? errorCodes.MODEL_FAILED.fault;
    this.retryable = facts.retryable;
    this.details = facts.details ?? {};
  }
}
