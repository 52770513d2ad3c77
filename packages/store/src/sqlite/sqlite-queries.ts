import { DummyDriver, Kysely, sql, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely';

import type { CurrentVersion, DriverChange, KeyRange, StoredText } from '../store-driver.ts';
import type { StoreTables } from '../tables.ts';
import { prepareQuery } from './prepare-sqlite-query.ts';
import type { PreparedQuery } from './prepare-sqlite-query.ts';

/** Builds SQL in SQLite's dialect without executing it. Each statement is built once, when this file is loaded. */
const builder: Kysely<StoreTables> = new Kysely<StoreTables>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (database) => new SqliteIntrospector(database),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

type DocumentId = Pick<DriverChange, 'collection' | 'key'>;
type Range = Pick<KeyRange, 'from' | 'limit'> & {
  readonly collection: string;
  readonly after: string;
  readonly before: string;
};
type Put = DocumentId & {
  readonly value: string | null;
  readonly schemaVersion: number;
  readonly version: number;
  readonly updatedAt: number;
};
/** A row as SQLite returns it; SQLite has no booleans. */
type WrittenRow = DocumentId & { readonly version: number; readonly deleted: 0 | 1 };

/** The statements that the driver runs while it is open. */
export interface Queries {
  readonly get: PreparedQuery<DocumentId, StoredText>;
  readonly current: PreparedQuery<DocumentId, CurrentVersion>;
  readonly list: PreparedQuery<Omit<Range, 'before'>, StoredText>;
  readonly listBefore: PreparedQuery<Range, StoredText>;
  readonly state: PreparedQuery<object, { readonly version: number; readonly forgottenThrough: number }>;
  readonly raiseVersion: PreparedQuery<{ readonly by: number }, { readonly version: number }>;
  readonly put: PreparedQuery<Put>;
  readonly changesSince: PreparedQuery<{ readonly version: number; readonly limit: number }, WrittenRow>;
  readonly purgeDeletions: PreparedQuery<{ readonly before: number }, { readonly version: number }>;
  readonly raiseForgotten: PreparedQuery<{ readonly through: number }>;
}

/** The columns of a document, with the names that drivers use. */
const columns = [
  'key',
  'value as text',
  'schema_version as schemaVersion',
  'version',
  'updated_at as updatedAt',
] as const;
const documents = builder.selectFrom('haft_documents').where('value', 'is not', null);

export const queries: Queries = {
  get: prepareQuery((slot) =>
    documents.select(columns).where('collection', '=', slot('collection')).where('key', '=', slot('key')),
  ),
  current: prepareQuery((slot) =>
    documents
      .select(['version', 'schema_version as schemaVersion'])
      .where('collection', '=', slot('collection'))
      .where('key', '=', slot('key')),
  ),
  list: prepareQuery((slot) =>
    documents
      .select(columns)
      .where('collection', '=', slot('collection'))
      .where('key', '>=', slot('from'))
      .where('key', '>', slot('after'))
      .orderBy('key')
      .limit(slot('limit')),
  ),
  listBefore: prepareQuery((slot) =>
    documents
      .select(columns)
      .where('collection', '=', slot('collection'))
      .where('key', '>=', slot('from'))
      .where('key', '>', slot('after'))
      .where('key', '<', slot('before'))
      .orderBy('key')
      .limit(slot('limit')),
  ),
  state: prepareQuery(() =>
    builder.selectFrom('haft_store').select(['version', 'forgotten_through as forgottenThrough']),
  ),
  raiseVersion: prepareQuery((slot) =>
    builder
      .updateTable('haft_store')
      .set({ version: sql<number>`version + ${slot('by')}` })
      .returning('version'),
  ),
  put: prepareQuery((slot) =>
    builder
      .insertInto('haft_documents')
      .values({
        collection: slot('collection'),
        key: slot('key'),
        value: slot('value'),
        schema_version: slot('schemaVersion'),
        version: slot('version'),
        updated_at: slot('updatedAt'),
      })
      .onConflict((conflict) =>
        conflict.columns(['collection', 'key']).doUpdateSet((row) => ({
          value: row.ref('excluded.value'),
          schema_version: row.ref('excluded.schema_version'),
          version: row.ref('excluded.version'),
          updated_at: row.ref('excluded.updated_at'),
        })),
      ),
  ),
  changesSince: prepareQuery((slot) =>
    builder
      .selectFrom('haft_documents')
      .select(['collection', 'key', 'version', sql<number>`value is null`.as('deleted')])
      .where('version', '>', slot('version'))
      .orderBy('version')
      .limit(slot('limit')),
  ),
  purgeDeletions: prepareQuery((slot) =>
    builder
      .deleteFrom('haft_documents')
      .where('value', 'is', null)
      .where('updated_at', '<', slot('before'))
      .returning('version'),
  ),
  raiseForgotten: prepareQuery((slot) => builder.updateTable('haft_store').set({ forgotten_through: slot('through') })),
};

/** The statements that turn an empty file into a store, in order. */
export const createTables: readonly string[] = [
  builder.schema
    .createTable('haft_documents')
    .addColumn('collection', 'text', (column) => column.notNull())
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('value', 'text')
    .addColumn('schema_version', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('updated_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('haft_documents_place', ['collection', 'key']),
  builder.schema.createIndex('haft_documents_version').unique().on('haft_documents').column('version'),
  builder.schema
    .createIndex('haft_documents_deleted')
    .on('haft_documents')
    .column('updated_at')
    .where(sql.ref('value'), 'is', null),
  builder.schema
    .createTable('haft_store')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('forgotten_through', 'integer', (column) => column.notNull()),
  builder.insertInto('haft_store').values({ id: sql.lit(1), version: sql.lit(0), forgotten_through: sql.lit(0) }),
].map((statement) => statement.compile().sql);
