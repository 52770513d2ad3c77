/**
 * Every code a {@link StoreError} or a {@link Conflict} can carry. The spelling is permanent.
 *
 * - `CLOSED`: the store was closed.
 * - `CONFLICT`: the document is not at the version that was expected; somebody else was quicker.
 * - `CORRUPT`: what is stored is damaged.
 * - `DOCUMENT_TOO_LARGE`: the value takes more bytes than a document may, or is nested too deep.
 * - `FULL`: there is no room to write.
 * - `INVALID_COLLECTION`, `INVALID_KEY`: a name that can't be used.
 * - `INVALID_DOCUMENT`: the value is no JSON, or doesn't fit the schema of its collection.
 * - `INVALID_OPTION`: an option or an argument has a value that can't be used.
 * - `MIGRATION_FAILED`: a migration threw, or what it made doesn't fit the schema.
 * - `NEWER_VERSION`: the store, or the document, was written by a newer version of the program.
 * - `NOT_A_STORE`: the database belongs to something else.
 * - `UNAVAILABLE`: the database can't be reached, opened, or did not answer in time.
 */
export const storeErrorCodes = [
  'CLOSED',
  'CONFLICT',
  'CORRUPT',
  'DOCUMENT_TOO_LARGE',
  'FULL',
  'INVALID_COLLECTION',
  'INVALID_DOCUMENT',
  'INVALID_KEY',
  'INVALID_OPTION',
  'MIGRATION_FAILED',
  'NEWER_VERSION',
  'NOT_A_STORE',
  'UNAVAILABLE',
] as const;

/** One of {@link storeErrorCodes}. */
export type StoreErrorCode = (typeof storeErrorCodes)[number];

/** What is wrong at one place of a value. */
export interface DocumentIssue {
  /** `$.items[2].name`; `$` is the value itself. */
  readonly path: string;
  readonly message: string;
}

/** For a model that asked, through some tool, for what could not be done; free of paths and addresses. */
const hints: Readonly<Record<StoreErrorCode, string>> = {
  CLOSED: 'The storage is closed. Go on without it.',
  CONFLICT: 'It was changed in the meantime. Read it again, then repeat the change.',
  CORRUPT: 'What was stored there is damaged. Go on without it and say so.',
  DOCUMENT_TOO_LARGE: 'That is too large to be stored. Store less, for example a summary.',
  FULL: 'There is no room left to store this. Go on without storing and say so.',
  INVALID_COLLECTION: 'That name cannot be used. Use letters, digits and dashes, for example "notes".',
  INVALID_DOCUMENT: 'The value does not have the form that is stored here. Correct it and try again.',
  INVALID_KEY: 'That key cannot be used. Use a short name in plain text, for example "notes/today".',
  INVALID_OPTION: 'The storage was asked for something it cannot do. Go on without it.',
  MIGRATION_FAILED: 'What is stored there is in an old form that could not be read. Go on without it and say so.',
  NEWER_VERSION: 'What is stored there belongs to a newer version of the program. Go on without it and say so.',
  NOT_A_STORE: 'The storage cannot be used. Go on without it.',
  UNAVAILABLE: 'The storage cannot be reached now. Try once more, then go on without it.',
};

/**
 * Thrown when a document could not be read or written, with a literal `code`. That somebody else was quicker is
 * expected and not thrown: `set`, `delete` and `batch` answer it as a {@link Conflict}.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  /** Short and imperative, for a model; `message` is for the developer and may name paths. */
  readonly hint: string;
  /** Where the value is wrong; empty for codes that are not about a value. */
  readonly issues: readonly DocumentIssue[];

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { readonly issues?: readonly DocumentIssue[]; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.hint = hints[code];
    this.issues = options.issues ?? [];
  }
}

/** The hint that goes with a code. */
export function hintOf(code: StoreErrorCode): string {
  return hints[code];
}
