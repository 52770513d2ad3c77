import { statSync } from 'node:fs';

import type Sqlite from 'better-sqlite3';

import type { DriverSettings } from '../driver-settings.ts';
import { isRefused } from '../store-driver.ts';
import type { DriverChange, StoreDriver, WriteOutcome } from '../store-driver.ts';
import { StoreError } from '../store-error.ts';
import { deletionsBetweenSweeps, deletionRetentionMs } from '../tables.ts';
import { openDatabase } from './open-sqlite-database.ts';
import type { PreparedQuery } from './prepare-sqlite-query.ts';
import { queries } from './sqlite-queries.ts';
import { isBusy, toStoreError } from './sqlite-failure.ts';
import { waitForLock } from './wait-for-sqlite-lock.ts';

/**
 * Interval at which a watched store checks for writes of other programs. A check reads a few bytes of shared memory.
 */
const pollIntervalMs = 25;

/** Opens a driver for a SQLite file that other programs of this machine may use at the same time. */
export async function openSqliteDriver(path: string, settings: DriverSettings): Promise<StoreDriver> {
  const { timeoutMs } = settings;
  const { database, inode } = await openDatabase(path, settings).catch((error: unknown) => {
    throw toStoreError(error, path);
  });
  const statements = new Map<unknown, Sqlite.Statement>();
  let deletionsSinceSweep = 0;

  const prepare = <Values, Row>(query: PreparedQuery<Values, Row>): Sqlite.Statement<unknown[], Row> => {
    const known = statements.get(query) ?? database.prepare(query.sql);
    statements.set(query, known);
    return known as Sqlite.Statement<unknown[], Row>;
  };
  const first = <Values, Row>(query: PreparedQuery<Values, Row>, values: Values): Row | undefined =>
    prepare(query).get(...query.bind(values));
  const all = <Values, Row>(query: PreparedQuery<Values, Row>, values: Values): readonly Row[] =>
    prepare(query).all(...query.bind(values));

  const explain = (error: unknown): unknown =>
    database.open ? toStoreError(error, path) : new StoreError('CLOSED', 'the store is closed', { cause: error });

  /** Runs synchronously unless another program holds a lock. Converts errors to store errors. */
  const run = <Result>(work: () => Result): Result | Promise<Result> => {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw explain(error);
      return waitForLock(timeoutMs, work).catch((late: unknown) => {
        throw explain(late);
      });
    }
  };

  const begin = database.prepare('begin immediate');
  const commit = database.prepare('commit');
  const rollback = database.prepare('rollback');
  /** Runs `change` in a transaction and commits if its result is ok. */
  const transact = <Result extends { readonly ok: boolean }>(change: () => Result): Result => {
    begin.run();
    try {
      const result = change();
      if (result.ok) commit.run();
      return result;
    } finally {
      if (database.inTransaction) rollback.run();
    }
  };

  /** Rejects writes to a file that was removed or replaced, because they would be lost when this program ends. */
  const assertStillThere = (): void => {
    if (statSync(path, { bigint: true, throwIfNoEntry: false })?.ino === inode) return;
    throw new StoreError(
      'UNAVAILABLE',
      `${JSON.stringify(path)} was removed or replaced while it was open; create the store again`,
    );
  };

  const writeAll = (changes: readonly DriverChange[]): WriteOutcome => {
    const current = changes.map((change) => first(queries.current, change));
    const refused = changes.flatMap((change, index) =>
      isRefused(change, current[index]) ? [{ index, current: current[index] }] : [],
    );
    if (refused.length > 0) return { ok: false, refused };
    const isEffective = (index: number): boolean => changes[index]?.text !== undefined || current[index] !== undefined;
    const by = changes.filter((_, index) => isEffective(index)).length;
    const updatedAt = Date.now();
    if (by === 0) return { ok: true, versions: changes.map(() => 0), updatedAt };
    let version = (first(queries.raiseVersion, { by })?.version ?? 0) - by;
    const versions = changes.map(({ collection, key, text, schemaVersion }, index) => {
      if (!isEffective(index)) return 0;
      version += 1;
      const put = { collection, key, value: text ?? null, schemaVersion, version, updatedAt };
      prepare(queries.put).run(...queries.put.bind(put));
      return version;
    });
    purgeOldDeletions(changes);
    return { ok: true, versions, updatedAt };
  };

  const purgeOldDeletions = (changes: readonly DriverChange[]): void => {
    deletionsSinceSweep += changes.filter(({ text }) => text === undefined).length;
    if (deletionsSinceSweep < deletionsBetweenSweeps) return;
    deletionsSinceSweep = 0;
    const forgotten = all(queries.purgeDeletions, { before: Date.now() - deletionRetentionMs });
    if (forgotten.length === 0) return;
    const through = forgotten.reduce((latest, { version }) => Math.max(latest, version), 0);
    prepare(queries.raiseForgotten).run(...queries.raiseForgotten.bind({ through }));
  };

  const state = (): { readonly version: number; readonly forgottenThrough: number } =>
    first(queries.state, {}) ?? { version: 0, forgottenThrough: 0 };

  return {
    name: 'sqlite',
    get: (collection, key) => run(() => first(queries.get, { collection, key })),
    list: (collection, { from, after = '', before, limit }) =>
      run(() =>
        before === undefined
          ? all(queries.list, { collection, from, after, limit })
          : all(queries.listBefore, { collection, from, after, before, limit }),
      ),
    write: (changes) =>
      run(() => {
        assertStillThere();
        return transact(() => writeAll(changes));
      }),
    changesSince: (version, limit) =>
      run(() => ({
        keys: all(queries.changesSince, { version, limit }).map((row) => ({ ...row, deleted: row.deleted === 1 })),
        complete: version >= state().forgottenThrough,
      })),
    latestVersion: () => run(() => state().version),
    watch(wake) {
      const dataVersion = database.prepare('pragma data_version').pluck();
      let seen: unknown = dataVersion.get();
      const timer = setInterval(() => {
        const now = readDataVersion(dataVersion);
        // If the check failed, the read that `wake` causes reports the reason.
        if (now === undefined || now !== seen) wake();
        seen = now;
      }, pollIntervalMs).unref();
      return () => clearInterval(timer);
    },
    close() {
      database.close();
    },
  };
}

function readDataVersion(dataVersion: Sqlite.Statement): unknown {
  try {
    return dataVersion.get();
  } catch {
    return undefined;
  }
}
