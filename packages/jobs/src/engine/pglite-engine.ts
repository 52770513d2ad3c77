import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { PGlite, Transaction } from '@electric-sql/pglite';
import { describeCause } from '@haft/core/results';
import { StoreError } from '@haft/store';
import { lockFile } from '@haft/store/connections';

import { JobsError } from '../jobs-error.ts';
import type { Engine, Queryable } from './engine.ts';
import { loadPackage } from './load-package.ts';
import { createDirectoryOfDatabase, newDatabase, type NewDatabaseOptions } from './new-database.ts';

/**
 * Opens PostgreSQL inside this process, with its data in a directory or in memory. A directory belongs to one process
 * at a time, because two would damage it.
 *
 * @param tables - identifies the tables that a new database may already have.
 * @param onSlow - receives a message before a database is created, if that takes many seconds.
 */
export async function openPgliteEngine(
  directory: string | undefined,
  tables: string,
  onSlow?: (message: string) => void,
): Promise<Engine> {
  const { PGlite } = await loadPackage('@electric-sql/pglite', 'pglite', () => import('@electric-sql/pglite'));
  const lock = directory === undefined ? undefined : await lockDirectory(directory);
  let database: PGlite;
  try {
    database = await openDatabase(PGlite, directory, tables, onSlow && { onSlow });
  } catch (cause) {
    lock?.release();
    const place = directory === undefined ? 'in memory' : `in ${JSON.stringify(directory)}`;
    throw new JobsError('UNAVAILABLE', `the database ${place} can't be opened: ${describeCause(cause)}`, { cause });
  }
  return engineOf(database, () => lock?.release());
}

/** Returns the engine of a database that is open. */
export function engineOf(database: PGlite, onClose: () => void): Engine {
  return {
    kind: 'pglite',
    query: queryableOf(database).query,
    prepared: queryableOf(database).query,
    transaction: (work) => database.transaction((transaction) => work(queryableOf(transaction))),
    async listen(channel, wake) {
      const stop = await database.listen(channel, wake);
      return { stop };
    },
    isTemporary: () => false,
    async close() {
      await database.close();
      onClose();
    },
  };
}

/** PostgreSQL clears its buffers when it starts. With its default of 128 MB, that takes more than half of the start. */
const bufferSize = '32MB';

async function openDatabase(
  creator: typeof PGlite,
  directory: string | undefined,
  tables: string,
  options?: NewDatabaseOptions,
): Promise<PGlite> {
  const startParams = [...creator.defaultStartParams, '-c', `shared_buffers=${bufferSize}`];
  if (directory === undefined)
    return creator.create({ loadDataDir: new Blob([await newDatabase(creator, tables, options)]), startParams });
  const dataDir = join(directory, 'database');
  await createDirectoryOfDatabase(creator, dataDir, tables, options);
  return creator.create({ dataDir, startParams });
}

/** Creates the directory if it is missing, and prevents other processes from using it. */
async function lockDirectory(directory: string): Promise<{ release(): void }> {
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
  } catch (cause) {
    const message = `the directory ${JSON.stringify(directory)} can't be created: ${describeCause(cause)}`;
    throw new JobsError('UNAVAILABLE', message, { cause });
  }
  try {
    return await lockFile(join(directory, 'lock'));
  } catch (cause) {
    if (cause instanceof StoreError && cause.code === 'DRIVER_MISSING')
      throw new JobsError('MISSING_PACKAGE', cause.message, { cause });
    const message = `${JSON.stringify(directory)} is used by another process (for several processes, use a postgres:// URL)`;
    throw new JobsError('IN_USE', message, { cause });
  }
}

function queryableOf(database: PGlite | Transaction): Queryable {
  return {
    async query<Row>(text: string, values?: readonly unknown[]) {
      if (values !== undefined && values.length > 0) return (await database.query<Row>(text, [...values])).rows;
      try {
        const results = await database.exec(text);
        return results.flatMap(({ rows }) => rows as Row[]);
      } catch (error) {
        // Several statements may include the beginning of a transaction that is now aborted.
        await database.query('rollback').catch(() => undefined);
        throw error;
      }
    },
  };
}
