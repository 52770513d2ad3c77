/** Codes of {@link ToolkitError} and of answers that are the toolkit's own, each explained in `docs/errors.md`. */
export const toolkitErrorCodes = ['BAD_PARAMETER', 'NOT_FOUND', 'CONFLICT', 'CALL_FAILED', 'CLOSED'] as const;

/** A literal code of {@link ToolkitError}. */
export type ToolkitErrorCode = (typeof toolkitErrorCodes)[number];

/** Thrown for misuse of a toolkit by a program; what a call came to is an answer, never thrown. */
export class ToolkitError extends Error {
  override readonly name: string = 'ToolkitError';
  readonly code: ToolkitErrorCode;

  constructor(code: ToolkitErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
