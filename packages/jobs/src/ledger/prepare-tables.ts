import { sqlStateOf } from '@haft/store/connections';

import type { Engine, Queryable } from '../engine/engine.ts';
import { JobsError } from '../jobs-error.ts';
import { migrations, tablesIn, type Migrations, type Tables } from './tables.ts';

/** The advisory lock that prevents two hosts from migrating at the same time. The number is arbitrary. */
const migrationLock = 0x48_61_66_75;
const undefinedColumn = '42703';

/**
 * Creates the tables, or migrates them to the current version. Does not touch tables of a newer or another program.
 *
 * @throws JobsError `NEWER_VERSION` or `NOT_A_LEDGER`.
 */
export async function prepareTables(engine: Engine, schema: string, steps: Migrations = migrations): Promise<Tables> {
  const tables = tablesIn(schema);
  if ((await readVersion(engine, tables, steps.length)) === steps.length) return tables;
  await engine.transaction(async (transaction) => {
    await transaction.query('select pg_advisory_xact_lock($1)', [migrationLock]);
    const version = await readVersion(transaction, tables, steps.length);
    if (version === undefined) {
      await transaction.query(`
        create schema if not exists ${schema};
        create schema if not exists ${schema}_queue;
        create table ${tables.ledger} (id smallint primary key, version integer not null);
        insert into ${tables.ledger} values (1, 0);`);
    }
    for (const step of steps.slice(version ?? 0)) await transaction.query(step(tables));
    await transaction.query(`update ${tables.ledger} set version = $1`, [steps.length]);
  });
  return tables;
}

async function readVersion(database: Queryable, tables: Tables, known: number): Promise<number | undefined> {
  // Reads the catalog, because a connection may cache that a table does not exist.
  const [found] = await database.query<{ exists: boolean }>(
    `select exists (select 1 from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = $1 and c.relname = 'ledger') as exists`,
    [tables.schema],
  );
  if (found?.exists !== true) return undefined;
  const rows = await readRows(database, tables);
  const version = rows[0]?.version;
  if (typeof version !== 'number')
    throw new JobsError('NOT_A_LEDGER', `the table ${tables.ledger} belongs to another program`);
  if (version > known) {
    const message = `the job database has version ${version}, but this program supports ${known}; it was not changed`;
    throw new JobsError('NEWER_VERSION', message);
  }
  return version;
}

async function readRows(database: Queryable, tables: Tables): Promise<readonly { readonly version?: unknown }[]> {
  try {
    return await database.query(`select version from ${tables.ledger}`);
  } catch (error) {
    if (sqlStateOf(error) === undefinedColumn) return [];
    throw error;
  }
}
