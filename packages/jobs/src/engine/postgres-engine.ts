import { createConnector, isConnectionFailure, sqlStateOf, startListener } from '@haft/store/connections';

import type { Engine, Queryable } from './engine.ts';
import { loadPackage } from './load-package.ts';

/** The part of a pooled connection that this engine uses. */
interface Client {
  query(text: string, values?: readonly unknown[]): Promise<unknown>;
  release(destroy?: boolean): void;
}

/** Opens a PostgreSQL server that any number of hosts may use at the same time. */
export async function openPostgresEngine(url: string, timeoutMs: number): Promise<Engine> {
  await loadPackage('pg', 'postgres', () => import('pg'));
  const connector = await createConnector(url, { timeoutMs, maxConnections: 10, applicationName: 'haft-jobs' });
  const connect = (): Promise<Client> => connector.pool.connect();
  return {
    kind: 'postgres',
    async query(text, values) {
      const client = await connect();
      let isUsable = true;
      try {
        return await queryableOf(client).query(text, values);
      } catch (error) {
        // Several statements may include the beginning of a transaction that is now aborted.
        isUsable = values !== undefined && values.length > 0;
        throw error;
      } finally {
        client.release(!isUsable);
      }
    },
    async transaction(work) {
      const client = await connect();
      let isOver = false;
      try {
        await client.query('begin');
        const result = await work(queryableOf(client));
        await client.query('commit');
        isOver = true;
        return result;
      } catch (error) {
        await client.query('rollback').then(
          () => (isOver = true),
          () => undefined,
        );
        throw error;
      } finally {
        // A connection whose transaction did not end may still hold its locks.
        client.release(!isOver);
      }
    },
    listen: (channel, wake) => startListener(connector, channel, wake),
    // A deadlock or a serialization failure ends a transaction that can be repeated.
    isTemporary: (error) => isConnectionFailure(error) || /^40(?:001|P01)$/.test(sqlStateOf(error)),
    close: () => connector.pool.end(),
  };
}

function queryableOf(client: Client): Queryable {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const result = (await client.query(text, values)) as QueryResult<Row> | readonly QueryResult<Row>[];
      return 'rows' in result ? result.rows : result.flatMap(({ rows }) => rows);
    },
  };
}

interface QueryResult<Row> {
  readonly rows: readonly Row[];
}
