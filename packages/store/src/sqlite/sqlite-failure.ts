import { StoreError } from '../store-error.ts';
import type { StoreErrorCode } from '../store-error.ts';

/** The result code of SQLite in an error: `SQLITE_BUSY`, `SQLITE_IOERR_WRITE`; empty for other errors. */
export function sqliteCodeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}

/** Whether somebody else holds a lock that will go away. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(sqliteCodeOf(error));
}

/** Whether the file itself is damaged, or no database at all. */
export function isCorrupt(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(sqliteCodeOf(error));
}

/** What SQLite reported, as an error of the store; anything else is a defect and comes back as it is. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = sqliteCodeOf(error);
  if (code === '' || !(error instanceof Error)) return error;
  const message = `${storeCodeOf(code) === 'FULL' ? 'no room to write' : error.message} (${code} on ${JSON.stringify(path)})`;
  return new StoreError(storeCodeOf(code), message, { cause: error });
}

function storeCodeOf(code: string): StoreErrorCode {
  if (code.startsWith('SQLITE_FULL')) return 'FULL';
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(code) ? 'CORRUPT' : 'UNAVAILABLE';
}
