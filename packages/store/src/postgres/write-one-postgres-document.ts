import { sql } from 'kysely';
import type { RawBuilder, Transaction } from 'kysely';

import type { DriverChange } from '../store-driver.ts';
import { channel, clock } from './postgres-tables.ts';
import type { PostgresTables } from './postgres-tables.ts';

/** The version and time of a written change. */
export interface WrittenOne {
  readonly version: number;
  readonly updatedAt: number;
}

/**
 * Applies one change in one statement, to hold the lock that all writers need as briefly as possible. Returns
 * `undefined` if the change is refused or needs a closer look; the lock is then held and the caller can read the
 * current state.
 */
export async function writeOne(
  transaction: Transaction<PostgresTables>,
  change: DriverChange,
): Promise<WrittenOne | undefined> {
  return change.text === undefined ? deleteOne(transaction, change) : setOne(transaction, change, change.text);
}

/** Raises the version, which locks it; the rest of the statement waits for the lock. */
function raiseVersion(transaction: Transaction<PostgresTables>) {
  return transaction.with('raised', (query) =>
    query
      .updateTable('haft_store')
      .set((row) => ({ version: row('version', '+', 1) }))
      .where('id', '=', 1)
      .returning(['version', clock.as('now'), sql`pg_notify(${sql.lit(channel)}, '')`.as('notified')]),
  );
}

async function setOne(
  transaction: Transaction<PostgresTables>,
  { collection, key, schemaVersion, ifVersion }: DriverChange,
  text: string,
): Promise<WrittenOne | undefined> {
  return raiseVersion(transaction)
    .insertInto('haft_documents')
    .columns(['collection', 'key', 'value', 'schema_version', 'version', 'updated_at'])
    .expression((query) =>
      query
        .selectFrom('raised')
        .select([
          sql<string>`${collection}::text`.as('collection'),
          sql<string>`${key}::text`.as('key'),
          sql<string>`${text}::text`.as('value'),
          sql<number>`${schemaVersion}::integer`.as('schema_version'),
          'raised.version',
          'raised.now',
        ])
        // An update requires an existing row. An insert requires a missing one, which the conflict clause checks.
        .$if(ifVersion !== undefined && ifVersion > 0, (selected) =>
          selected.where((expression) =>
            expression.exists(
              expression
                .selectFrom('haft_documents')
                .select('haft_documents.version')
                .where('haft_documents.collection', '=', collection)
                .where('haft_documents.key', '=', key)
                .where('haft_documents.version', '=', ifVersion ?? 0),
            ),
          ),
        ),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['collection', 'key'])
        .doUpdateSet((row) => ({
          value: row.ref('excluded.value'),
          schema_version: row.ref('excluded.schema_version'),
          version: row.ref('excluded.version'),
          updated_at: row.ref('excluded.updated_at'),
        }))
        .where(mayBeReplaced(schemaVersion, ifVersion)),
    )
    .returning(['haft_documents.version', 'haft_documents.updated_at as updatedAt'])
    .executeTakeFirst();
}

/** Expresses `isRefused` in SQL, for the locked row. */
function mayBeReplaced(schemaVersion: number, ifVersion: number | undefined): RawBuilder<boolean> {
  const isGone = sql<boolean>`haft_documents.value is null`;
  if (ifVersion === 0) return isGone;
  const isUnderstood = sql<boolean>`haft_documents.schema_version <= ${schemaVersion}`;
  return ifVersion === undefined
    ? sql`(${isGone} or ${isUnderstood})`
    : sql`(not ${isGone} and ${isUnderstood} and haft_documents.version = ${ifVersion})`;
}

async function deleteOne(
  transaction: Transaction<PostgresTables>,
  { collection, key, schemaVersion, ifVersion }: DriverChange,
): Promise<WrittenOne | undefined> {
  return raiseVersion(transaction)
    .updateTable('haft_documents')
    .from('raised')
    .set((row) => ({
      value: null,
      schema_version: schemaVersion,
      version: row.ref('raised.version'),
      updated_at: row.ref('raised.now'),
    }))
    .where('haft_documents.collection', '=', collection)
    .where('haft_documents.key', '=', key)
    .where('haft_documents.value', 'is not', null)
    .$if(ifVersion !== undefined, (query) => query.where('haft_documents.version', '=', ifVersion ?? 0))
    .returning(['haft_documents.version', 'haft_documents.updated_at as updatedAt'])
    .executeTakeFirst();
}
