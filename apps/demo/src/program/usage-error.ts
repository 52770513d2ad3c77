/** Something the person who typed the command can put right: one clear line on standard error and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'USAGE';
}
