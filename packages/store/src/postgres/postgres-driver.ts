import { setTimeout as delay } from 'node:timers/promises';

import { Kysely, PostgresDialect, sql, type PostgresPool } from 'kysely';

import type { DriverSettings } from '../driver-settings.ts';
import type { StoreDriver, WriteOutcome } from '../store-driver.ts';
import { StoreError } from '../store-error.ts';
import { deletionsBetweenSweeps } from '../tables.ts';
import { createConnector } from './postgres-connector.ts';
import { startListener } from './postgres-listener.ts';
import { isConnectionFailure, toStoreError } from './postgres-failure.ts';
import { channel, prepareTables } from './postgres-tables.ts';
import type { PostgresTables } from './postgres-tables.ts';
import { purgeDeletions, writeDocuments } from './write-postgres-documents.ts';

const minPauseMs = 25;
const maxPauseMs = 500;

/** Opens a driver for a PostgreSQL database that any number of hosts may use at the same time. */
export async function openPostgresDriver(url: string, { timeoutMs }: DriverSettings): Promise<StoreDriver> {
  const connector = await createConnector(url, { timeoutMs });
  // Kysely's type allows cursors too, which it passes only to streams, and this driver has none.
  const pool = connector.pool as PostgresPool;
  const database = new Kysely<PostgresTables>({ dialect: new PostgresDialect({ pool }) });
  let deletionsSinceSweep = 0;
  let isClosed = false;
  const pending = new Set<Promise<unknown>>();

  /** Retries while the server is not reachable. Only for work that changes nothing if the connection fails. */
  const runTracked = <Result>(doing: string, work: () => Promise<Result>): Promise<Result> => {
    const running = runWithRetries(doing, work);
    const forget = (): void => void pending.delete(running);
    pending.add(running);
    running.then(forget, forget);
    return running;
  };

  const runWithRetries = async <Result>(doing: string, work: () => Promise<Result>): Promise<Result> => {
    const deadline = performance.now() + timeoutMs;
    for (let pause = minPauseMs; ; pause = Math.min(pause * 2, maxPauseMs)) {
      try {
        return await work();
      } catch (error) {
        if (isClosed) throw new StoreError('CLOSED', 'the store is closed', { cause: error });
        if (!isConnectionFailure(error) || performance.now() + pause >= deadline) throw toStoreError(error, doing);
      }
      await delay(pause);
    }
  };

  const write: StoreDriver['write'] = async (changes) =>
    runTracked('writing', async () => {
      let isReady = false;
      try {
        return await database.transaction().execute(async (transaction): Promise<WriteOutcome> => {
          const outcome = await writeDocuments(transaction, changes);
          if (outcome.ok && isTimeToSweep(changes.filter(({ text }) => text === undefined).length)) {
            await purgeDeletions(transaction);
          }
          isReady = true;
          return outcome;
        });
      } catch (error) {
        if (!isReady) throw error;
        const message = 'the write was not confirmed: it may or may not have been made; read the document to find out';
        throw new StoreError('UNAVAILABLE', message, { cause: error });
      }
    });

  const isTimeToSweep = (deletions: number): boolean => {
    deletionsSinceSweep += deletions;
    if (deletionsSinceSweep < deletionsBetweenSweeps) return false;
    deletionsSinceSweep = 0;
    return true;
  };

  try {
    await runTracked('opening', () => prepareTables(database));
  } catch (error) {
    await database.destroy();
    throw error;
  }
  const documents = database
    .selectFrom('haft_documents')
    .select(['key', 'value', 'schema_version as schemaVersion', 'version', 'updated_at as updatedAt'])
    .where('value', 'is not', null);
  const state = database.selectFrom('haft_store').select(['version', 'forgotten_through as forgottenThrough']);

  return {
    name: 'postgres',
    get: (collection, key) =>
      runTracked('reading', async () => {
        const row = await documents.where('collection', '=', collection).where('key', '=', key).executeTakeFirst();
        return row && toStored(row);
      }),
    list: (collection, { from, after = '', before, limit }) =>
      runTracked('listing', async () => {
        const query = documents
          .where('collection', '=', collection)
          .where('key', '>=', from)
          .where('key', '>', after)
          .$if(before !== undefined, (ranged) => ranged.where('key', '<', before ?? ''));
        return (await query.orderBy('key').limit(limit).execute()).map(toStored);
      }),
    write,
    changesSince: (version, limit) =>
      runTracked('reading changes', async () => {
        const keys = await database
          .selectFrom('haft_documents')
          .select(['collection', 'key', 'version', sql<boolean>`value is null`.as('deleted')])
          .where('version', '>', version)
          .orderBy('version')
          .limit(limit)
          .execute();
        // Read after the keys, so that a purge in between makes the result incomplete, but never wrongly complete.
        const { forgottenThrough } = await state.executeTakeFirstOrThrow();
        return { keys, complete: version >= forgottenThrough };
      }),
    latestVersion: () => runTracked('reading', async () => (await state.executeTakeFirstOrThrow()).version),
    async watch(wake) {
      const listener = await runTracked('listening', () => startListener(connector, channel, wake));
      return () => listener.stop();
    },
    async close() {
      isClosed = true;
      // The pool would never settle calls that still wait for a connection.
      await Promise.allSettled(pending);
      await database.destroy();
    },
  };
}

function toStored<Row extends { readonly value: string | null }>({
  value,
  ...row
}: Row): Omit<Row, 'value'> & { text: string } {
  return { ...row, text: value ?? '' };
}
