import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createStore } from '../open/create-store.ts';
import { crashWriters } from '../fixtures/crash-writers.ts';
import { createPostgresCluster, postgresDirectory } from '../fixtures/postgres-cluster.ts';
import type { PostgresCluster } from '../fixtures/postgres-cluster.ts';
import { startProgram } from '../fixtures/run-program.ts';
import { describeStore } from '../testing.ts';
import { codeOf, recordChanges } from '../testing/law-recorder.ts';
import { openPostgresDriver } from './postgres-driver.ts';

const isSkipped = postgresDirectory === undefined && process.env['HAFT_POSTGRES'] !== 'required';
if (isSkipped) {
  process.stderr.write('PostgreSQL is not tested: this machine has no initdb and postgres (Debian: postgresql).\n');
}

let cluster: PostgresCluster;
let schemaCount = 0;

beforeAll(async () => {
  if (!isSkipped) cluster = await createPostgresCluster();
}, 60_000);
afterAll(async () => {
  await cluster?.remove();
}, 60_000);

interface TestSchema {
  readonly url: string;
  readonly execute: (statement: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** Creates a schema for one test, so that the tests do not share tables. */
async function createSchema(): Promise<TestSchema> {
  schemaCount += 1;
  const name = `place_${schemaCount}`;
  await cluster.execute(`create schema ${name}`);
  return {
    url: `${cluster.url()}&options=${encodeURIComponent(`-c search_path=${name}`)}`,
    execute: (statement) => cluster.execute(`set search_path = ${name}; ${statement}`),
    remove: () => cluster.execute(`drop schema ${name} cascade`),
  };
}

describe.skipIf(isSkipped)('a store in PostgreSQL', { timeout: 60_000 }, () => {
  describeStore(
    { describe, it, expect },
    {
      async create() {
        const { url, remove } = await createSchema();
        return { open: () => createStore({ url, ...silent }), remove };
      },
      isShared: true,
    },
  );
});

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
const silent = { onWarning: () => undefined };

describe.skipIf(isSkipped)('the tables in PostgreSQL', { timeout: 60_000 }, () => {
  it('are created once when several hosts open the database first', async () => {
    const { url, remove } = await createSchema();
    const stores = await Promise.all(Array.from({ length: 5 }, () => createStore({ url })));
    await Promise.all(stores.map((store, index) => store.collection('notes', String).set(`${index}`, 'here')));
    expect((await stores[0]?.collection('notes', String).list())?.documents.length).toBe(5);
    await Promise.all(stores.map((store) => store.close()));
    await remove();
  });

  it('are not changed if a newer program created them or they belong to another program', async () => {
    const { url, remove, execute } = await createSchema();
    await (await createStore({ url })).close();
    await execute('update haft_store set format = 2');
    expect(await codeOf(() => createStore({ url }))).toBe('NEWER_VERSION');
    await execute('delete from haft_store');
    expect(await codeOf(() => createStore({ url }))).toBe('NOT_A_STORE');
    await execute('drop table haft_store; create table haft_store (something_else text)');
    expect(await codeOf(() => createStore({ url }))).toBe('NOT_A_STORE');
    await remove();
  });

  it('are not created in a database whose encoding is not UTF8', async () => {
    await cluster.execute(`create database narrow encoding 'SQL_ASCII' template template0`);
    expect(await codeOf(() => createStore({ url: cluster.url('narrow') }))).toBe('UNAVAILABLE');
  });
});

describe.skipIf(isSkipped)('a PostgreSQL server that is not reachable', () => {
  it('fails within the timeout and does not show the password', async () => {
    const url = 'postgres://me:secret@127.0.0.1:1/none';
    const start = performance.now();
    const error: unknown = await createStore({ url, timeoutMs: 200 }).catch((reason: unknown) => reason);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(error).toMatchObject({ name: 'StoreError', code: 'UNAVAILABLE' });
    expect(JSON.stringify(error) + String(error)).not.toContain('secret');
  });

  it('fails at once if the database does not exist', async () => {
    const start = performance.now();
    expect(await codeOf(() => createStore({ url: cluster.url('nowhere'), timeoutMs: 60_000 }))).toBe('UNAVAILABLE');
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe.skipIf(isSkipped)('hosts that share a PostgreSQL server', { timeout: 60_000 }, () => {
  it('wait for a lock until their timeout', async () => {
    const { url, remove } = await createSchema();
    const store = await createStore({ url, timeoutMs: 300 });
    const notes = store.collection('notes', String);
    await notes.set('a', 'one');
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    await other.query('begin; update haft_store set version = version');
    expect(await codeOf(() => notes.set('a', 'two'))).toBe('UNAVAILABLE');
    expect((await notes.get('a'))?.value).toBe('one');
    await other.query('rollback');
    expect((await notes.set('a', 'three')).ok).toBe(true);
    await other.end();
    await store.close();
    await remove();
  });

  it.each(['close', 'no close'])('end by themselves after %s', async (manner) => {
    const { url, remove } = await createSchema();
    const program = startProgram('ending-program.ts', [url, manner]);
    expect([await program.ended, program.output()]).toEqual([0, 'the end\n']);
    await remove();
  });

  it('ignore notifications of other programs', async () => {
    const { url, remove, execute } = await createSchema();
    const store = await createStore({ url });
    const recorder = await recordChanges(store.collection('notes', String));
    await execute(
      `select pg_notify('haft_store', repeat('9', 7000)); notify haft_store; notify haft_store, '{"version": 1e300}'`,
    );
    await store.collection('notes', String).set('a', 'one');
    await recorder.waitFor('set', 'a');
    expect(recorder.changes.length).toBe(1);
    await store.close();
    await remove();
  });

  it('receive missed changes after the listening connection is lost', async () => {
    const { url, remove, execute } = await createSchema();
    const [here, there] = [await createStore({ url, ...silent }), await createStore({ url })];
    const recorder = await recordChanges(here.collection('notes', String));
    const notes = there.collection('notes', String);
    for (let round = 0; round < 5; round += 1) {
      await notes.set('a', `${round}`);
      await recorder.waitFor('set', 'a', (await notes.get('a'))?.version);
      await execute(`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'`);
      const keys = Array.from({ length: 20 }, (_, index) => `round ${round}, key ${index}`);
      await there.batch(keys.map((key) => ({ kind: 'set', collection: notes, key, value: 'missed' })));
      await notes.delete(keys[0] ?? '');
      await recorder.waitFor('delete', keys[0] ?? '');
      await Promise.all(keys.slice(1).map((key) => recorder.waitFor('set', key)));
    }
    const versions = recorder.changes.map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted((left, right) => left - right));
    await Promise.all([here.close(), there.close()]);
    await remove();
  });

  it('purge deletions after a week and send "reset" to watchers that missed them', async () => {
    const { url, remove, execute } = await createSchema();
    const store = await createStore({ url });
    const notes = store.collection('notes', String);
    const keys = Array.from({ length: 1_000 }, (_, index) => `${index}`);
    const deleteAll = async (): Promise<void> => {
      await store.batch(keys.map((key) => ({ kind: 'set', collection: notes, key, value: 'short-lived' })));
      await store.batch(keys.map((key) => ({ kind: 'delete', collection: notes, key })));
    };
    const driver = await openPostgresDriver(url, { timeoutMs: 5_000, onCorrupt: 'fail', notify: () => undefined });
    await deleteAll();
    expect(await driver.changesSince(0, 2_000)).toMatchObject({ keys: { length: 1_000 }, complete: true });
    await execute(`update haft_documents set updated_at = 0, key = 'old ' || key where value is null`);
    await deleteAll();
    expect(await driver.changesSince(0, 2_000)).toMatchObject({ keys: { length: 1_000 }, complete: false });
    expect(await driver.changesSince(2_000, 2_000)).toMatchObject({ keys: { length: 1_000 }, complete: true });
    await driver.close();
    await store.close();
    await remove();
  });

  it('lose no acknowledged write when writers are killed', { timeout: 600_000 }, async () => {
    const { url, remove } = await createSchema();
    const [writes, kills] = isLong ? [1_000, 60] : [120, 3];
    const report = await crashWriters({ url, writes, kills, seed: 20_261_122 });
    expect(report).toMatchObject({ kills, wrongStates: 0, tornReads: 0 });
    expect(report.acknowledged + report.unacknowledged).toBe(writes);
    await remove();
  });
});

describe.skipIf(isSkipped)(
  'a PostgreSQL server that crashes and is configured to acknowledge writes before they are on disk',
  () => {
    let unsafeCluster: PostgresCluster;
    beforeAll(async () => {
      if (isSkipped) return;
      unsafeCluster = await createPostgresCluster(['synchronous_commit=off', 'wal_writer_delay=10s']);
    }, 60_000);
    afterAll(async () => {
      await unsafeCluster?.remove();
    }, 60_000);

    it('loses no acknowledged write', { timeout: 600_000 }, async () => {
      const crash = async (kill: () => void): Promise<void> => {
        await unsafeCluster.kill();
        kill();
        await unsafeCluster.start();
      };
      const [writes, kills] = isLong ? [1_000, 20] : [60, 2];
      const report = await crashWriters({ url: unsafeCluster.url(), writes, kills, seed: 7, crash });
      expect(report).toMatchObject({ kills, wrongStates: 0, tornReads: 0 });
    });

    it(
      'makes pending calls wait for its restart and delivers missed changes afterwards',
      { timeout: 60_000 },
      async () => {
        const url = unsafeCluster.url();
        const store = await createStore({ url, timeoutMs: 50_000, ...silent });
        const notes = store.collection('notes', String);
        const recorder = await recordChanges(notes);
        await notes.set('before', 'one');
        await recorder.waitFor('set', 'before');
        await unsafeCluster.kill();
        const writing = notes.set('meanwhile', 'two');
        const reading = notes.get('before');
        await unsafeCluster.start();
        expect([(await writing).ok, (await reading)?.value]).toEqual([true, 'one']);
        await recorder.waitFor('set', 'meanwhile');
        await unsafeCluster.kill();
        const code = await codeOf(() => createStore({ url, timeoutMs: 100 }));
        expect(code).toBe('UNAVAILABLE');
        await unsafeCluster.start();
        await notes.set('after', 'three');
        await recorder.waitFor('set', 'after');
        await store.close();
      },
    );
  },
);
