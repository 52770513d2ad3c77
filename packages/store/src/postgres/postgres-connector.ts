import type { Socket } from 'node:net';

import type Postgres from 'pg';

import { importDriver } from '../driver/import-driver.ts';
import { sqlStateOf } from './postgres-failure.ts';

/** The part of a pool of `pg` that Kysely and other engines use. */
export interface ConnectionPool {
  readonly options: object;
  connect(): Promise<PooledClient>;
  end(): Promise<void>;
}

/** A connection that a {@link ConnectionPool} lends. */
export interface PooledClient {
  query(statement: string | NamedStatement, parameters?: readonly unknown[]): Promise<unknown>;
  release(destroy?: boolean): void;
}

/** A statement that each connection prepares once. The same name always has the same text. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** Connects to one database. */
export interface Connector {
  /** Reusable connections for Kysely, created on demand. */
  readonly pool: ConnectionPool;
  /** Opens a connection that listens to a channel. */
  listen(channel: string): Promise<Listening>;
}

/** The part of a client that listeners use. Users of this package need no types of `pg`. */
export interface ListeningClient {
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown;
  on(event: 'error' | 'end', listener: () => void): unknown;
  readonly query: (text: string) => Promise<unknown>;
}

/** A connection that listens. It does not keep the process alive. */
export interface Listening {
  readonly client: ListeningClient;
  /** Ends the connection, without the server's answer if that does not arrive in time. */
  end(): Promise<void>;
  /** Closes the socket without a farewell message, for a server that may not answer. */
  drop(): void;
}

/** Options of {@link createConnector}. */
export interface ConnectorOptions {
  /** Maximum wait for a connection or an answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Maximum number of connections, in addition to those that listen. Default: 5. */
  readonly maxConnections?: number;
  /** Name of the connections in the views of the server. Default: `haft-store`. */
  readonly applicationName?: string;
  /** Further settings of the sessions, such as `{ enable_seqscan: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Loads `pg` and prepares connections without opening one. */
export async function createConnector(url: string, options: ConnectorOptions): Promise<Connector> {
  const { timeoutMs, maxConnections = 5, applicationName = 'haft-store', settings = {} } = options;
  const { default: pg } = await loadPg();
  const configuration: Postgres.ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: timeoutMs,
    // The server's own timeout is shorter and reports an error; this one is for servers that do not answer.
    query_timeout: timeoutMs + 1_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    fallback_application_name: applicationName,
  };
  // Versions and times are integers that JavaScript represents exactly.
  const types: Postgres.CustomTypesConfig = {
    getTypeParser: (oid, format) => (oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)),
  };
  const pool = new pg.Pool({ ...configuration, types, max: maxConnections, allowExitOnIdle: true });
  // The pool removes and replaces an idle connection that breaks.
  pool.on('error', () => undefined);
  // If a connection breaks while in use, its query fails. Without a listener, the process would end as well.
  pool.on('connect', (client) => void client.on('error', () => undefined));
  return {
    pool: createHardenedPool(pool, timeoutMs, settings),
    async listen(channel) {
      const client = new pg.Client(configuration);
      // Without a listener, a broken connection would end the process.
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
          // Keeps the process alive until the connection has ended.
          socket.ref();
          // A network that is silent delivers neither the farewell nor an answer to it.
          const timer = setTimeout(() => socket.destroy(), timeoutMs);
          await client.end();
          clearTimeout(timer);
        },
        drop: () => void socket.destroy(),
      };
    },
  };
}

async function loadPg(): Promise<{ readonly default: typeof Postgres }> {
  return importDriver('pg', () => import('pg'));
}

/**
 * Wraps a pool so that each connection is configured once and discarded when its state is unknown, for example after a
 * missing answer, which could arrive during the next query.
 */
function createHardenedPool(
  pool: Postgres.Pool,
  timeoutMs: number,
  settings: Readonly<Record<string, string>>,
): ConnectionPool {
  const known = new WeakMap<Postgres.PoolClient, PooledClient>();
  return {
    options: {},
    async connect() {
      const client = await pool.connect();
      const hardened = known.get(client);
      if (hardened !== undefined) return hardened;
      try {
        await client.query(prepareSession, [`${timeoutMs}`, `${timeoutMs * 2}`, JSON.stringify(settings)]);
      } catch (error) {
        client.release(true);
        throw error;
      }
      const created = createHardenedClient(client);
      known.set(client, created);
      return created;
    },
    end: () => pool.end(),
  };
}

/**
 * Session settings. The server ends the session of a host that disconnects during a write, because it would hold the
 * lock that all writers need. Commits are flushed to disk regardless of the server's default.
 */
const prepareSession = `select set_config('statement_timeout', $1, false),
  set_config('idle_in_transaction_session_timeout', $2, false),
  set_config('synchronous_commit', case when current_setting('synchronous_commit') = 'off' then 'on'
    else current_setting('synchronous_commit') end, false),
  (select count(set_config(key, value, false)) from json_each_text($3::json))`;

function createHardenedClient(client: Postgres.PoolClient): PooledClient {
  let isBroken = false;
  return {
    query: async (statement, parameters) => {
      const values = parameters === undefined ? [] : [...parameters];
      try {
        return await (typeof statement === 'string'
          ? client.query(statement, values)
          : client.query({ ...statement, values }));
      } catch (error) {
        if (sqlStateOf(error) === '') isBroken = true;
        throw error;
      }
    },
    release: (destroy = false) => client.release(destroy || isBroken),
  };
}
