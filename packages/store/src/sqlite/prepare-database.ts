import type Sqlite from 'better-sqlite3';

import { StoreError } from '../store-error.ts';
import { tableFormat } from '../tables.ts';
import { createTables } from './queries.ts';
import { waitForLock } from './wait-for-lock.ts';

/** `Haft`, where SQLite lets an application sign its files. */
const applicationId = 0x48_61_66_74;

/**
 * Makes a store of a database that was opened: looks whose it is and whether it is whole, before anything is changed, then
 * sets it up and makes the tables where there are none. Fails with SQLite's code when it is damaged.
 */
export async function prepareDatabase(
  sqlite: typeof Sqlite,
  database: Sqlite.Database,
  path: string,
  timeoutMs: number,
): Promise<void> {
  await waitForLock(timeoutMs, () => {
    refuseForeign(database, path);
    checkPages(sqlite, database);
  });
  await waitForLock(timeoutMs, () => database.pragma('journal_mode = wal'));
  // Each commit is on the disk before it is acknowledged, not only in the order of commits.
  database.pragma('synchronous = full');
  database.pragma('trusted_schema = off');
  database.pragma('cell_size_check = on');
  await waitForLock(timeoutMs, () => makeTables(database));
}

function refuseForeign(database: Sqlite.Database, path: string): void {
  // Of one moment: another program may be making the store just now.
  const look = database.transaction(() => ({
    application: readNumber(database, 'application_id'),
    format: readNumber(database, 'user_version'),
    isEmpty: database.prepare('select count(*) from sqlite_schema').pluck().get() === 0,
  }));
  const { application, format, isEmpty } = look.deferred();
  if (application !== applicationId && !(application === 0 && format === 0 && isEmpty)) {
    throw new StoreError(
      'NOT_A_STORE',
      `${JSON.stringify(path)} is a database of another program; it was left as it is`,
    );
  }
  if (format > tableFormat) {
    const what = `${JSON.stringify(path)} has form ${format}, and this program knows ${tableFormat}; it was left as it is`;
    throw new StoreError('NEWER_VERSION', what);
  }
}

/** Reads every page once: what the structure of the file can show is found now and not in the middle of the work. */
function checkPages(sqlite: typeof Sqlite, database: Sqlite.Database): void {
  const answer = database.pragma('quick_check(1)', { simple: true });
  if (answer !== 'ok') throw new sqlite.SqliteError(String(answer), 'SQLITE_CORRUPT');
}

function makeTables(database: Sqlite.Database): void {
  // Looked at first without a lock, so that opening waits for nobody who writes.
  if (readNumber(database, 'user_version') !== 0) return;
  const make = database.transaction(() => {
    // Another program may have been quicker.
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
