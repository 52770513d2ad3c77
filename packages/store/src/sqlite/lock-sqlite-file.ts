import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

import { importDriver } from '../driver/import-driver.ts';
import { StoreError } from '../store-error.ts';

/** A lock that the operating system releases when the process ends, however it ends. */
export interface FileLock {
  release(): void;
}

/**
 * Takes an exclusive lock by keeping a transaction of an otherwise empty SQLite file open. Creates the file and its
 * directory if they are missing.
 *
 * @throws StoreError `UNAVAILABLE` at once if another process, or another call in this process, holds the lock;
 *   `DRIVER_MISSING` if `better-sqlite3` is not installed.
 */
export async function lockFile(path: string): Promise<FileLock> {
  const { default: sqlite } = await importDriver('better-sqlite3', () => import('better-sqlite3'));
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const database = new sqlite(path, { timeout: 0 });
  try {
    database.exec('begin exclusive');
  } catch (cause) {
    database.close();
    throw new StoreError('UNAVAILABLE', `${JSON.stringify(path)} is locked by another program`, { cause });
  }
  return { release: () => void database.close() };
}
