import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type Sqlite from 'better-sqlite3';

import type { DriverSettings } from '../driver-settings.ts';
import { StoreError } from '../store-error.ts';
import { prepareDatabase } from './prepare-database.ts';
import { setAside } from './set-aside.ts';
import { isCorrupt } from './sqlite-failure.ts';

/** A database that is ready, and the file it is. */
export interface OpenedDatabase {
  readonly database: Sqlite.Database;
  /** Tells one file from another that takes its name later. */
  readonly inode: bigint;
}

/**
 * Opens a file as a store, making it where there is none, and setting it aside where it is damaged. The file is never
 * read but through SQLite: closing it would give up the locks of every other store over it in this program.
 */
export async function openDatabase(path: string, settings: DriverSettings): Promise<OpenedDatabase> {
  const { default: sqlite } = await loadSqlite();
  const deadline = performance.now() + settings.timeoutMs;
  let hasReplaced = false;
  for (;;) {
    const inode = makeFile(path);
    const opened = await tryToOpen(sqlite, path, settings);
    if (!('damage' in opened)) {
      if (inode !== undefined && inodeOf(path) === inode) return { database: opened.database, inode };
      // Another program set the file aside while it was being opened here.
      opened.database.close();
    } else if (hasReplaced || settings.onCorrupt === 'fail' || inode === undefined) {
      throw opened.damage;
    } else {
      hasReplaced = replace(path, inode, settings, opened.damage);
    }
    if (performance.now() >= deadline)
      throw new StoreError('UNAVAILABLE', `${quote(path)} is being replaced by others`);
    if (!hasReplaced) await delay(10);
  }
}

async function loadSqlite(): Promise<{ readonly default: typeof Sqlite }> {
  try {
    return await import('better-sqlite3');
  } catch (cause) {
    throw new StoreError('UNAVAILABLE', 'the package better-sqlite3 can not be loaded on this machine', { cause });
  }
}

async function tryToOpen(
  sqlite: typeof Sqlite,
  path: string,
  { timeoutMs }: DriverSettings,
): Promise<{ readonly database: Sqlite.Database } | { readonly damage: unknown }> {
  let database: Sqlite.Database | undefined;
  try {
    database = new sqlite(path, { timeout: 0 });
    await prepareDatabase(sqlite, database, path, timeoutMs);
    return { database };
  } catch (error) {
    database?.close();
    if (isCorrupt(error)) return { damage: error };
    throw error;
  }
}

/** Makes the file before SQLite does, so that it is its owner's alone from the first moment. Returns which file it is. */
function makeFile(path: string): bigint | undefined {
  try {
    makeFolder(dirname(path));
    closeSync(openSync(path, 'ax', 0o600));
    syncDirectory(dirname(path));
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) {
      throw new StoreError('UNAVAILABLE', `${quote(path)} can't be made: ${String(cause)}`, { cause });
    }
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new StoreError('UNAVAILABLE', `${quote(path)} is a folder; name a file in it, as file:${path}/haft.db`);
  }
  return inodeOf(path);
}

/** One folder after the other: where none can be made, as in /proc, Node's own way of making several never ends. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another program may have been quicker.
    if (!existsSync(path)) throw error;
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
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

function replace(path: string, inode: bigint, { notify }: DriverSettings, damage: unknown): boolean {
  let movedTo: string | undefined;
  try {
    movedTo = setAside(path, inode, () => makeFile(path));
  } catch (cause) {
    throw new StoreError('CORRUPT', `${quote(path)} is damaged and can't be set aside: ${String(cause)}`, { cause });
  }
  if (movedTo === undefined) return false;
  const message = `${quote(path)} is damaged (${String(damage)}); it is now ${quote(movedTo)}, and a new store was begun`;
  notify({ code: 'FILE_SET_ASIDE', message, movedTo, cause: damage });
  return true;
}

function quote(path: string): string {
  return JSON.stringify(path);
}
