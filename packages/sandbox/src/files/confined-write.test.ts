import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfinedFile } from './confined-read.ts';
import { writeConfinedFile, type WriteConfinedOptions } from './confined-write.ts';
import { hashContent } from './content-hash.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';
import { asUnprivilegedUser, isRoot } from '../fixtures/unprivileged-user.ts';

/** Returns the error code, or `ok`. */
async function write(root: string, path: string, text: string, options?: WriteConfinedOptions): Promise<string> {
  const done = await writeConfinedFile([root], `${root}/${path}`, Buffer.from(text), options);
  return done.ok ? 'ok' : done.code;
}

describe('writeConfinedFile', () => {
  test('creates a file with its parents and default permissions, without leftovers', async () => {
    const { root } = makeRoot();
    const written = await writeConfinedFile([root], join(root, 'a/b/c'), Buffer.from('text'));
    expect(written).toEqual({
      ok: true,
      path: join(root, 'a/b/c'),
      created: true,
      bytesWritten: 4,
      hash: hashContent('text'),
    });
    expect(readFileSync(join(root, 'a/b/c'), 'utf8')).toBe('text');
    expect(statSync(join(root, 'a/b/c')).mode & 0o777).toBe(0o666 & ~process.umask());
    expect(readdirSync(join(root, 'a/b'))).toEqual(['c']);
  });

  test('creates no parents with createParents: false', async () => {
    const { root } = makeRoot();
    expect(await write(root, 'a/b', 'x', { createParents: false })).toBe('NOT_FOUND');
    expect(readdirSync(root)).toEqual([]);
  });

  test('replaces a file and retains its permission bits, but never setuid', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'old');
    chmodSync(join(root, 'a'), 0o4751);
    expect(await writeConfinedFile([root], join(root, 'a'), Buffer.from('new'))).toMatchObject({
      ok: true,
      created: false,
    });
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('new');
    expect(statSync(join(root, 'a')).mode & 0o7777).toBe(0o751);
  });

  test('replaces a running program', async () => {
    const { root } = makeRoot();
    const path = join(root, 'sleep');
    copyFileSync('/bin/sleep', path);
    const running = spawn(path, ['60'], { stdio: 'ignore' });
    await once(running, 'spawn');
    expect(await write(root, 'sleep', 'new')).toBe('ok');
    running.kill();
    await once(running, 'exit');
  });

  test.runIf(isRoot)('retains the owner', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'old');
    chownSync(join(root, 'a'), 1_234, 2_345);
    expect(await write(root, 'a', 'new')).toBe('ok');
    expect(statSync(join(root, 'a'))).toMatchObject({ uid: 1_234, gid: 2_345 });
  });

  test('writes an empty file', async () => {
    const { root } = makeRoot();
    expect(await write(root, 'a', '')).toBe('ok');
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('');
  });

  test.each([
    ['', 'IS_DIRECTORY'],
    ['d', 'IS_DIRECTORY'],
    ['new/', 'IS_DIRECTORY'],
    ['a/', 'NOT_DIRECTORY'],
    ['a/b', 'NOT_DIRECTORY'],
    ['../outside/x', 'OUTSIDE_ROOTS'],
    ['d/../../outside/x', 'OUTSIDE_ROOTS'],
    ['n/../../outside/x', 'OUTSIDE_ROOTS'],
    ['x\0', 'INVALID_PATH'],
    ['x'.repeat(256), 'NAME_TOO_LONG'],
    [`n/${'x'.repeat(256)}`, 'NAME_TOO_LONG'],
    [`${'n/'.repeat(2_100)}x`, 'NAME_TOO_LONG'],
  ])('for %j, returns %s and creates nothing', async (path, code) => {
    const { root, outside } = makeRoot();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'a'), 'kept');
    expect(await write(root, path, 'x')).toBe(code);
    expect(readdirSync(root)).toEqual(['a', 'd']);
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('kept');
    expect(readdirSync(outside)).toEqual([]);
  });

  test('writes a file with a name of 255 bytes', async () => {
    const { root } = makeRoot();
    expect(await write(root, 'x'.repeat(255), 'x')).toBe('ok');
  });

  test.each([
    ['a link to a file outside', 'secret', ''],
    ['a dangling link to outside', 'gone', ''],
    ['a new file below a link to outside', '', '/new'],
    ['new directories below a link to outside', '', '/new/deep/file'],
    ['a file below a dangling link to outside', 'gone', '/deep/file'],
  ])('refuses %s', async (_what, target, rest) => {
    const { root, outside } = makeRoot();
    writeFileSync(join(outside, 'secret'), 'kept');
    symlinkSync(join(outside, target), join(root, 'link'));
    for (const followLinks of [false, true]) {
      expect(await write(root, `link${rest}`, 'x', { followLinks })).toBe(
        rest === '' && !followLinks ? 'SYMLINK_REFUSED' : 'OUTSIDE_ROOTS',
      );
    }
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('kept');
  });

  test('follows a link inside the roots only with followLinks, and retains the link', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'real'), 'old');
    symlinkSync('real', join(root, 'link'));
    expect(await write(root, 'link', 'x')).toBe('SYMLINK_REFUSED');
    expect(readFileSync(join(root, 'real'), 'utf8')).toBe('old');
    expect(await write(root, 'link', 'new', { followLinks: true })).toBe('ok');
    expect(readFileSync(join(root, 'real'), 'utf8')).toBe('new');
    expect(lstatSync(join(root, 'link')).isSymbolicLink()).toBe(true);
  });

  test('refuses a file with several names; with allowHardLinks the other names retain the old content', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(outside, 'other'), 'kept');
    linkSync(join(outside, 'other'), join(root, 'hard'));
    expect(await write(root, 'hard', 'x')).toBe('HARD_LINKED');
    expect(await write(root, 'hard', 'new', { allowHardLinks: true })).toBe('ok');
    expect(readFileSync(join(outside, 'other'), 'utf8')).toBe('kept');
    expect(readFileSync(join(root, 'hard'), 'utf8')).toBe('new');
  });

  test('returns ACCESS_DENIED in a directory without write permission and does not change the file', async () => {
    const { root } = makeRoot();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a'), 'kept');
    chmodSync(join(root, 'd'), 0o555);
    await asUnprivilegedUser(root, async () => {
      expect(await write(root, 'd/a', 'x')).toBe('ACCESS_DENIED');
      expect(await write(root, 'd/new', 'x')).toBe('ACCESS_DENIED');
      // The file itself might be writable, but not atomically.
      for (const [name, hint] of [
        ['a', /^The directory of the file is not writable, so the file cannot be replaced\./],
        ['new', /^The directory is not writable\. Choose another directory\.$/],
      ] as const)
        expect(await writeConfinedFile([root], join(root, 'd', name), Buffer.from('x'))).toMatchObject({
          message: expect.stringContaining('The directory of'),
          hint: expect.stringMatching(hint),
        });
    });
    chmodSync(join(root, 'd'), 0o755);
    expect(readdirSync(join(root, 'd'))).toEqual(['a']);
    expect(readFileSync(join(root, 'd/a'), 'utf8')).toBe('kept');
  });

  test('does not write to a directory that is moved out of the root meanwhile', async () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a'), 'kept');
    // Large enough for more than one turn of the event loop.
    const writing = writeConfinedFile([root], join(root, 'd/a'), Buffer.alloc(4_000_000, 'x'));
    renameSync(join(root, 'd'), join(outside, 'd'));
    expect(await writing).toMatchObject({ ok: false, code: 'OUTSIDE_ROOTS' });
    expect(readdirSync(join(outside, 'd'))).toEqual(['a']);
    expect(readFileSync(join(outside, 'd/a'), 'utf8')).toBe('kept');
  });

  test('does not replace a read-only file', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'kept', { mode: 0o444 });
    await asUnprivilegedUser(root, async () => {
      expect(await write(root, 'a', 'x')).toBe('ACCESS_DENIED');
    });
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('kept');
  });
});

describe('writeConfinedFile with expectedHash', () => {
  test('writes if the hash matches and refuses otherwise', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'one');
    expect(await write(root, 'a', 'two', { expectedHash: hashContent('one') })).toBe('ok');
    expect(await write(root, 'a', 'three', { expectedHash: hashContent('one') })).toBe('CHANGED_ON_DISK');
    expect(await write(root, 'gone', 'x', { expectedHash: hashContent('one') })).toBe('CHANGED_ON_DISK');
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('two');
    expect(readdirSync(root)).toEqual(['a']);
  });

  test('expects no file if the hash is null, not even an empty one', async () => {
    const { root } = makeRoot();
    expect(await write(root, 'a', '', { expectedHash: null })).toBe('ok');
    expect(await write(root, 'a', 'x', { expectedHash: null })).toBe('CHANGED_ON_DISK');
    expect(await write(root, 'a', 'x', { expectedHash: hashContent('') })).toBe('ok');
  });

  test('lets exactly one of many writers create a file', async () => {
    const { root } = makeRoot();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => write(root, 'a', `${index}`, { expectedHash: null })),
    );
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'CHANGED_ON_DISK')).toHaveLength(19);
    expect(readdirSync(root)).toEqual(['a']);
  });

  test('loses no change when many writers retry', async () => {
    const { root } = makeRoot();
    const path = join(root, 'log');
    writeFileSync(path, '');
    const append = async (line: string): Promise<void> => {
      for (;;) {
        const found = await readConfinedFile([root], path);
        if (!found.ok) throw new Error(found.message);
        const next = Buffer.concat([found.bytes, Buffer.from(`${line}\n`)]);
        const done = await writeConfinedFile([root], path, next, { expectedHash: hashContent(found.bytes) });
        if (done.ok) return;
        expect(done.code).toBe('CHANGED_ON_DISK');
      }
    };
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    await Promise.all(lines.map(append));
    expect(readFileSync(path, 'utf8').trimEnd().split('\n').sort()).toEqual(lines.sort());
  });
});

test('writeConfinedFile leaves the old or the new file when it is killed, never a partial one', async () => {
  const { root } = makeRoot();
  const path = join(root, 'a');
  const sizes = new Set([1_000_000, 1_500_000]);
  writeFileSync(path, Buffer.alloc(1_000_000, 'a'));
  const script = `
    const { writeConfinedFile } = await import(${JSON.stringify(new URL('./confined-write.ts', import.meta.url).href)});
    const contents = [Buffer.alloc(1_000_000, 'a'), Buffer.alloc(1_500_000, 'b')];
    process.stdout.write('ready');
    for (let round = 0; ; round += 1) await writeConfinedFile([${JSON.stringify(root)}], ${JSON.stringify(path)}, contents[round % 2]);
  `;
  for (let round = 0; round < 3; round += 1) {
    const writer = spawn(process.execPath, ['--input-type=module', '--conditions=@haft/source', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(writer.stdout, 'data');
    for (let read = 0; read < 40; read += 1) {
      const found = await readConfinedFile([root], path);
      if (!found.ok) throw new Error(found.message);
      expect(sizes.has(found.bytes.length)).toBe(true);
      expect(found.bytes[0]).toBe(found.bytes.at(-1));
    }
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const left = readFileSync(path);
    expect(sizes.has(left.length)).toBe(true);
    expect(left[0]).toBe(left.at(-1));
  }
  expect(existsSync(path)).toBe(true);
});
