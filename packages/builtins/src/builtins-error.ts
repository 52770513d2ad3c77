/** Codes of {@link BuiltinsError}, each explained in `docs/errors.md`. */
export const builtinsErrorCodes: readonly ['INVALID_OPTION'] = ['INVALID_OPTION'];

/** A literal code of {@link BuiltinsError}. */
export type BuiltinsErrorCode = (typeof builtinsErrorCodes)[number];

/** Thrown when a program makes the built-in tools of options that can't be used; what a call does wrong is never thrown. */
export class BuiltinsError extends Error {
  override readonly name = 'BuiltinsError';
  readonly code: BuiltinsErrorCode;

  constructor(code: BuiltinsErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Makes the error of an option that can't be used. */
export function invalidOption(message: string): BuiltinsError {
  return new BuiltinsError('INVALID_OPTION', message);
}
