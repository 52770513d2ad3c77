/** Codes of {@link HaftError}. `docs/errors.md` explains each code. */
export const haftErrorCodes = [
  'INVALID_TOOL',
  'DUPLICATE_TOOL',
  'RESERVED_PROVIDER',
  'INVALID_OPTION',
  'AGENT_RUNNING',
  'RUN_FAILED',
  'SESSION_CONFLICT',
  'SESSION_DAMAGED',
] as const;

/** A code of {@link HaftError}. */
export type HaftErrorCode = (typeof haftErrorCodes)[number];

/**
 * Thrown when a program misuses core or the loop, when a session can't be saved or restored, and for a failed run if
 * the program asks for it with `throwOnError`. Never thrown for mistakes of a model.
 */
export class HaftError extends Error {
  override readonly name = 'HaftError';
  readonly code: HaftErrorCode;
  /** The page that explains the code. */
  readonly url: string;

  constructor(code: HaftErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.url = `https://docs.haft-project.example/errors/#core-${code}`;
  }
}
