/** All error codes of this package, for {@link JournalError} and refused undos. Codes never change. */
export const journalErrorCodes = [
  'INVALID_JOURNAL_OPTION',
  'JOURNAL_CLOSED',
  'JOURNAL_IN_USE',
  'JOURNAL_UNREADABLE',
  'NOTHING_TO_UNDO',
  'UNDO_BUSY',
  'UNDO_CONFLICT',
  'UNDO_FAILED',
  'UNKNOWN_CALL',
] as const;

/** One of {@link journalErrorCodes}. */
export type JournalErrorCode = (typeof journalErrorCodes)[number];

/** Thrown for invalid use and for an unusable journal directory. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly code: JournalErrorCode;
  /** The page that explains the code. */
  readonly url: string;

  constructor(code: JournalErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.url = `https://docs.haft-project.example/errors/#journal-${code}`;
  }
}
