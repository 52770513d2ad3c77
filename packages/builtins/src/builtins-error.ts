/** Codes of {@link BuiltinsError}, each explained in `docs/errors.md`. */
export const builtinsErrorCodes: readonly ['INVALID_OPTION'] = ['INVALID_OPTION'];

/** A literal code of {@link BuiltinsError}. */
export type BuiltinsErrorCode = (typeof builtinsErrorCodes)[number];

/**
 * Thrown when a program passes invalid options to the built-in tools. Failed calls never throw; they return a result.
 */
export class BuiltinsError extends Error {
  override readonly name = 'BuiltinsError';
  readonly code: BuiltinsErrorCode;
  /** The page that explains the code. */
  readonly url: string;

  constructor(code: BuiltinsErrorCode, message: string) {
    super(message);
    this.code = code;
    this.url = `https://docs.haft-project.example/errors/#builtins-${code}`;
  }
}

/** Creates the error for an invalid option. */
export function invalidOption(message: string): BuiltinsError {
  return new BuiltinsError('INVALID_OPTION', message);
}
