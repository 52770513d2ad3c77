import { setTimeout as delay } from 'node:timers/promises';

import { Kysely, PostgresDialect, sql } from 'kysely';

import type { DriverSettings } from '../driver-settings.ts';
import type { StoreDriver, WriteOutcome } from '../store-driver.ts';
import { StoreError } from '../store-error.ts';
import { deletionsBetweenSweeps } from '../tables.ts';
import { createConnector } from './connect.ts';
import { startListener } from './listener.ts';
import { isConnectionFailure, toStoreError } from './postgres-failure.ts';
import { channel, prepareTables } from './prepare-tables.ts';
import type { PostgresTables } from './prepare-tables.ts';
import { forgetDeletions, writeDocuments } from './write-documents.ts';

const firstPauseMs = 25;
const longestPauseMs = 500;

/** Opens a driver over a PostgreSQL database, which any number of hosts may use at the same time. */
export async function openPostgresDriver(url: string, { timeoutMs }: DriverSettings): Promise<StoreDriver> {
  const connector = await createConnector(url, timeoutMs);
  const database = new Kysely<PostgresTables>({ dialect: new PostgresDialect({ pool: connector.pool }) });
  let deletionsSinceSweep = 0;
  let isClosed = false;
  const underWay = new Set<Promise<unknown>>();

  /** Tries again while the server can't be reached. Only for work that, when it fails so, has changed nothing. */
  const reach = <Result>(doing: string, work: () => Promise<Result>): Promise<Result> => {
    const reaching = tryUntilReached(doing, work);
    const forget = (): void => void underWay.delete(reaching);
    underWay.add(reaching);
    reaching.then(forget, forget);
    return reaching;
  };

  const tryUntilReached = async <Result>(doing: string, work: () => Promise<Result>): Promise<Result> => {
    const deadline = performance.now() + timeoutMs;
    for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
      try {
        return await work();
      } catch (error) {
        if (isClosed) throw new StoreError('CLOSED', 'the store was closed', { cause: error });
        if (!isConnectionFailure(error) || performance.now() + pause >= deadline) throw toStoreError(error, doing);
      }
      await delay(pause);
    }
  };

  const write: StoreDriver['write'] = async (changes) =>
    reach('writing', async () => {
      let isReady = false;
      try {
        return await database.transaction().execute(async (transaction): Promise<WriteOutcome> => {
          const outcome = await writeDocuments(transaction, changes);
          if (outcome.ok && isTimeToSweep(changes.filter(({ text }) => text === undefined).length)) {
            await forgetDeletions(transaction);
          }
          isReady = true;
          return outcome;
        });
      } catch (error) {
        if (!isReady) throw error;
        const what = 'a write was not confirmed: it was made, or it was not; read to know';
        throw new StoreError('UNAVAILABLE', what, { cause: error });
      }
    });

  const isTimeToSweep = (deletions: number): boolean => {
    deletionsSinceSweep += deletions;
    if (deletionsSinceSweep < deletionsBetweenSweeps) return false;
    deletionsSinceSweep = 0;
    return true;
  };

  try {
    await reach('opening', () => prepareTables(database));
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
      reach('reading', async () => {
        const row = await documents.where('collection', '=', collection).where('key', '=', key).executeTakeFirst();
        return row && toStored(row);
      }),
    list: (collection, { from, after = '', before, limit }) =>
      reach('listing', async () => {
        const query = documents
          .where('collection', '=', collection)
          .where('key', '>=', from)
          .where('key', '>', after)
          .$if(before !== undefined, (ranged) => ranged.where('key', '<', before ?? ''));
        return (await query.orderBy('key').limit(limit).execute()).map(toStored);
      }),
    write,
    changesSince: (version, limit) =>
      reach('reading changes', async () => {
        const keys = await database
          .selectFrom('haft_documents')
          .select(['collection', 'key', 'version', sql<boolean>`value is null`.as('deleted')])
          .where('version', '>', version)
          .orderBy('version')
          .limit(limit)
          .execute();
        // Asked after the keys: what was forgotten in between makes the answer too careful, never too confident.
        const { forgottenThrough } = await state.executeTakeFirstOrThrow();
        return { keys, complete: version >= forgottenThrough };
      }),
    latestVersion: () => reach('reading', async () => (await state.executeTakeFirstOrThrow()).version),
    async watch(wake) {
      const listener = await reach('listening', () => startListener(connector, channel, wake));
      return () => listener.stop();
    },
    async close() {
      isClosed = true;
      // The pool would leave those hanging that still wait for a connection.
      await Promise.allSettled(underWay);
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
