/** Codes of {@link PermissionError}, each explained in `docs/errors.md`. */
export const permissionErrorCodes: readonly ['INVALID_OPTION', 'INVALID_RULE', 'INVALID_ANSWER'] = [
  'INVALID_OPTION',
  'INVALID_RULE',
  'INVALID_ANSWER',
];

/** A literal code of {@link PermissionError}. */
export type PermissionErrorCode = (typeof permissionErrorCodes)[number];

/**
 * Thrown when a program misuses the permission engine. A call that may not run is denied, and the engine does not
 * throw.
 */
export class PermissionError extends Error {
  override readonly name = 'PermissionError';
  readonly code: PermissionErrorCode;
  /** The page that explains the code. */
  readonly url: string;

  constructor(code: PermissionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.url = `https://docs.haft-project.example/errors/#permission-${code}`;
  }
}
