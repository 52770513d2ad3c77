import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type Sqlite from 'better-sqlite3';

import type { DriverSettings } from '../driver-settings.ts';
import { importDriver } from '../driver/import-driver.ts';
import { StoreError } from '../store-error.ts';
import { prepareDatabase } from './prepare-sqlite-database.ts';
import { setAside } from './set-sqlite-file-aside.ts';
import { isCorrupt } from './sqlite-failure.ts';

/** An open database and the identity of its file. */
export interface OpenedDatabase {
  readonly database: Sqlite.Database;
  /** Distinguishes the file from a later file of the same name. */
  readonly inode: bigint;
}

/**
 * Opens a file as a store. Creates it if it is missing and sets it aside if it is damaged. Only SQLite may open the
 * file: closing any other descriptor of it would release the locks of every store in this process.
 */
export async function openDatabase(path: string, settings: DriverSettings): Promise<OpenedDatabase> {
  const { default: sqlite } = await loadSqlite();
  const deadline = performance.now() + settings.timeoutMs;
  let wasSetAside = false;
  for (;;) {
    const inode = createFile(path);
    const opened = await tryToOpen(sqlite, path, settings);
    if (!('damage' in opened)) {
      if (inode !== undefined && inodeOf(path) === inode) return { database: opened.database, inode };
      // Another program set the file aside while this one opened it.
      opened.database.close();
    } else if (wasSetAside || settings.onCorrupt === 'fail' || inode === undefined) {
      throw opened.damage;
    } else {
      wasSetAside = replace(path, inode, settings, opened.damage);
    }
    if (performance.now() >= deadline)
      throw new StoreError('UNAVAILABLE', `${quote(path)} is being replaced by another program`);
    if (!wasSetAside) await delay(10);
  }
}

async function loadSqlite(): Promise<{ readonly default: typeof Sqlite }> {
  return importDriver('better-sqlite3', () => import('better-sqlite3'));
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

/** Creates the file before SQLite does, with permissions for its owner only. Returns its inode. */
function createFile(path: string): bigint | undefined {
  try {
    createMissingDirectories(dirname(path));
    closeSync(openSync(path, 'ax', 0o600));
    syncDirectory(dirname(path));
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')) {
      throw new StoreError('UNAVAILABLE', `${quote(path)} cannot be created: ${String(cause)}`, { cause });
    }
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new StoreError(
      'UNAVAILABLE',
      `${quote(path)} is a directory (expected a file, for example file:${path}/haft.db)`,
    );
  }
  return inodeOf(path);
}

/**
 * Creates missing directories one by one. Node's `recursive` option never returns where directories cannot be created,
 * for example in /proc.
 */
function createMissingDirectories(path: string): void {
  if (existsSync(path)) return;
  const above = dirname(path);
  if (above !== path) createMissingDirectories(above);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another program may have created it first.
    if (!existsSync(path)) throw error;
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Flushes a new directory entry to disk. Systems that cannot open directories do not need it. */
function syncDirectory(path: string): void {
  try {
    const directory = openSync(path, 'r');
    fsyncSync(directory);
    closeSync(directory);
  } catch {
    // Windows flushes directory entries itself.
  }
}

function replace(path: string, inode: bigint, { notify }: DriverSettings, damage: unknown): boolean {
  let movedTo: string | undefined;
  try {
    movedTo = setAside(path, inode, () => createFile(path));
  } catch (cause) {
    throw new StoreError('CORRUPT', `${quote(path)} is damaged and cannot be set aside: ${String(cause)}`, { cause });
  }
  if (movedTo === undefined) return false;
  const message = `${quote(path)} is damaged (${String(damage)}); it was renamed to ${quote(movedTo)} and a new store was created`;
  notify({ code: 'FILE_SET_ASIDE', message, movedTo, cause: damage });
  return true;
}

function quote(path: string): string {
  return JSON.stringify(path);
}
