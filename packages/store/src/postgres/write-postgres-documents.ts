import { sql } from 'kysely';
import type { Transaction } from 'kysely';

import { isRefused } from '../store-driver.ts';
import type { CurrentVersion, DriverChange, WriteOutcome } from '../store-driver.ts';
import { deletionRetentionMs } from '../tables.ts';
import type { DocumentRow } from '../tables.ts';
import { channel, clock } from './postgres-tables.ts';
import type { PostgresTables } from './postgres-tables.ts';
import { writeOne } from './write-one-postgres-document.ts';

/**
 * Applies all changes in a transaction, or none. It first locks the latest version, so that writers of all hosts run
 * one after another and versions increase in the order in which writes become visible.
 */
export async function writeDocuments(
  transaction: Transaction<PostgresTables>,
  changes: readonly DriverChange[],
): Promise<WriteOutcome> {
  const [only] = changes;
  const written = changes.length === 1 && only !== undefined ? await writeOne(transaction, only) : undefined;
  if (written === undefined) return writeSeveral(transaction, changes);
  return { ok: true, versions: [written.version], updatedAt: written.updatedAt };
}

async function writeSeveral(
  transaction: Transaction<PostgresTables>,
  changes: readonly DriverChange[],
): Promise<WriteOutcome> {
  const latest = await transaction
    .selectFrom('haft_store')
    .select(['version', clock.as('now')])
    .where('id', '=', 1)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const current = await readCurrent(transaction, changes);
  const refused = changes.flatMap((change, index) =>
    isRefused(change, current[index]) ? [{ index, current: current[index] }] : [],
  );
  if (refused.length > 0) return { ok: false, refused };
  let { version } = latest;
  const versions = changes.map(({ text }, index) => {
    if (text === undefined && current[index] === undefined) return 0;
    version += 1;
    return version;
  });
  const rows = changes.flatMap((change, index) => toRow(change, versions[index] ?? 0, latest.now));
  if (rows.length > 0) await putRows(transaction, rows, version);
  return { ok: true, versions, updatedAt: latest.now };
}

/** Deletes records of deletions that are older than the retention time. */
export async function purgeDeletions(transaction: Transaction<PostgresTables>): Promise<void> {
  const before = sql<number>`${clock} - ${sql.lit(deletionRetentionMs)}`;
  const forgotten = await transaction
    .deleteFrom('haft_documents')
    .where('value', 'is', null)
    .where('updated_at', '<', before)
    .returning('version')
    .execute();
  if (forgotten.length === 0) return;
  const through = forgotten.reduce((latest, { version }) => Math.max(latest, version), 0);
  await transaction.updateTable('haft_store').set({ forgotten_through: through }).execute();
}

async function readCurrent(
  transaction: Transaction<PostgresTables>,
  changes: readonly DriverChange[],
): Promise<readonly (CurrentVersion | undefined)[]> {
  const found = await transaction
    .selectFrom('haft_documents')
    .select(['collection', 'key', 'version', 'schema_version as schemaVersion'])
    .where('value', 'is not', null)
    .where((expression) =>
      expression(
        expression.refTuple('collection', 'key'),
        'in',
        changes.map(({ collection, key }) => expression.tuple(collection, key)),
      ),
    )
    .execute();
  const byId = new Map(found.map((row) => [idOf(row), row]));
  return changes.map((change) => byId.get(idOf(change)));
}

function idOf({ collection, key }: { readonly collection: string; readonly key: string }): string {
  return JSON.stringify([collection, key]);
}

function toRow(change: DriverChange, version: number, now: number): readonly DocumentRow[] {
  if (version === 0) return [];
  const { collection, key, text = null, schemaVersion } = change;
  return [{ collection, key, value: text, schema_version: schemaVersion, version, updated_at: now }];
}

/**
 * Uses one statement for rows, version and notification, because each round trip holds the lock that other writers
 * need.
 */
async function putRows(
  transaction: Transaction<PostgresTables>,
  rows: readonly DocumentRow[],
  version: number,
): Promise<void> {
  await transaction
    .with('raised', (query) =>
      query
        .updateTable('haft_store')
        .set({ version })
        .where('id', '=', 1)
        .returning(sql`pg_notify(${sql.lit(channel)}, '')`.as('notified')),
    )
    .insertInto('haft_documents')
    .values([...rows])
    .onConflict((conflict) =>
      conflict.columns(['collection', 'key']).doUpdateSet((row) => ({
        value: row.ref('excluded.value'),
        schema_version: row.ref('excluded.schema_version'),
        version: row.ref('excluded.version'),
        updated_at: row.ref('excluded.updated_at'),
      })),
    )
    .execute();
}
