import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createStore } from '../open/create-store.ts';
import { crashWriters } from '../fixtures/crash-writers.ts';
import { createPostgresCluster, postgresFolder } from '../fixtures/postgres-cluster.ts';
import type { PostgresCluster } from '../fixtures/postgres-cluster.ts';
import { startProgram } from '../fixtures/run-program.ts';
import { describeStore } from '../testing.ts';
import { codeOf, listen } from '../testing/observe.ts';
import { openPostgresDriver } from './postgres-driver.ts';

const isSkipped = postgresFolder === undefined && process.env['CI'] !== 'true';
if (isSkipped) {
  process.stderr.write('PostgreSQL is not tested: this machine has no initdb and postgres (Debian: postgresql).\n');
}

let cluster: PostgresCluster;
let places = 0;

beforeAll(async () => {
  if (!isSkipped) cluster = await createPostgresCluster();
}, 60_000);
afterAll(async () => {
  await cluster?.remove();
}, 60_000);

interface Place {
  readonly url: string;
  readonly execute: (statement: string) => Promise<void>;
  readonly remove: () => Promise<void>;
}

/** A schema of its own: tables of the same names that nobody else sees. */
async function place(): Promise<Place> {
  places += 1;
  const name = `place_${places}`;
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
        const { url, remove } = await place();
        return { open: () => createStore({ url, ...silent }), remove };
      },
      isShared: true,
    },
  );
});

const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
const silent = { onWarning: () => undefined };

describe.skipIf(isSkipped)('the tables in PostgreSQL', { timeout: 60_000 }, () => {
  it('are made once by many hosts that come first at once', async () => {
    const { url, remove } = await place();
    const stores = await Promise.all(Array.from({ length: 5 }, () => createStore({ url })));
    await Promise.all(stores.map((store, index) => store.collection('notes', String).set(`${index}`, 'here')));
    expect((await stores[0]?.collection('notes', String).list())?.documents.length).toBe(5);
    await Promise.all(stores.map((store) => store.close()));
    await remove();
  });

  it('are left alone when a newer program made them, or something else', async () => {
    const { url, remove, execute } = await place();
    await (await createStore({ url })).close();
    await execute('update haft_store set format = 2');
    expect(await codeOf(() => createStore({ url }))).toBe('NEWER_VERSION');
    await execute('delete from haft_store');
    expect(await codeOf(() => createStore({ url }))).toBe('NOT_A_STORE');
    await execute('drop table haft_store; create table haft_store (something_else text)');
    expect(await codeOf(() => createStore({ url }))).toBe('NOT_A_STORE');
    await remove();
  });

  it('are not made in a database whose encoding can not hold every text', async () => {
    await cluster.execute(`create database narrow encoding 'SQL_ASCII' template template0`);
    expect(await codeOf(() => createStore({ url: cluster.url('narrow') }))).toBe('UNAVAILABLE');
  });
});

describe.skipIf(isSkipped)('a PostgreSQL that can not be reached', () => {
  it('fails in the time that it was given, without the password', async () => {
    const url = 'postgres://me:secret@127.0.0.1:1/none';
    const start = performance.now();
    const error: unknown = await createStore({ url, timeoutMs: 200 }).catch((reason: unknown) => reason);
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(error).toMatchObject({ name: 'StoreError', code: 'UNAVAILABLE' });
    expect(JSON.stringify(error) + String(error)).not.toContain('secret');
  });

  it('fails at once when the server says that there is no such database', async () => {
    const start = performance.now();
    expect(await codeOf(() => createStore({ url: cluster.url('nowhere'), timeoutMs: 60_000 }))).toBe('UNAVAILABLE');
    expect(performance.now() - start).toBeLessThan(10_000);
  });
});

describe.skipIf(isSkipped)('hosts that share a PostgreSQL', { timeout: 60_000 }, () => {
  it('wait for a lock as long as they are told, and no longer', async () => {
    const { url, remove } = await place();
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

  it.each(['close', 'leave'])('end by themselves when they %s', async (manner) => {
    const { url, remove } = await place();
    const program = startProgram('ending-program.ts', [url, manner]);
    expect([await program.ended, program.output()]).toEqual([0, 'the end\n']);
    await remove();
  });

  it('are not stopped by notifications that somebody else sends', async () => {
    const { url, remove, execute } = await place();
    const store = await createStore({ url });
    const hearing = await listen(store.collection('notes', String));
    await execute(
      `select pg_notify('haft_store', repeat('9', 7000)); notify haft_store; notify haft_store, '{"version": 1e300}'`,
    );
    await store.collection('notes', String).set('a', 'one');
    await hearing.hears('set', 'a');
    expect(hearing.changes.length).toBe(1);
    await store.close();
    await remove();
  });

  it('hear what they missed when the connection that listens is lost', async () => {
    const { url, remove, execute } = await place();
    const [here, there] = [await createStore({ url, ...silent }), await createStore({ url })];
    const hearing = await listen(here.collection('notes', String));
    const notes = there.collection('notes', String);
    for (let round = 0; round < 5; round += 1) {
      await notes.set('a', `${round}`);
      await hearing.hears('set', 'a', (await notes.get('a'))?.version);
      await execute(`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%'`);
      const keys = Array.from({ length: 20 }, (_, index) => `round ${round}, key ${index}`);
      await there.batch(keys.map((key) => ({ kind: 'set', collection: notes, key, value: 'missed' })));
      await notes.delete(keys[0] ?? '');
      await hearing.hears('delete', keys[0] ?? '');
      await Promise.all(keys.slice(1).map((key) => hearing.hears('set', key)));
    }
    const versions = hearing.changes.map(({ version }) => version);
    expect(versions).toEqual(versions.toSorted((left, right) => left - right));
    await Promise.all([here.close(), there.close()]);
    await remove();
  });

  it('forget deletions that are a week old, and tell those to list anew who were away for longer', async () => {
    const { url, remove, execute } = await place();
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

  it('lose nothing when writers are killed', { timeout: 600_000 }, async () => {
    const { url, remove } = await place();
    const [writes, kills] = isLong ? [1_000, 60] : [200, 5];
    const report = await crashWriters({ url, writes, kills, seed: 20_261_122 });
    expect(report).toMatchObject({ kills, wrongStates: 0, tornReads: 0 });
    expect(report.acknowledged + report.madeUnheard).toBe(writes);
    await remove();
  });
});

describe.skipIf(isSkipped)('a PostgreSQL that crashes, and acknowledges by default what is not yet on the disk', () => {
  let careless: PostgresCluster;
  beforeAll(async () => {
    if (isSkipped) return;
    careless = await createPostgresCluster(['synchronous_commit=off', 'wal_writer_delay=10s']);
  }, 60_000);
  afterAll(async () => {
    await careless?.remove();
  }, 60_000);

  it('loses nothing acknowledged', { timeout: 600_000 }, async () => {
    const crash = async (kill: () => void): Promise<void> => {
      await careless.kill();
      kill();
      await careless.start();
    };
    const [writes, kills] = isLong ? [1_000, 20] : [100, 3];
    const report = await crashWriters({ url: careless.url(), writes, kills, seed: 7, crash });
    expect(report).toMatchObject({ kills, wrongStates: 0, tornReads: 0 });
  });

  it('is waited for while it starts again, and what was missed meanwhile is heard', { timeout: 60_000 }, async () => {
    const url = careless.url();
    const store = await createStore({ url, timeoutMs: 50_000, ...silent });
    const notes = store.collection('notes', String);
    const hearing = await listen(notes);
    await notes.set('before', 'one');
    await hearing.hears('set', 'before');
    await careless.kill();
    const writing = notes.set('meanwhile', 'two');
    const reading = notes.get('before');
    await careless.start();
    expect([(await writing).ok, (await reading)?.value]).toEqual([true, 'one']);
    await hearing.hears('set', 'meanwhile');
    await careless.kill();
    const impatient = await codeOf(() => createStore({ url, timeoutMs: 100 }));
    expect(impatient).toBe('UNAVAILABLE');
    await careless.start();
    await notes.set('after', 'three');
    await hearing.hears('set', 'after');
    await store.close();
  });
});
