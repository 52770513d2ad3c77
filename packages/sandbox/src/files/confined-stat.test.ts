import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { listConfinedDirectory, statConfined } from './confined-stat.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';

describe('listConfinedDirectory', () => {
  test('lists names and kinds sorted by name, without following links', async () => {
    const { root, outside } = makeRoot();
    for (const name of ['b', 'B', '.hidden', 'line\nbreak']) writeFileSync(join(root, name), '');
    mkdirSync(join(root, 'd'));
    symlinkSync(outside, join(root, 'away'));
    execFileSync('mkfifo', [join(root, 'p')]);
    expect(await listConfinedDirectory([root], root)).toEqual({
      ok: true,
      path: root,
      truncated: false,
      entries: [
        { name: '.hidden', kind: 'file' },
        { name: 'B', kind: 'file' },
        { name: 'away', kind: 'link' },
        { name: 'b', kind: 'file' },
        { name: 'd', kind: 'directory' },
        { name: 'line\nbreak', kind: 'file' },
        { name: 'p', kind: 'other' },
      ],
    });
  });

  test('stops at maxEntries and sets "truncated"', async () => {
    const { root } = makeRoot();
    for (let index = 0; index < 30; index += 1) writeFileSync(join(root, `${index}`), '');
    const some = await listConfinedDirectory([root], root, { maxEntries: 29 });
    const all = await listConfinedDirectory([root], root, { maxEntries: 30 });
    expect(some.ok && [some.entries.length, some.truncated]).toEqual([29, true]);
    expect(all.ok && [all.entries.length, all.truncated]).toEqual([30, false]);
  });

  test('lists a large directory completely and sorted, without blocking the event loop', async () => {
    const { root } = makeRoot();
    const names = Array.from({ length: 5_000 }, (_, index) => `${(index * 7_919) % 5_000}`);
    for (const name of names) writeFileSync(join(root, name), '');
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const listing = await listConfinedDirectory([root], root);
    clearImmediate(next);
    expect(listing.ok && listing.entries.map(({ name }) => name)).toEqual(names.toSorted());
    expect(turns).toBeGreaterThanOrEqual(9);
    const some = await listConfinedDirectory([root], root, { maxEntries: 1_024 });
    expect(some.ok && [some.entries.length, some.truncated]).toEqual([1_024, true]);
    const all = await listConfinedDirectory([root], root, { maxEntries: 5_000 });
    expect(all.ok && [all.entries.length, all.truncated]).toEqual([5_000, false]);
  });

  test('returns error codes', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(root, 'a'), '');
    symlinkSync(outside, join(root, 'away'));
    expect(await listConfinedDirectory([root], join(root, 'a'))).toMatchObject({ code: 'NOT_DIRECTORY' });
    expect(await listConfinedDirectory([root], join(root, 'gone'))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await listConfinedDirectory([root], join(root, 'away'))).toMatchObject({ code: 'OUTSIDE_ROOTS' });
    expect(await listConfinedDirectory([root], outside)).toMatchObject({ code: 'OUTSIDE_ROOTS' });
    expect(await listConfinedDirectory([], root)).toMatchObject({ code: 'OUTSIDE_ROOTS' });
  });
});

describe('statConfined', () => {
  test('returns the status of files, directories, links and the root itself', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(root, 'a'), '12345', { mode: 0o600 });
    symlinkSync('a', join(root, 'near'));
    symlinkSync(outside, join(root, 'away'));
    expect(await statConfined([root], join(root, 'a'))).toMatchObject({ ok: true, kind: 'file', size: 5, mode: 0o600 });
    expect(await statConfined([root], root)).toMatchObject({ ok: true, kind: 'directory', path: root });
    expect(await statConfined([root], join(root, 'near'))).toMatchObject({ kind: 'file', path: join(root, 'a') });
    expect(await statConfined([root], join(root, 'near'), { followLinks: false })).toMatchObject({ kind: 'link' });
    expect(await statConfined([root], join(root, 'away'))).toMatchObject({ code: 'OUTSIDE_ROOTS' });
    expect(await statConfined([root], join(root, 'away'), { followLinks: false })).toMatchObject({ kind: 'link' });
    expect(await statConfined([root], join(root, 'gone'))).toMatchObject({ code: 'NOT_FOUND' });
    expect(await statConfined([root], `${root}/a/`)).toMatchObject({ code: 'NOT_DIRECTORY' });
  });

  test('accepts a single file as a root', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'only'), '1');
    expect(await statConfined([join(root, 'only')], join(root, 'only'))).toMatchObject({ kind: 'file', size: 1 });
  });

  test.runIf(process.platform === 'linux')('returns the status of the file system root when unrestricted', async () => {
    expect(await statConfined('unrestricted', '/')).toMatchObject({ kind: 'directory', path: '/' });
  });
});
