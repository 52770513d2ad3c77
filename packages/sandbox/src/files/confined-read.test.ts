import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  linkSync,
  mkdirSync,
  readdirSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openConfined, readConfinedFile } from './confined-read.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';
import { asUnprivilegedUser, isRoot } from '../fixtures/unprivileged-user.ts';

const isLinux = process.platform === 'linux';

async function readText(root: string, path: string): Promise<string> {
  const found = await readConfinedFile([root], join(root, path));
  return found.ok ? Buffer.from(found.bytes).toString() : found.code;
}

describe('readConfinedFile', () => {
  test('returns the bytes and status of a file', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'hello', { mode: 0o640 });
    expect(await readConfinedFile([root], join(root, 'a'))).toMatchObject({
      ok: true,
      path: join(root, 'a'),
      bytes: new Uint8Array(Buffer.from('hello')),
      kind: 'file',
      size: 5,
      mode: 0o640,
      hardLinks: 1,
    });
  });

  test('follows links inside the roots by default, and refuses them on request', async () => {
    const { root } = makeRoot();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a'), 'inside');
    symlinkSync('d', join(root, 'to-d'));
    symlinkSync('d/a', join(root, 'to-a'));
    expect(await readText(root, 'to-d/a')).toBe('inside');
    expect(await readText(root, 'to-a')).toBe('inside');
    expect(await readConfinedFile([root], join(root, 'to-a'), { followLinks: false })).toMatchObject({
      code: 'SYMLINK_REFUSED',
    });
  });

  test('refuses links that lead outside', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(outside, 'secret'), 's');
    symlinkSync(join(outside, 'secret'), join(root, 'file'));
    symlinkSync(outside, join(root, 'directory'));
    symlinkSync('/proc/self/root', join(root, 'magic'));
    expect(await readText(root, 'file')).toBe('OUTSIDE_ROOTS');
    expect(await readText(root, 'directory/secret')).toBe('OUTSIDE_ROOTS');
    expect(await readText(root, `magic${outside}/secret`)).toBe('OUTSIDE_ROOTS');
  });

  test.each([
    ['', 'IS_DIRECTORY'],
    ['.', 'IS_DIRECTORY'],
    ['d', 'IS_DIRECTORY'],
    ['d/', 'IS_DIRECTORY'],
    ['gone', 'NOT_FOUND'],
    ['gone/deep', 'NOT_FOUND'],
    ['a/', 'NOT_DIRECTORY'],
    ['a/b', 'NOT_DIRECTORY'],
    ['x'.repeat(256), 'NAME_TOO_LONG'],
  ])('for %j, returns %s', async (path, code) => {
    const { root } = makeRoot();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'a'), '');
    expect(await readConfinedFile([root], `${root}/${path}`)).toMatchObject({ ok: false, code });
  });

  test.runIf(isLinux)('refuses pipes and devices without opening them or blocking', async () => {
    const { root } = makeRoot();
    execFileSync('mkfifo', [join(root, 'pipe')]);
    expect(await readText(root, 'pipe')).toBe('NOT_REGULAR_FILE');
    expect(await readConfinedFile('unrestricted', '/dev/zero')).toMatchObject({ code: 'NOT_REGULAR_FILE' });
  });

  test.runIf(isLinux)('refuses a socket', async () => {
    const { root } = makeRoot();
    const server = createServer();
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
    expect(await readText(root, 'socket')).toBe('NOT_REGULAR_FILE');
  });

  test('reads a file of exactly maxBytes and refuses a larger one without reading it', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), '12345');
    expect(await readConfinedFile([root], join(root, 'a'), { maxBytes: 5 })).toMatchObject({ ok: true });
    expect(await readConfinedFile([root], join(root, 'a'), { maxBytes: 4 })).toMatchObject({ code: 'FILE_TOO_LARGE' });
    truncateSync(join(root, 'a'), 2 ** 40);
    expect(await readText(root, 'a')).toBe('FILE_TOO_LARGE');
  });

  test.runIf(isLinux)('reads files with a reported size of zero, up to maxBytes', async () => {
    const status = await readConfinedFile('unrestricted', `/proc/${process.pid}/status`);
    expect(status.ok && Buffer.from(status.bytes).toString()).toContain(`Pid:\t${process.pid}`);
    expect(await readConfinedFile('unrestricted', `/proc/${process.pid}/status`, { maxBytes: 10 })).toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
  });

  test.runIf(isRoot)('refuses a hard link to the file of another user by default', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(outside, 'theirs'), 's');
    chownSync(join(outside, 'theirs'), 65_534, 65_534);
    linkSync(join(outside, 'theirs'), join(root, 'hard'));
    expect(await readText(root, 'hard')).toBe('HARD_LINKED');
    expect(await readConfinedFile([root], join(root, 'hard'), { hardLinks: 'allow' })).toMatchObject({ ok: true });
  });

  test('reads hard links of the same user, returns their number, and refuses them on request', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(outside, 'mine'), 's');
    linkSync(join(outside, 'mine'), join(root, 'hard'));
    expect(await readConfinedFile([root], join(root, 'hard'))).toMatchObject({ ok: true, hardLinks: 2 });
    expect(await readConfinedFile([root], join(root, 'hard'), { hardLinks: 'refuse' })).toMatchObject({
      code: 'HARD_LINKED',
    });
  });

  test('returns ACCESS_DENIED without permission', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 's');
    chmodSync(join(root, 'a'), 0);
    await asUnprivilegedUser(root, async () => {
      expect(await readText(root, 'a')).toBe('ACCESS_DENIED');
    });
  });

  test.runIf(isLinux)('traverses a directory with execute permission only', async () => {
    const { root } = makeRoot();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a'), 'through');
    chmodSync(join(root, 'd'), 0o111);
    await asUnprivilegedUser(root, async () => {
      expect(await readText(root, 'd/a')).toBe('through');
    });
    chmodSync(join(root, 'd'), 0o755);
  });
});

describe('openConfined', () => {
  test('reads parts of a file larger than memory should hold', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'big'), 'head');
    truncateSync(join(root, 'big'), 2 ** 31);
    appendFileSync(join(root, 'big'), 'tail');
    const file = await openConfined([root], join(root, 'big'));
    if (!file.ok) throw new Error(file.message);
    expect(Buffer.from(await file.read(0, 4)).toString()).toBe('head');
    expect(Buffer.from(await file.read(2 ** 31, 100)).toString()).toBe('tail');
    expect(await file.read(2 ** 31 + 4, 100)).toHaveLength(0);
    expect(await file.read(2 ** 40, 100)).toHaveLength(0);
    file.close();
  });

  test('stops at the size that the file had when it was opened', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'log'), 'first');
    const file = await openConfined([root], join(root, 'log'));
    if (!file.ok) throw new Error(file.message);
    appendFileSync(join(root, 'log'), 'second');
    expect(Buffer.from(await file.read(0, 100)).toString()).toBe('first');
    file.close();
  });

  test('returns the remaining content of a file that shrank', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'log'), 'a longer text');
    const file = await openConfined([root], join(root, 'log'));
    if (!file.ok) throw new Error(file.message);
    truncateSync(join(root, 'log'), 8);
    expect(Buffer.from(await file.read(0, 100)).toString()).toBe('a longer');
    file.close();
  });

  test('closes once, even during a read, and rejects later reads', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'content');
    const file = await openConfined([root], join(root, 'a'));
    if (!file.ok) throw new Error(file.message);
    const reading = file.read(0, 100);
    file.close();
    file.close();
    expect(Buffer.from(await reading).toString()).toBe('content');
    await expect(file.read(0, 1)).rejects.toThrow(TypeError);
  });

  test.runIf(isLinux)('leaves no descriptor open after success or failure', async () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(root, 'd/e'), { recursive: true });
    writeFileSync(join(root, 'd/e/a'), 'x');
    symlinkSync(outside, join(root, 'away'));
    const count = (): number => readdirSync('/proc/self/fd').length;
    const before = count();
    for (const path of ['d/e/a', 'd/e', 'd/gone', 'd/e/a/x', 'away/x', 'd/e/a/']) {
      for (let round = 0; round < 5; round += 1) await readText(root, path);
    }
    expect(count()).toBe(before);
  });
});
