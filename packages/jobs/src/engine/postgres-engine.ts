import { createHash } from 'node:crypto';

import { createConnector, isConnectionFailure, sqlStateOf, startListener } from '@haft/store/connections';

import type { Engine, Queryable } from './engine.ts';
import { loadPackage } from './load-package.ts';

/** The part of a pooled connection that this engine uses. */
interface Client {
  query(statement: string | { name: string; text: string }, values?: readonly unknown[]): Promise<unknown>;
  release(destroy?: boolean): void;
}

/** Opens a PostgreSQL server that any number of hosts may use at the same time. */
export async function openPostgresEngine(url: string, timeoutMs: number): Promise<Engine> {
  await loadPackage('pg', 'postgres', () => import('pg'));
  const connector = await createConnector(url, {
    timeoutMs,
    maxConnections: 10,
    applicationName: 'haft-jobs',
    settings: planOnce,
  });
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
    async prepared(text, values) {
      const client = await connect();
      try {
        return await queryableOf(client, nameOf(text)).query(text, values);
      } finally {
        client.release();
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
        // A connection with an unfinished transaction may still hold its locks.
        client.release(!isOver);
      }
    },
    listen: (channel, wake) => startListener(connector, channel, wake),
    isTemporary: (error) => isConnectionFailure(error) || passing.test(sqlStateOf(error)),
    close: () => connector.pool.end(),
  };
}

/** A serialization failure, a deadlock, and a statement that took too long, for example because it waited for a lock. */
const passing = /^(?:40001|40P01|57014)$/;

/**
 * Prepared statements keep one plan for all values. The plan is made while the tables may still be empty, so it must
 * use their indexes. Compilation is off, because the cost estimates that force the use of indexes would make the server
 * compile short statements.
 */
const planOnce = { plan_cache_mode: 'force_generic_plan', enable_seqscan: 'off', jit: 'off' };

const names = new Map<string, string>();

/** Returns the name of a prepared statement. There are only a few statements, because no text contains a value. */
function nameOf(text: string): string {
  let name = names.get(text);
  if (name === undefined) {
    name = `haft_${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
    names.set(text, name);
  }
  return name;
}

function queryableOf(client: Client, name?: string): Queryable {
  return {
    async query<Row>(text: string, values: readonly unknown[] = []) {
      const statement = name === undefined ? text : { name, text };
      const result = (await client.query(statement, values)) as QueryResult<Row> | readonly QueryResult<Row>[];
      return 'rows' in result ? result.rows : result.flatMap(({ rows }) => rows);
    },
  };
}

interface QueryResult<Row> {
  readonly rows: readonly Row[];
}
