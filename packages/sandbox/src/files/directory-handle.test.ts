import { execFileSync } from 'node:child_process';
import { fstatSync, linkSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openConfinedDirectory, openSharedDirectory, type DirectoryHandle } from './directory-handle.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';

function opened(folder: ReturnType<typeof openConfinedDirectory>): DirectoryHandle {
  if (!folder.ok) throw new Error(folder.message);
  return folder;
}

describe('a directory handle', () => {
  test('lists, enters and opens its entries', async () => {
    const { root } = makeRoot();
    mkdirSync(join(root, 'd/e'), { recursive: true });
    writeFileSync(join(root, 'd/a'), 'text');
    const folder = opened(openConfinedDirectory([root], join(root, 'd')));
    const entries = [...folder.list()].flat().toSorted((left, right) => (left.name < right.name ? -1 : 1));
    expect(entries).toEqual([
      { name: 'a', kind: 'file' },
      { name: 'e', kind: 'directory' },
    ]);
    const [file, missing] = folder.open(['a', 'gone']);
    expect(missing).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    if (!file?.ok) throw new Error('not opened');
    expect(file).toMatchObject({ path: join(root, 'd/a'), size: 4, hardLinks: 1, kind: 'file' });
    const buffer = new Uint8Array(10);
    expect(file.readInto(buffer, 1)).toBe(3);
    expect(new TextDecoder().decode(buffer.subarray(0, 3))).toBe('ext');
    expect(new TextDecoder().decode(await file.read(0, 10))).toBe('text');
    file.close();
    expect(() => file.readInto(buffer, 0)).toThrow(TypeError);
    const inner = opened(folder.enter('e'));
    expect(inner.path).toBe(join(root, 'd/e'));
    inner.close();
    folder.close();
  });

  test('stays open until it and all that share it are closed, each once', () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'text');
    const folder = opened(openConfinedDirectory([root], root));
    const [first, second] = [folder.share(), folder.share()];
    folder.close();
    folder.close();
    first.close();
    first.close();
    const [file] = openSharedDirectory(second.reference).open(['a']);
    expect(file).toMatchObject({ ok: true, size: 4 });
    if (file?.ok) file.close();
    second.close();
    if (!('descriptor' in second.reference)) return;
    const { descriptor } = second.reference;
    expect(() => fstatSync(descriptor)).toThrow('EBADF');
  });

  test('returns the status of entries without opening them or following links', () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'text', { mode: 0o640 });
    mkdirSync(join(root, 'd'));
    symlinkSync('../outside', join(root, 'l'));
    const folder = opened(openConfinedDirectory([root], root));
    const [file, directory, link, gone, up, path] = folder.stat(['a', 'd', 'l', 'gone', '..', 'd/x']);
    expect(file).toMatchObject({ kind: 'file', size: 4, mode: 0o640, hardLinks: 1 });
    expect(file!.changedMs).toBeGreaterThan(0);
    expect(file!.inode).not.toBe(directory!.inode);
    expect([directory!.kind, link!.kind, gone, up, path]).toEqual([
      'directory',
      'link',
      undefined,
      undefined,
      undefined,
    ]);
    expect(['a', 'l', 'gone', '../root/l'].map((name) => folder.readLink(name))).toEqual([
      undefined,
      '../outside',
      undefined,
      undefined,
    ]);
    folder.close();
  });

  test('uses the opened directory even if a link has replaced it', () => {
    const { root, outside } = makeRoot();
    const names = ['a', 'b', 'c', 'd', 'e'];
    mkdirSync(join(root, 'd'));
    for (const name of names) writeFileSync(join(root, 'd', name), 'inside');
    for (const name of names) writeFileSync(join(outside, name), 'of the outside');
    const folder = opened(openConfinedDirectory([root], join(root, 'd')));
    renameSync(join(root, 'd'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'd'));
    expect(folder.stat(names).map((entry) => entry?.size)).toEqual([6, 6, 6, 6, 6]);
    folder.close();
  });

  test('refuses links, pipes, directories, parent directories and names that are paths', () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(outside, 's'), 'secret');
    symlinkSync(join(outside, 's'), join(root, 'link'));
    symlinkSync(outside, join(root, 'away'));
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a'), '');
    execFileSync('mkfifo', [join(root, 'pipe')]);
    const folder = opened(openConfinedDirectory([root], root));
    const codes = folder
      .open(['link', 'pipe', 'd', '..', 'd/a', '', 'a\0'])
      .map((file) => (file.ok ? 'opened' : file.code));
    expect(codes).toEqual(['SYMLINK_REFUSED', 'NOT_REGULAR_FILE', 'IS_DIRECTORY', ...Array(4).fill('INVALID_PATH')]);
    for (const name of ['away', '..', 'd/..', '.', ''])
      expect(folder.enter(name)).toMatchObject({ code: 'TARGET_CHANGED' });
    expect(folder.enter('gone')).toMatchObject({ code: 'NOT_FOUND' });
    folder.close();
  });

  test('opens files with several names if they belong to the user', () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'x');
    linkSync(join(root, 'a'), join(root, 'b'));
    const folder = opened(openConfinedDirectory([root], root));
    const [file] = folder.open(['b']);
    expect(file).toMatchObject({ ok: true, hardLinks: 2 });
    if (file?.ok) file.close();
    folder.close();
  });

  test('remains valid when its path is replaced, and fails when the directory is moved out of the roots', () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(root, 'd/e'), { recursive: true });
    writeFileSync(join(root, 'd/a'), 'inside');
    writeFileSync(join(outside, 'a'), 'secret');
    const folder = opened(openConfinedDirectory([root], join(root, 'd')));
    renameSync(join(root, 'd'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'd'));
    const [file] = folder.open(['a']);
    expect(file).toMatchObject({ ok: true, size: 6 });
    if (file?.ok) file.close();
    rmSync(join(outside, 'moved'), { force: true, recursive: true });
    renameSync(join(root, 'moved'), join(outside, 'moved'));
    expect(folder.open(['a'])).toMatchObject([{ ok: false, code: 'OUTSIDE_ROOTS' }]);
    const list = folder.list();
    let step = list.next();
    while (step.done !== true) step = list.next();
    expect(step.value).toMatchObject({ code: 'OUTSIDE_ROOTS' });
    folder.close();
  });

  test.skipIf(process.platform !== 'linux')('leaves no descriptor open (skipped without /proc)', () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a'), '');
    symlinkSync(outside, join(root, 'd/l'));
    const before = readdirSync('/proc/self/fd').length;
    const folder = opened(openConfinedDirectory([root], join(root, 'd')));
    folder.enter('l');
    folder.enter('a');
    for (const file of folder.open(['a', 'l', 'gone'])) if (file.ok) file.close();
    folder.list().next();
    folder.close();
    expect(readdirSync('/proc/self/fd')).toHaveLength(before);
  });
});
