/** Codes of {@link HaftError}, each explained in `docs/errors.md`. */
export const haftErrorCodes = [
  'INVALID_TOOL',
  'DUPLICATE_TOOL',
  'RESERVED_PROVIDER',
  'INVALID_OPTION',
  'AGENT_RUNNING',
  'SESSION_CONFLICT',
  'SESSION_DAMAGED',
] as const;

/** A literal code of {@link HaftError}. */
export type HaftErrorCode = (typeof haftErrorCodes)[number];

/** Thrown for misuse of core and of the loop by a program, and where a session can't be kept or brought back; never for what a model did. */
export class HaftError extends Error {
  override readonly name = 'HaftError';
  readonly code: HaftErrorCode;

  constructor(code: HaftErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
