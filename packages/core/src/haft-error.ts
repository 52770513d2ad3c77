/** Codes of {@link HaftError}, each explained in `docs/errors.md`. */
export const haftErrorCodes = ['INVALID_TOOL', 'DUPLICATE_TOOL', 'RESERVED_PROVIDER', 'INVALID_OPTION'] as const;

/** A literal code of {@link HaftError}. */
export type HaftErrorCode = (typeof haftErrorCodes)[number];

/** Thrown for misuse of core by a program, never for what a model or the world did. */
export class HaftError extends Error {
  override readonly name = 'HaftError';
  readonly code: HaftErrorCode;

  constructor(code: HaftErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
