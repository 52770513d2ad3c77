import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { PGlite } from '@electric-sql/pglite';

import { cachePath, readCached, writeCached } from './cached-file.ts';
import { fittingVersions } from './load-package.ts';
import { pack, unpack } from './packed-file.ts';
import { unpackTar } from './unpack-tar.ts';

/** The part of PGlite that creates databases. */
export interface DatabaseCreator {
  create(): Promise<Pick<PGlite, 'exec' | 'dumpDataDir' | 'close'>>;
}

/**
 * Returns the location of the database that this package ships: the tables of the ledger and of the queue, without rows.
 */
export function shippedDatabase(): URL {
  const path = import.meta.url.endsWith('.ts') ? '../../dist/new-database.bin' : '../new-database.bin';
  return new URL(path, import.meta.url);
}

/** Options of {@link newDatabase}. */
export interface NewDatabaseOptions {
  /** Returns the location of the shipped database. Default: in this package. */
  readonly shipped?: () => URL;
  /** Receives a message before a database is created without a copy, which takes many seconds. */
  readonly onSlow?: (message: string) => void;
}

/**
 * Creates the directory of a database if it is missing. A crash leaves no unfinished directory of this name.
 *
 * @param tables - identifies the tables that the shipped database must have.
 */
export async function createDirectoryOfDatabase(
  creator: DatabaseCreator,
  directory: string,
  tables: string,
  options: NewDatabaseOptions = {},
): Promise<void> {
  if (existsSync(directory)) return;
  const unfinished = `${directory}-unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  unpackTar(await newDatabase(creator, tables, options), unfinished);
  await rename(unfinished, directory);
}

/**
 * Returns a new database as a tar archive. Creating one takes seconds, so this package ships one, which fits one version
 * of PGlite and pg-boss. With other versions, the first database is empty, and is kept in the cache of the user.
 */
export async function newDatabase(
  creator: DatabaseCreator,
  tables: string,
  { shipped = shippedDatabase, onSlow }: NewDatabaseOptions = {},
): Promise<Buffer<ArrayBuffer>> {
  const whole = await versionOfDatabase(tables);
  const prepared = whole === undefined ? undefined : await unpack(await readShipped(shipped), whole);
  if (prepared !== undefined) return prepared;
  const version = await versionOf(['@electric-sql/pglite']);
  const path = version === undefined ? undefined : cachePath(`pglite-${version}`);
  const known = version === undefined || path === undefined ? undefined : await unpack(await readCached(path), version);
  if (known !== undefined) return known;
  onSlow?.(
    `creating the first database for PGlite${await pgliteVersion()}; this takes up to 30 s, once (not with ${fittingVersions})`,
  );
  if (version === undefined || path === undefined) return createEmpty(creator);
  const archive = await createEmpty(creator);
  await writeCached(path, await pack(archive, version));
  return archive;
}

/** Returns undefined if the file is missing, for example because this code is part of a bundle. */
async function readShipped(shipped: () => URL): Promise<Buffer | undefined> {
  try {
    return await readFile(shipped());
  } catch {
    return undefined;
  }
}

async function createEmpty(creator: DatabaseCreator): Promise<Buffer<ArrayBuffer>> {
  const database = await creator.create();
  try {
    return await archiveOf(database);
  } finally {
    await database.close();
  }
}

/** Returns a database as a tar archive. */
export async function archiveOf(database: Pick<PGlite, 'exec' | 'dumpDataDir'>): Promise<Buffer<ArrayBuffer>> {
  // Leaves a write-ahead log that is empty, and therefore small when it is compressed.
  for (const statement of ['select pg_switch_wal()', 'set wal_recycle = off', 'checkpoint'])
    await database.exec(statement);
  return Buffer.from(await (await database.dumpDataDir('none')).arrayBuffer());
}

/** Returns the version of a database with these tables, or undefined if a package is missing or part of a bundle. */
export function versionOfDatabase(tables: string): Promise<string | undefined> {
  return versionOf(['@electric-sql/pglite', 'pg-boss'], tables);
}

/** Returns the version of PGlite after a space, or an empty text if it is part of a bundle. */
async function pgliteVersion(): Promise<string> {
  try {
    const { version } = JSON.parse(String(await readPackage('@electric-sql/pglite'))) as { readonly version: string };
    return ` ${version}`;
  } catch {
    return '';
  }
}

function readPackage(name: string): Promise<Buffer> {
  return readFile(join(fileURLToPath(import.meta.resolve(name)), '..', '..', 'package.json'));
}

async function versionOf(packages: readonly string[], tables = ''): Promise<string | undefined> {
  try {
    const hash = createHash('sha256').update(tables);
    for (const name of packages) hash.update(await readPackage(name));
    return hash.digest('hex').slice(0, 16);
  } catch {
    return undefined;
  }
}
