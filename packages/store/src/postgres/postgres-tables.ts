import { sql } from 'kysely';
import type { Kysely, RawBuilder, Transaction } from 'kysely';

import { StoreError } from '../store-error.ts';
import { tableFormat } from '../tables.ts';
import type { StoreRow, StoreTables } from '../tables.ts';
import { sqlStateOf } from './postgres-failure.ts';

/** PostgreSQL has no file header for the table format, so a column stores it. */
export interface PostgresTables extends StoreTables {
  readonly haft_store: StoreRow & { readonly format: number };
}

/** PostgreSQL's code for a missing column. */
const undefinedColumn = '42703';

/** The channel on which every write is announced. */
export const channel = 'haft_store';

/** The server's clock, in milliseconds since 1970. */
export const clock: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** The advisory lock that prevents two hosts from creating the tables at the same time. The number is arbitrary. */
const creationLock = 0x48_61_66_74;

/** Creates missing tables. Rejects tables of a newer or another program. */
export async function prepareTables(database: Kysely<PostgresTables>): Promise<void> {
  const { rows } = await sql<{ encoding: string; found: boolean }>`
    select getdatabaseencoding() as encoding, to_regclass('haft_store') is not null as found`.execute(database);
  const [state] = rows;
  if (state?.encoding !== 'UTF8') {
    throw new StoreError(
      'UNAVAILABLE',
      `the database encoding is not supported (expected UTF8, got ${state?.encoding})`,
    );
  }
  if (!state.found) await database.transaction().execute(createTables);
  const row = await database.selectFrom('haft_store').select('format').executeTakeFirst().catch(ignoreMissingColumn);
  if (row === undefined) throw new StoreError('NOT_A_STORE', 'the table haft_store belongs to another program');
  if (row.format > tableFormat) {
    const message = `the tables have format ${row.format}, but this program supports ${tableFormat}; they were not changed`;
    throw new StoreError('NEWER_VERSION', message);
  }
}

function ignoreMissingColumn(error: unknown): undefined {
  if (sqlStateOf(error) !== undefinedColumn) throw error;
}

async function createTables(transaction: Transaction<PostgresTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(creationLock)})`.execute(transaction);
  const { schema } = transaction;
  // Compared by bytes, so that keys sort by code point regardless of the database's locale.
  const text = sql`text collate "C"`;
  await schema
    .createTable('haft_documents')
    .ifNotExists()
    .addColumn('collection', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('value', 'text')
    .addColumn('schema_version', 'integer', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('haft_documents_place', ['collection', 'key'])
    .execute();
  await schema
    .createIndex('haft_documents_version')
    .ifNotExists()
    .unique()
    .on('haft_documents')
    .column('version')
    .execute();
  await schema
    .createIndex('haft_documents_deleted')
    .ifNotExists()
    .on('haft_documents')
    .column('updated_at')
    .where(sql.ref('value'), 'is', null)
    .execute();
  await schema
    .createTable('haft_store')
    .ifNotExists()
    .addColumn('id', 'smallint', (column) => column.primaryKey())
    .addColumn('format', 'integer', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('forgotten_through', 'bigint', (column) => column.notNull())
    .execute();
  await transaction
    .insertInto('haft_store')
    .values({ id: 1, format: tableFormat, version: 0, forgotten_through: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}
