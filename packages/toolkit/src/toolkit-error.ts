/** Codes of {@link ToolkitError} and of answers that the toolkit creates. `docs/errors.md` explains each code. */
export const toolkitErrorCodes = [
  'BAD_PARAMETER',
  'NOT_FOUND',
  'CONFLICT',
  'INVALID_PROMPT',
  'CALL_FAILED',
  'CLOSED',
] as const;

/** A code of {@link ToolkitError}. */
export type ToolkitErrorCode = (typeof toolkitErrorCodes)[number];

/** An error in a prompt and its position. Line and column start at 1. */
export interface PromptIssue {
  readonly line: number;
  readonly column?: number;
  readonly message: string;
}

/** Thrown when a program misuses the toolkit. Failed calls return an answer and never throw. */
export class ToolkitError extends Error {
  override readonly name: string = 'ToolkitError';
  readonly code: ToolkitErrorCode;
  /** The page that explains the code. */
  readonly url: string;
  /** All errors in the prompt, for `INVALID_PROMPT`. */
  readonly issues: readonly PromptIssue[];

  constructor(
    code: ToolkitErrorCode,
    message: string,
    options: ErrorOptions & { readonly issues?: readonly PromptIssue[] } = {},
  ) {
    super(message, options);
    this.code = code;
    this.url = `https://docs.haft-project.example/errors/#toolkit-${code}`;
    this.issues = options.issues ?? [];
  }
}

/** Creates the error for an invalid option or argument. */
export function badParameter(message: string): ToolkitError {
  return new ToolkitError('BAD_PARAMETER', message);
}
