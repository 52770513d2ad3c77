import type { Socket } from 'node:net';

import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type Postgres from 'pg';

import { StoreError } from '../store-error.ts';
import { sqlStateOf } from './postgres-failure.ts';

/** Makes connections to one database. */
export interface Connector {
  /** Connections that are used again, for Kysely; made when they are needed. */
  readonly pool: PostgresPool;
  /** One connection that listens to a channel. */
  listen(channel: string): Promise<Listening>;
}

/** A connection that listens. It doesn't keep the program running. */
export interface Listening {
  readonly client: Postgres.Client;
  end(): Promise<void>;
  /** Ends it without a word, for a server that may not be there to answer. */
  drop(): void;
}

/** At most so many connections of one store, beside the one that listens. */
const largestPool = 5;

/** Loads `pg` and prepares connections; none is made yet. */
export async function createConnector(url: string, timeoutMs: number): Promise<Connector> {
  const { default: pg } = await loadPg();
  const configuration: Postgres.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    // The server gives up first, and in time to say so; this is for servers that say nothing any more.
    query_timeout: timeoutMs + 1_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    fallback_application_name: 'haft-store',
  };
  // Versions and times are whole numbers that JavaScript holds exactly.
  const types: Postgres.CustomTypesConfig = {
    getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
  };
  const pool = new pg.Pool({ ...configuration, types, max: largestPool, allowExitOnIdle: true });
  // A connection that breaks while nobody uses it is left out and replaced by the pool.
  pool.on('error', () => undefined);
  // One that breaks while it is used fails the question it was asked; without a listener it would also end the program.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return {
    pool: createCarefulPool(pool, timeoutMs),
    async listen(channel) {
      const client = new pg.Client(configuration);
      // Without a listener, a connection that breaks would end the program.
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query(`listen ${pg.escapeIdentifier(channel)}`);
      } catch (error) {
        client.end().catch(() => undefined);
        throw error;
      }
      const socket = client.connection.stream as Socket;
      socket.unref();
      return {
        client,
        async end() {
          // Whoever waits for the end would otherwise not live to see it.
          socket.ref();
          await client.end();
        },
        drop: () => void socket.destroy(),
      };
    },
  };
}

async function loadPg(): Promise<{ readonly default: typeof Postgres }> {
  try {
    return await import('pg');
  } catch (cause) {
    throw new StoreError('UNAVAILABLE', 'a store in PostgreSQL needs the package pg: npm install pg', { cause });
  }
}

/**
 * A pool that prepares each connection once and throws away those of which the state is not known, as when an answer did
 * not come: it could come in the middle of the next question.
 */
function createCarefulPool(pool: Postgres.Pool, timeoutMs: number): PostgresPool {
  const known = new WeakMap<Postgres.PoolClient, PostgresPoolClient>();
  return {
    options: {},
    async connect() {
      const client = await pool.connect();
      const careful = known.get(client);
      if (careful !== undefined) return careful;
      try {
        await client.query(prepareSession, [`${timeoutMs}`, `${timeoutMs * 2}`]);
      } catch (error) {
        client.release(true);
        throw error;
      }
      const made = createCarefulClient(client);
      known.set(client, made);
      return made;
    },
    end: () => pool.end(),
  };
}

/**
 * A host that is cut off in the middle of a write would hold the lock that all writers need, so the server ends its
 * session. What is acknowledged is on the disk, whatever the server's default is.
 */
const prepareSession = `select set_config('statement_timeout', $1, false),
  set_config('idle_in_transaction_session_timeout', $2, false),
  set_config('synchronous_commit', case when current_setting('synchronous_commit') = 'off' then 'on'
    else current_setting('synchronous_commit') end, false)`;

function createCarefulClient(client: Postgres.PoolClient): PostgresPoolClient {
  let isBroken = false;
  // Kysely may also ask with a cursor, which is never given to it here.
  return {
    query: async (sql: unknown, parameters?: readonly unknown[]) => {
      try {
        return await client.query(sql as string, parameters === undefined ? [] : [...parameters]);
      } catch (error) {
        if (sqlStateOf(error) === '') isBroken = true;
        throw error;
      }
    },
    release: (destroy = false) => client.release(destroy || isBroken),
  } as unknown as PostgresPoolClient;
}
