/** A mistake that the user can correct: one line on standard error, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
}
