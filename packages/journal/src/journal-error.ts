/** Every code of this package: of {@link JournalError}, and of an undo that was refused. The spelling is permanent. */
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

/** Thrown for misuse by a program, and where the journal's own folder can't be used. */
export class JournalError extends Error {
  override readonly name = 'JournalError';
  readonly code: JournalErrorCode;

  constructor(code: JournalErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
