/** A mistake of the user: one line on standard error, and exit code 2. Nothing has been written. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
