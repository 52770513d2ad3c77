import { sql } from 'kysely';
import type { Kysely, RawBuilder, Transaction } from 'kysely';

import { StoreError } from '../store-error.ts';
import { tableFormat } from '../tables.ts';
import type { StoreRow, StoreTables } from '../tables.ts';
import { sqlStateOf } from './postgres-failure.ts';

/** PostgreSQL has no header to hold the form of the tables, so a column does. */
export interface PostgresTables extends StoreTables {
  readonly haft_store: StoreRow & { readonly format: number };
}

/** What PostgreSQL answers when a table lacks a column. */
const undefinedColumn = '42703';

/** The channel on which every write is told. */
export const channel = 'haft_store';

/** The server's clock, in milliseconds since 1970. */
export const clock: RawBuilder<number> = sql<number>`(extract(epoch from clock_timestamp()) * 1000)::bigint`;

/** Two hosts that come first at once would both make the tables; any number does that nobody else uses. */
const creationLock = 0x48_61_66_74;

/** Makes the tables where there are none, and refuses those of a newer program. */
export async function prepareTables(database: Kysely<PostgresTables>): Promise<void> {
  const { rows } = await sql<{ encoding: string; found: boolean }>`
    select getdatabaseencoding() as encoding, to_regclass('haft_store') is not null as found`.execute(database);
  const [state] = rows;
  if (state?.encoding !== 'UTF8') {
    throw new StoreError('UNAVAILABLE', `the database is encoded in ${state?.encoding}, and a store needs UTF8`);
  }
  if (!state.found) await database.transaction().execute(createTables);
  const row = await database.selectFrom('haft_store').select('format').executeTakeFirst().catch(refuseForeignTable);
  if (row === undefined) throw new StoreError('NOT_A_STORE', 'a table haft_store is there that no store has made');
  if (row.format > tableFormat) {
    const what = `the tables have form ${row.format}, and this program knows ${tableFormat}; they were left as they are`;
    throw new StoreError('NEWER_VERSION', what);
  }
}

function refuseForeignTable(error: unknown): undefined {
  if (sqlStateOf(error) !== undefinedColumn) throw error;
}

async function createTables(transaction: Transaction<PostgresTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(creationLock)})`.execute(transaction);
  const { schema } = transaction;
  // Compared by bytes, so that lists are in the order of code points whatever the language of the database.
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
