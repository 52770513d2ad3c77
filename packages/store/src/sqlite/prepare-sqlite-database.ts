import type Sqlite from 'better-sqlite3';

import { StoreError } from '../store-error.ts';
import { tableFormat } from '../tables.ts';
import { createTables } from './sqlite-queries.ts';
import { waitForLock } from './wait-for-sqlite-lock.ts';

/** The text `Haft` as SQLite's application ID. */
const applicationId = 0x48_61_66_74;

/**
 * Turns an open database into a store: checks its owner and integrity before any change, then configures it and creates
 * missing tables. Throws SQLite's error if the database is damaged.
 */
export async function prepareDatabase(
  sqlite: typeof Sqlite,
  database: Sqlite.Database,
  path: string,
  timeoutMs: number,
): Promise<void> {
  await waitForLock(timeoutMs, () => {
    checkOwner(database, path);
    checkPages(sqlite, database);
  });
  await waitForLock(timeoutMs, () => database.pragma('journal_mode = wal'));
  // Flush each commit to disk before it is acknowledged.
  database.pragma('synchronous = full');
  database.pragma('trusted_schema = off');
  database.pragma('cell_size_check = on');
  await waitForLock(timeoutMs, () => createMissingTables(database));
}

function checkOwner(database: Sqlite.Database, path: string): void {
  // Read in one transaction, because another program may be creating the store.
  const readState = database.transaction(() => ({
    application: readNumber(database, 'application_id'),
    format: readNumber(database, 'user_version'),
    isEmpty: database.prepare('select count(*) from sqlite_schema').pluck().get() === 0,
  }));
  const { application, format, isEmpty } = readState.deferred();
  if (application !== applicationId && !(application === 0 && format === 0 && isEmpty)) {
    throw new StoreError('NOT_A_STORE', `${JSON.stringify(path)} is a database of another program; it was not changed`);
  }
  if (format > tableFormat) {
    const message = `${JSON.stringify(path)} has table format ${format}, but this program supports ${tableFormat}; it was not changed`;
    throw new StoreError('NEWER_VERSION', message);
  }
}

/** Reads every page once, so that structural damage is found now rather than during later work. */
function checkPages(sqlite: typeof Sqlite, database: Sqlite.Database): void {
  const result = database.pragma('quick_check(1)', { simple: true });
  if (result !== 'ok') throw new sqlite.SqliteError(String(result), 'SQLITE_CORRUPT');
}

function createMissingTables(database: Sqlite.Database): void {
  // Checked without a lock first, so that opening does not wait for writers.
  if (readNumber(database, 'user_version') !== 0) return;
  const make = database.transaction(() => {
    // Another program may have created them first.
    if (readNumber(database, 'user_version') !== 0) return;
    for (const statement of createTables) database.exec(statement);
    database.pragma(`application_id = ${applicationId}`);
    database.pragma(`user_version = ${tableFormat}`);
  });
  make.immediate();
}

function readNumber(database: Sqlite.Database, pragma: string): number {
  return Number(database.pragma(pragma, { simple: true }));
}
