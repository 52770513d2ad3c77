/** Codes of {@link PermissionError}, each explained in `docs/errors.md`. */
export const permissionErrorCodes: readonly ['INVALID_OPTION', 'INVALID_RULE', 'INVALID_ANSWER'] = [
  'INVALID_OPTION',
  'INVALID_RULE',
  'INVALID_ANSWER',
];

/** A literal code of {@link PermissionError}. */
export type PermissionErrorCode = (typeof permissionErrorCodes)[number];

/** Thrown when a program misuses the permission engine; a call that may not run is never thrown, it is denied. */
export class PermissionError extends Error {
  override readonly name = 'PermissionError';
  readonly code: PermissionErrorCode;

  constructor(code: PermissionErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Shows a value that was given instead of what was expected, in a few words. */
export function showGiven(given: unknown): string {
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 60));
  if (typeof given === 'object' && given !== null) return Array.isArray(given) ? 'a list' : 'an object';
  return typeof given === 'function' ? 'a function' : String(given);
}
