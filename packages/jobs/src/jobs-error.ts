/** Codes of {@link JobsError}. `docs/errors.md` explains each code. */
export const jobsErrorCodes = [
  'INVALID_OPTION',
  'MISSING_PACKAGE',
  'UNAVAILABLE',
  'FULL',
  'IN_USE',
  'NEWER_VERSION',
  'NOT_A_LEDGER',
  'UNKNOWN_JOB',
  'KEY_REUSED',
  'NOT_UNKNOWN',
  'NOT_OPEN',
  'CLOSED',
] as const;

/** A code of {@link JobsError}. */
export type JobsErrorCode = (typeof jobsErrorCodes)[number];

/**
 * Thrown when a program misuses jobs, or when their database can't be used. Never thrown for a failed call, whose
 * failure is the result of the job.
 */
export class JobsError extends Error {
  override readonly name = 'JobsError';
  readonly code: JobsErrorCode;
  /** The page that explains the code. */
  readonly url: string;

  constructor(code: JobsErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.url = `https://docs.haft-project.example/errors/#jobs-${code}`;
  }
}
