import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { createStore } from '../open/create-store.ts';
import type { StoreOptions } from '../open/store-options.ts';
import { fromSource, startProgram } from '../fixtures/run-program.ts';
import type { StoreWarning } from '../warning.ts';
import type { Store } from '../documents/store.ts';
import { codeOf } from '../testing/law-recorder.ts';

/** Linux has a directory in which no directory can be created (/proc). */
const hasProc = existsSync('/proc/self');

let folder: string;
let path: string;
let warnings: StoreWarning[];
const opened: Store[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haft-store-'));
  path = join(folder, 'haft.db');
  warnings = [];
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()));
  await rm(folder, { recursive: true });
});

async function open(options: StoreOptions = {}): Promise<Store> {
  const store = await createStore({ url: `file:${path}`, onWarning: (warning) => warnings.push(warning), ...options });
  opened.push(store);
  return store;
}

/** Writes and closes a store with enough pages to damage. */
async function writeStore(): Promise<void> {
  const store = await createStore({ url: `file:${path}` });
  const notes = store.collection('notes', String);
  await store.batch(
    Array.from({ length: 200 }, (_, index) => ({
      kind: 'set',
      collection: notes,
      key: `${index}`,
      value: 'x'.repeat(1_000),
    })),
  );
  await store.close();
}

const modeOf = (file: string): number => statSync(file).mode & 0o777;

describe('the file of a store', () => {
  it.skipIf(process.platform === 'win32')(
    'is created with its directories, log and index for its owner only',
    async () => {
      path = join(folder, 'a', 'b', 'haft.db');
      const store = await open();
      await store.collection('notes', String).set('a', 'one');
      expect([path, `${path}-wal`, `${path}-shm`].map(modeOf)).toEqual([0o600, 0o600, 0o600]);
      expect(modeOf(join(folder, 'a'))).toBe(0o700);
    },
  );

  it.skipIf(process.platform === 'win32')('retains its permissions', async () => {
    await writeStore();
    chmodSync(path, 0o640);
    await open();
    expect(modeOf(path)).toBe(0o640);
  });

  it('is a single file once all stores are closed', async () => {
    await writeStore();
    expect(readdirSync(folder)).toEqual(['haft.db']);
  });

  it('may be empty, as left by a program that was killed while creating it', async () => {
    writeFileSync(path, '');
    const store = await open();
    await store.collection('notes', String).set('a', 'one');
    expect(warnings).toEqual([]);
  });

  it('uses a write-ahead log, so that readers and a writer do not wait for each other', async () => {
    await open();
    const other = new Sqlite(path);
    expect(other.pragma('journal_mode', { simple: true })).toBe('wal');
    other.close();
  });

  it('cannot be opened when the path is a directory or cannot be created', async () => {
    await mkdir(path);
    expect(await codeOf(open)).toBe('UNAVAILABLE');
    path = join('/dev/null', 'haft.db');
    expect(await codeOf(open)).toBe('UNAVAILABLE');
  });

  it.skipIf(!hasProc)('reports at once when its directory cannot be created', async () => {
    await expect(createStore({ url: 'file:/proc/nowhere/further/haft.db' })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('cannot be created') as string,
    });
  });

  it('reports that the path is a directory', async () => {
    await expect(createStore({ url: `file:${folder}` })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('is a directory') as string,
    });
    await expect(createStore(undefined as never)).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });

  it('rejects writes once it was moved or replaced', async () => {
    const store = await open();
    const notes = store.collection('notes', String);
    await notes.set('a', 'one');
    renameSync(path, `${path}.moved`);
    expect(await codeOf(() => notes.set('b', 'lost'))).toBe('UNAVAILABLE');
    writeFileSync(path, '');
    expect(await codeOf(() => notes.set('b', 'lost'))).toBe('UNAVAILABLE');
  });
});

/** Changes the tables without the store. */
function changeTables(statement: string): void {
  const database = new Sqlite(path);
  database.exec(statement);
  database.close();
}

describe('the content of the file', () => {
  it('reports a damaged document as CORRUPT and still lists the others', async () => {
    const notes = (await open()).collection('notes', String);
    await notes.set('a', 'one');
    await notes.set('b', 'two');
    changeTables(`update haft_documents set value = '{' where key = 'a'`);
    expect(await codeOf(() => notes.get('a'))).toBe('CORRUPT');
    const page = await notes.list();
    expect(page.documents.map(({ key }) => key)).toEqual(['b']);
    expect(page.unreadable.map(({ key, error }) => [key, error.code])).toEqual([['a', 'CORRUPT']]);
    expect((await notes.set('a', 'mended')).ok).toBe(true);
  });

  it('stores deletions for seven days and then purges them', async () => {
    const store = await open();
    const notes = store.collection('notes', String);
    const keys = Array.from({ length: 1_000 }, (_, index) => `${index}`);
    const deleteAll = async (): Promise<void> => {
      await store.batch(keys.map((key) => ({ kind: 'set', collection: notes, key, value: 'short-lived' })));
      await store.batch(keys.map((key) => ({ kind: 'delete', collection: notes, key })));
    };
    const countRows = (): unknown => {
      const database = new Sqlite(path, { readonly: true });
      const count = database.prepare('select count(*) from haft_documents').pluck().get();
      database.close();
      return count;
    };
    await notes.set('kept', 'one');
    await deleteAll();
    expect(countRows()).toBe(1_001);
    changeTables(`update haft_documents set updated_at = 0, key = 'old ' || key where value is null`);
    await deleteAll();
    expect(countRows()).toBe(1_001);
    expect((await notes.get('kept'))?.value).toBe('one');
    const written = await notes.set('new', 'two');
    expect(written.ok && written.document.version).toBe(4_002);
  });
});

describe('a damaged file', { timeout: 60_000 }, () => {
  const damages: readonly (readonly [name: string, damage: () => void])[] = [
    ['is not a database', () => writeFileSync(path, 'This was a database once.\n'.repeat(100))],
    ['is short and not a database', () => writeFileSync(path, 'oh')],
    ['is truncated in the middle', () => truncateSync(path, statSync(path).size / 2)],
    ['is truncated in its first page', () => truncateSync(path, 50)],
    ['is overwritten in its header', () => overwrite(0, 16)],
    ['is overwritten in its schema table', () => overwrite(100, 400)],
    ['is overwritten in the middle', () => overwrite(4_096 * 10, 4_096 * 5)],
    ['is zeroed after its header', () => overwrite(4_096, 4_096 * 20, 0)],
  ];

  it.each(damages)('that %s is set aside with all its bytes, reported, and replaced', async (_, damage) => {
    await writeStore();
    damage();
    const bytes = readFileSync(path);
    const store = await open();
    const notes = store.collection('notes', String);
    expect((await notes.list()).documents).toEqual([]);
    await notes.set('new', 'one');
    expect(warnings.map(({ code, movedTo }) => [code, movedTo])).toEqual([['FILE_SET_ASIDE', `${path}.corrupt-1`]]);
    expect(warnings[0]?.message).toContain(`${path}.corrupt-1`);
    expect(readFileSync(`${path}.corrupt-1`).equals(bytes)).toBe(true);
    await store.close();
    expect((await (await open()).collection('notes', String).get('new'))?.value).toBe('one');
    expect(warnings.length).toBe(1);
  });

  it('is not changed with onCorrupt "fail"', async () => {
    writeFileSync(path, 'no database\n'.repeat(100));
    expect(await codeOf(() => open({ onCorrupt: 'fail' }))).toBe('CORRUPT');
    expect(readFileSync(path, 'utf8')).toBe('no database\n'.repeat(100));
    expect(existsSync(`${path}.corrupt-1`)).toBe(false);
  });

  it('is reported as a process warning without a warning listener', async () => {
    writeFileSync(path, 'no database\n'.repeat(100));
    const warned = new Promise<Error>((resolve) => void process.once('warning', resolve));
    const store = await createStore({ url: `file:${path}` });
    opened.push(store);
    const warning = await warned;
    expect([warning.name, warning.message.includes('corrupt-1')]).toEqual(['StoreWarning', true]);
  });

  it('is set aside once when several programs open it at the same time, and none loses its writes', async () => {
    writeFileSync(path, 'no database\n'.repeat(100));
    const programs = Array.from({ length: 4 }, () => startProgram('sqlite-program.ts', ['open', path]));
    expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const output = programs.map((program) => program.output()).join('');
    expect(output.match(/warning FILE_SET_ASIDE/g)?.length).toBe(1);
    expect(readdirSync(folder).toSorted()).toEqual(['haft.db', 'haft.db.corrupt-1']);
    const { documents } = await (await open()).collection('notes', String).list();
    expect([documents.length, documents[0]?.value]).toEqual([5, '....']);
  });
});

describe('a file of another program', () => {
  const refused: readonly (readonly [code: string, name: string, write: (database: Sqlite.Database) => void])[] = [
    ['NEWER_VERSION', 'with the format of a newer program', (database) => database.pragma('user_version = 2')],
    ['NOT_A_STORE', 'with the application ID of another program', (database) => database.pragma('application_id = 7')],
    ['NOT_A_STORE', 'with tables and no application ID', (database) => database.pragma('application_id = 0')],
  ];

  it.each(refused)('is rejected as %s (%s) and not changed', async (code, _, write) => {
    await writeStore();
    const database = new Sqlite(path);
    write(database);
    database.close();
    const bytes = readFileSync(path);
    expect(await codeOf(open)).toBe(code);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readdirSync(folder)).toEqual(['haft.db']);
    expect(warnings).toEqual([]);
  });
});

describe('two programs with one file', { timeout: 60_000 }, () => {
  it('create it together when both open it first', async () => {
    const programs = Array.from({ length: 4 }, () => startProgram('sqlite-program.ts', ['open', path]));
    expect(await Promise.all(programs.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const { documents } = await (await open()).collection('notes', String).list();
    expect([documents.length, documents[0]?.value]).toEqual([5, '....']);
  });

  it('wait for a lock until their timeout, without blocking the event loop', async () => {
    const store = await open({ timeoutMs: 150 });
    const notes = store.collection('notes', String);
    await notes.set('a', 'one');
    const program = startProgram('sqlite-program.ts', ['hold', path]);
    await program.line('holding');
    let turns = 0;
    const turning = setInterval(() => (turns += 1), 5);
    expect(await codeOf(() => notes.set('a', 'two'))).toBe('UNAVAILABLE');
    clearInterval(turning);
    expect(turns).toBeGreaterThan(0);
    expect((await notes.get('a'))?.value).toBe('one');
    const patient = (await open()).collection('notes', String).set('a', 'three');
    program.child.stdin?.end();
    expect((await patient).ok).toBe(true);
    expect(await program.ended).toBe(0);
  });

  it.each(['close', 'no close'])('end by themselves after %s', async (manner) => {
    const program = startProgram('ending-program.ts', [`file:${path}`, manner]);
    expect([await program.ended, program.output()]).toEqual([0, 'the end\n']);
  });

  it("receive each other's changes", async () => {
    const notes = (await open()).collection('notes', String);
    const program = startProgram('sqlite-program.ts', ['watch', path]);
    await program.line('watching');
    await notes.set('a', 'one');
    await program.line('change set a');
    await notes.delete('a');
    await program.line('change delete a');
    program.child.stdin?.end();
    expect(await program.ended).toBe(0);
  });
});

/** Runs a command with a 2 MB file system in its own user and mount namespace, which needs no privileges. */
const onSmallDisk = (command: readonly string[]): ReturnType<typeof spawnSync> =>
  spawnSync(
    'unshare',
    [
      '--user',
      '--map-root-user',
      '--mount',
      'sh',
      '-c',
      'mount -t tmpfs -o size=2m tmpfs "$0" && exec "$@"',
      folder,
      ...command,
    ],
    { encoding: 'utf8' },
  );

describe('a full disk', { timeout: 60_000 }, () => {
  it('fails with FULL, keeps acknowledged documents readable, and accepts writes again once space is available', async (context) => {
    if (onSmallDisk(['true']).status !== 0) context.skip('no file system can be mounted here');
    const program = fileURLToPath(new URL('../fixtures/full-disk-program.ts', import.meta.url));
    const { stdout, stderr, status } = onSmallDisk([process.execPath, ...fromSource, program, folder]);
    expect([status, stderr]).toEqual([0, '']);
    const seen = JSON.parse(String(stdout)) as Record<'written' | 'readable' | 'kept' | 'whole', number> & {
      failures: unknown;
    };
    expect(seen.failures).toEqual(['FULL', 'FULL', 'FULL']);
    expect(seen.written).toBeGreaterThan(10);
    expect([seen.readable, seen.kept, seen.whole]).toEqual([seen.written, seen.written + 1, seen.written]);
  });
});

function overwrite(start: number, length: number, byte = 0xaa): void {
  const bytes = readFileSync(path);
  bytes.fill(byte, start, start + length);
  writeFileSync(path, bytes);
}
