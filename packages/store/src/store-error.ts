/**
 * Every code of a {@link StoreError} or a {@link Conflict}. The spelling is permanent.
 *
 * - `CLOSED`: the store is closed.
 * - `CONFLICT`: the document is not at the expected version because another writer changed it first.
 * - `CORRUPT`: the stored data is damaged.
 * - `DOCUMENT_TOO_LARGE`: the value exceeds the size limit or is nested too deeply.
 * - `DRIVER_MISSING`: the package for that kind of database, `better-sqlite3` or `pg`, is not installed.
 * - `FULL`: no space is left to write.
 * - `INVALID_COLLECTION`, `INVALID_KEY`: the name is not valid.
 * - `INVALID_DOCUMENT`: the value is not JSON or does not match the schema of its collection.
 * - `INVALID_OPTION`: an option or argument is not valid.
 * - `MIGRATION_FAILED`: a migration threw, or its result does not match the schema.
 * - `NEWER_VERSION`: a newer version of the program wrote the store or the document.
 * - `NOT_A_STORE`: the database belongs to another program.
 * - `UNAVAILABLE`: the database cannot be reached or opened, or did not answer in time.
 */
export const storeErrorCodes = [
  'CLOSED',
  'CONFLICT',
  'CORRUPT',
  'DOCUMENT_TOO_LARGE',
  'DRIVER_MISSING',
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

/** A validation error at one position of a value. */
export interface DocumentIssue {
  /** The position, for example `$.items[2].name`. `$` is the value itself. */
  readonly path: string;
  readonly message: string;
}

/** Hints for a model whose tool call failed because of the store. They contain no paths or addresses. */
const hints: Readonly<Record<StoreErrorCode, string>> = {
  CLOSED: 'The storage is closed. Continue without it.',
  CONFLICT: 'The document changed in the meantime. Read it again, then repeat the change.',
  CORRUPT: 'The stored data is damaged. Tell the user and continue without it.',
  DOCUMENT_TOO_LARGE: 'The value is too large. Store less, for example a summary.',
  DRIVER_MISSING: 'The storage is not set up. Continue without it.',
  FULL: 'The storage is full. Tell the user and continue without storing.',
  INVALID_COLLECTION: 'That name is not valid. Use letters, digits and dashes, for example "notes".',
  INVALID_DOCUMENT: 'The value does not match the stored format. Correct it and try again.',
  INVALID_KEY: 'That key is not valid. Use a short name, for example "notes/today".',
  INVALID_OPTION: 'The storage does not support this request. Continue without it.',
  MIGRATION_FAILED: 'The stored data has an old format and cannot be read. Tell the user and continue without it.',
  NEWER_VERSION: 'The stored data needs a newer version of the program. Tell the user and continue without it.',
  NOT_A_STORE: 'The storage cannot be used. Continue without it.',
  UNAVAILABLE: 'The storage is not reachable. Try again, then continue without it.',
};

/**
 * Thrown when a document cannot be read or written, with a literal `code`. A version conflict is expected and not
 * thrown: `set`, `delete` and `batch` return it as a {@link Conflict}.
 */
export class StoreError extends Error {
  override readonly name = 'StoreError';
  readonly code: StoreErrorCode;
  /** The page that explains the code. */
  readonly url: string;
  /** A short imperative sentence for a model. `message` is for developers and may contain paths. */
  readonly hint: string;
  /** The validation errors; empty for codes that do not concern a value. */
  readonly issues: readonly DocumentIssue[];

  constructor(
    code: StoreErrorCode,
    message: string,
    options: { readonly issues?: readonly DocumentIssue[]; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.url = `https://docs.haft-project.example/errors/#store-${code}`;
    this.hint = hints[code];
    this.issues = options.issues ?? [];
  }
}

/** Returns the hint for a code. */
export function hintOf(code: StoreErrorCode): string {
  return hints[code];
}
