/** Codes of {@link ToolkitError} and of answers that are the toolkit's own, each explained in `docs/errors.md`. */
export const toolkitErrorCodes = [
  'BAD_PARAMETER',
  'NOT_FOUND',
  'CONFLICT',
  'INVALID_PROMPT',
  'CALL_FAILED',
  'CLOSED',
] as const;

/** A literal code of {@link ToolkitError}. */
export type ToolkitErrorCode = (typeof toolkitErrorCodes)[number];

/** What is wrong with a prompt, and where; both counted from 1. */
export interface PromptIssue {
  readonly line: number;
  readonly column?: number;
  readonly message: string;
}

/** Thrown for misuse of a toolkit by a program; what a call came to is an answer, never thrown. */
export class ToolkitError extends Error {
  override readonly name: string = 'ToolkitError';
  readonly code: ToolkitErrorCode;
  /** Of `INVALID_PROMPT`: everything that is wrong. */
  readonly issues: readonly PromptIssue[];

  constructor(
    code: ToolkitErrorCode,
    message: string,
    options: ErrorOptions & { readonly issues?: readonly PromptIssue[] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.issues = options.issues ?? [];
  }
}

/** Makes the error of an option or an argument that can't be used. */
export function badParameter(message: string): ToolkitError {
  return new ToolkitError('BAD_PARAMETER', message);
}
