import { StoreError } from '../store-error.ts';
import type { StoreErrorCode } from '../store-error.ts';

/** Returns SQLite's result code of an error, for example `SQLITE_BUSY`; an empty string for other errors. */
export function sqliteCodeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : '';
}

/** Returns true if another connection holds a lock. */
export function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(sqliteCodeOf(error));
}

/** Returns true if the file is damaged or not a database. */
export function isCorrupt(error: unknown): boolean {
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(sqliteCodeOf(error));
}

/** Converts a SQLite error to a store error. Returns other errors unchanged, because they are defects. */
export function toStoreError(error: unknown, path: string): unknown {
  const code = sqliteCodeOf(error);
  if (code === '' || !(error instanceof Error)) return error;
  const message = `${storeCodeOf(code) === 'FULL' ? 'no space left' : error.message} (${code} on ${JSON.stringify(path)})`;
  return new StoreError(storeCodeOf(code), message, { cause: error });
}

function storeCodeOf(code: string): StoreErrorCode {
  if (code.startsWith('SQLITE_FULL')) return 'FULL';
  return /^SQLITE_(?:CORRUPT|NOTADB)/.test(code) ? 'CORRUPT' : 'UNAVAILABLE';
}
