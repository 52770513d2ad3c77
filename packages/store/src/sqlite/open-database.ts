import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

import type Sqlite from 'better-sqlite3';

import type { DriverSettings } from '../open-driver.ts';
import { StoreError } from '../store-error.ts';
import { tableFormat } from '../tables.ts';
import { applicationId, readFileHeader } from './file-header.ts';
import { createTables } from './queries.ts';
import { setAside } from './set-aside.ts';
import { isCorrupt } from './sqlite-failure.ts';
import { waitForLock } from './wait-for-lock.ts';

/** A database that is ready, and the file it is. */
export interface OpenedDatabase {
  readonly database: Sqlite.Database;
  /** Tells one file from another that takes its name later. */
  readonly inode: bigint;
}

/** How often a damaged file is replaced before this gives up. */
const attempts = 3;

/** Opens a file as a store, making it where there is none, and setting it aside where it is damaged. */
export async function openDatabase(path: string, settings: DriverSettings): Promise<OpenedDatabase> {
  const { default: sqlite } = await loadSqlite();
  createFile(path);
  for (let attempt = 1; ; attempt += 1) {
    const inode = statSync(path, { bigint: true }).ino;
    refuseByHeader(path);
    let database: Sqlite.Database | undefined;
    try {
      database = new sqlite(path, { timeout: 0 });
      await prepareDatabase(sqlite, database, path, settings.timeoutMs);
      return { database, inode };
    } catch (error) {
      database?.close();
      if (!isCorrupt(error) || settings.onCorrupt === 'fail' || attempt >= attempts) throw error;
      replace(path, inode, settings, error);
    }
  }
}

async function loadSqlite(): Promise<{ readonly default: typeof Sqlite }> {
  try {
    return await import('better-sqlite3');
  } catch (cause) {
    throw new StoreError('UNAVAILABLE', 'the package better-sqlite3 can not be loaded on this machine', { cause });
  }
}

/** Makes the file before SQLite does, so that it is its owner's alone from the first moment. */
function createFile(path: string): void {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'ax', 0o600));
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST') return;
    throw new StoreError('UNAVAILABLE', `${JSON.stringify(path)} can't be made: ${String(cause)}`, { cause });
  }
  syncDirectory(dirname(path));
}

/** A new name has to reach the disk as well. Not every system lets directories be opened, and those need it not. */
function syncDirectory(path: string): void {
  try {
    const directory = openSync(path, 'r');
    fsyncSync(directory);
    closeSync(directory);
  } catch {
    // Windows keeps names by itself.
  }
}

/** Refuses what is not ours to open, before SQLite touches anything. */
function refuseByHeader(path: string): void {
  let header: ReturnType<typeof readFileHeader>;
  try {
    header = readFileHeader(path);
  } catch (cause) {
    throw new StoreError('UNAVAILABLE', `${JSON.stringify(path)} can't be read: ${String(cause)}`, { cause });
  }
  if (header !== undefined) refuseForeign(path, header.applicationId, header.format);
}

function refuseForeign(path: string, application: number, format: number): void {
  if (application !== 0 && application !== applicationId) {
    throw new StoreError('NOT_A_STORE', `${JSON.stringify(path)} is a database of another program`);
  }
  if (application === applicationId && format > tableFormat) {
    const what = `${JSON.stringify(path)} has form ${format}, and this program knows ${tableFormat}; it was left as it is`;
    throw new StoreError('NEWER_VERSION', what);
  }
}

async function prepareDatabase(
  sqlite: typeof Sqlite,
  database: Sqlite.Database,
  path: string,
  timeoutMs: number,
): Promise<void> {
  const pragma = (name: string): unknown => database.pragma(name, { simple: true });
  await waitForLock(timeoutMs, () => {
    // A log that was not yet taken over can hold a newer header than the file.
    refuseForeign(path, Number(pragma('application_id')), Number(pragma('user_version')));
    const isNew = pragma('application_id') === 0;
    if (isNew && database.prepare('select count(*) from sqlite_schema').pluck().get() !== 0) {
      throw new StoreError('NOT_A_STORE', `${JSON.stringify(path)} is a database of another program`);
    }
    checkPages(database, sqlite.SqliteError);
  });
  await waitForLock(timeoutMs, () => pragma('journal_mode = wal'));
  // Each commit is on the disk before it is acknowledged, not only in the order of commits.
  database.pragma('synchronous = full');
  database.pragma('trusted_schema = off');
  database.pragma('cell_size_check = on');
  await waitForLock(timeoutMs, () => {
    const create = database.transaction(() => {
      if (pragma('user_version') !== 0) return;
      for (const statement of createTables) database.exec(statement);
      database.pragma(`application_id = ${applicationId}`);
      database.pragma(`user_version = ${tableFormat}`);
    });
    create.immediate();
  });
}

/** Reads every page once; what the structure of the file can show is found now and not in the middle of the work. */
function checkPages(database: Sqlite.Database, SqliteError: typeof Sqlite.SqliteError): void {
  const answer = database.pragma('quick_check(1)', { simple: true });
  if (answer !== 'ok') throw new SqliteError(String(answer), 'SQLITE_CORRUPT');
}

function replace(path: string, inode: bigint, { notify }: DriverSettings, cause: unknown): void {
  const movedTo = setAside(path, inode);
  createFile(path);
  // Another program was quicker; what it made is opened next.
  if (movedTo === undefined) return;
  const message = `${JSON.stringify(path)} is damaged (${String(cause)}); it is now ${JSON.stringify(movedTo)}, and a new store was begun`;
  notify({ code: 'FILE_SET_ASIDE', message, movedTo, cause });
}
