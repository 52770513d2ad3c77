import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  createConfinedDirectory,
  removeConfined,
  renameConfined,
  type RenameConfinedOptions,
} from './confined-change.ts';
import { createConfinedLink } from './confined-link.ts';
import { setConfinedMode } from './confined-mode.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';

async function remove(root: string, path: string): Promise<string> {
  const done = await removeConfined([root], `${root}/${path}`);
  return done.ok ? 'ok' : done.code;
}

async function rename(root: string, from: string, to: string, options?: RenameConfinedOptions): Promise<string> {
  const done = await renameConfined([root], `${root}/${from}`, `${root}/${to}`, options);
  return done.ok ? 'ok' : done.code;
}

describe('removeConfined', () => {
  test('removes files, pipes and empty directories', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), '');
    mkdirSync(join(root, 'd'));
    mkdirSync(join(root, 'e'));
    execFileSync('mkfifo', [join(root, 'p')]);
    for (const path of ['a', 'd', 'e/', 'p']) expect(await remove(root, path)).toBe('ok');
    expect(readdirSync(root)).toEqual([]);
  });

  test('removes a link, not its target', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(outside, 'secret'), 'kept');
    symlinkSync(join(outside, 'secret'), join(root, 'link'));
    expect(await remove(root, 'link')).toBe('ok');
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('kept');
  });

  test('refuses paths outside, full directories, files named as directories, and the root', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(outside, 'secret'), 'kept');
    symlinkSync(outside, join(root, 'away'));
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a'), '');
    expect(await remove(root, 'away/secret')).toBe('OUTSIDE_ROOTS');
    expect(await remove(root, '../outside/secret')).toBe('OUTSIDE_ROOTS');
    expect(await remove(root, 'd')).toBe('DIRECTORY_NOT_EMPTY');
    expect(await remove(root, 'd/a/')).toBe('NOT_DIRECTORY');
    expect(await remove(root, 'gone')).toBe('NOT_FOUND');
    expect(await remove(root, '')).toBe('OUTSIDE_ROOTS');
    expect(existsSync(join(outside, 'secret'))).toBe(true);
    expect(existsSync(join(root, 'd/a'))).toBe(true);
  });
});

describe('renameConfined', () => {
  test('moves files and directories and creates missing parents', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'x');
    expect(await rename(root, 'a', 'n/b')).toBe('ok');
    expect(await rename(root, 'n', 'm')).toBe('ok');
    expect(readFileSync(join(root, 'm/b'), 'utf8')).toBe('x');
    expect(readdirSync(root)).toEqual(['m']);
  });

  test('does not replace an existing entry by default', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), 'a');
    writeFileSync(join(root, 'b'), 'b');
    mkdirSync(join(root, 'd'));
    mkdirSync(join(root, 'e'));
    expect(await rename(root, 'a', 'b')).toBe('ALREADY_EXISTS');
    expect(await rename(root, 'd', 'e')).toBe('ALREADY_EXISTS');
    expect(readFileSync(join(root, 'b'), 'utf8')).toBe('b');
    expect(await rename(root, 'a', 'b', { overwrite: true })).toBe('ok');
    expect(readFileSync(join(root, 'b'), 'utf8')).toBe('a');
  });

  test('confines both paths and does not move the root', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(root, 'a'), 'a');
    writeFileSync(join(outside, 'secret'), 's');
    symlinkSync(outside, join(root, 'away'));
    expect(await rename(root, 'a', 'away/a')).toBe('OUTSIDE_ROOTS');
    expect(await rename(root, 'a', '../outside/a')).toBe('OUTSIDE_ROOTS');
    expect(await rename(root, 'away/secret', 'b')).toBe('OUTSIDE_ROOTS');
    expect(await rename(root, '', 'b')).toBe('OUTSIDE_ROOTS');
    expect(await rename(root, 'gone', 'b')).toBe('NOT_FOUND');
    expect(await rename(root, 'a', 'b/')).toBe('NOT_DIRECTORY');
    expect(await rename(root, 'a', 'b/c', { createParents: false })).toBe('NOT_FOUND');
    expect(readdirSync(outside)).toEqual(['secret']);
    expect(readdirSync(root)).toEqual(['a', 'away']);
  });

  test('does not move a directory into itself', async () => {
    const { root } = makeRoot();
    mkdirSync(join(root, 'd'));
    expect(await rename(root, 'd', 'd/e')).toBe('WRITE_ERROR');
  });
});

describe('createConfinedDirectory', () => {
  test('creates parents, accepts an existing directory, and refuses a file and paths outside', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(root, 'a'), '');
    symlinkSync(outside, join(root, 'away'));
    expect(await createConfinedDirectory([root], join(root, 'd/e'))).toEqual({ ok: true, path: join(root, 'd/e') });
    expect(await createConfinedDirectory([root], `${root}/d/e/`)).toMatchObject({ ok: true });
    expect(await createConfinedDirectory([root], join(root, 'a'))).toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(await createConfinedDirectory([root], join(root, 'away/d'))).toMatchObject({ code: 'OUTSIDE_ROOTS' });
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe('createConfinedLink', () => {
  test('creates a link with the given text, and refuses existing names and paths outside', async () => {
    const { root, outside } = makeRoot();
    expect(await createConfinedLink([root], join(root, 'd/link'), '../../outside')).toMatchObject({ ok: true });
    expect(readlinkSync(join(root, 'd/link'))).toBe('../../outside');
    expect(await createConfinedLink([root], join(root, 'd/link'), 'a')).toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(await createConfinedLink([root], join(root, 'd/link/in'), 'a')).toMatchObject({ code: 'OUTSIDE_ROOTS' });
    expect(await createConfinedLink([root], join(root, '.git/hooks/x'), 'a')).toMatchObject({ code: 'PROTECTED_PATH' });
    expect(readdirSync(outside)).toEqual([]);
  });
});

describe('setConfinedMode', () => {
  test('sets the mode of files and directories, even unreadable ones, but not through links', async () => {
    const { root, outside } = makeRoot();
    const secret = join(outside, 'secret');
    writeFileSync(secret, '', { mode: 0o600 });
    writeFileSync(join(root, 'a'), '', { mode: 0o000 });
    mkdirSync(join(root, 'd'));
    symlinkSync(secret, join(root, 'link'));
    expect(await setConfinedMode([root], join(root, 'a'), 0o754)).toMatchObject({ ok: true });
    expect(await setConfinedMode([root], join(root, 'd'), 0o500)).toMatchObject({ ok: true });
    expect(statSync(join(root, 'a')).mode & 0o777).toBe(0o754);
    expect(statSync(join(root, 'd')).mode & 0o777).toBe(0o500);
    expect(await setConfinedMode([root], join(root, 'link'), 0o777)).toMatchObject({ ok: false });
    expect(await setConfinedMode([root], join(root, 'gone'), 0o777)).toMatchObject({ code: 'NOT_FOUND' });
    expect(await setConfinedMode([root], secret, 0o777)).toMatchObject({ code: 'OUTSIDE_ROOTS' });
    expect(statSync(secret).mode & 0o777).toBe(0o600);
  });
});
