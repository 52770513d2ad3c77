import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { PGlite } from '@electric-sql/pglite';

import { cachePath, readCached, writeCached } from './cached-file.ts';
import { unpackTar } from './unpack-tar.ts';

/** The part of PGlite that creates databases. */
export interface DatabaseCreator {
  create(): Promise<Pick<PGlite, 'exec' | 'dumpDataDir' | 'close'>>;
}

/** Creates the directory of a database if it is missing. A crash leaves no unfinished directory of this name. */
export async function createDirectoryOfDatabase(creator: DatabaseCreator, directory: string): Promise<void> {
  if (existsSync(directory)) return;
  const unfinished = `${directory}-unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  unpackTar(await newDatabase(creator), unfinished);
  await rename(unfinished, directory);
}

/**
 * Returns a new database as a tar archive. Creating one takes seconds, so the first is kept in the cache of the user,
 * for each version of PGlite.
 */
export async function newDatabase(creator: DatabaseCreator): Promise<Buffer<ArrayBuffer>> {
  const path = await pathOfVersion();
  const known = path === undefined ? undefined : await readCached(path);
  if (known !== undefined) return known;
  const database = await creator.create();
  try {
    await database.exec('checkpoint');
    const archive = Buffer.from(await (await database.dumpDataDir('none')).arrayBuffer());
    if (path !== undefined) await writeCached(path, archive);
    return archive;
  } finally {
    await database.close();
  }
}

/** Returns undefined if the version of PGlite is not known, for example because it is part of a bundle. */
async function pathOfVersion(): Promise<string | undefined> {
  try {
    const program = fileURLToPath(import.meta.resolve('@electric-sql/pglite'));
    const hash = createHash('sha256');
    for (const name of ['../package.json', 'initdb.wasm']) hash.update(await readFile(join(program, '..', name)));
    return cachePath(`pglite-${hash.digest('hex').slice(0, 16)}`);
  } catch {
    return undefined;
  }
}
