import { linkSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { confine } from './confine.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';
import { resolvePath } from './resolve-path.ts';

/** Returns the error code, or the path below the root. */
async function outcome(root: string, target: string): Promise<string> {
  const found = await confine([root], target.startsWith('/') ? target : join(root, target));
  return found.ok ? found.path.slice(realpathSync(root).length) || '/' : found.code;
}

describe('confine with ordinary paths', () => {
  test.each([
    ['a/../ok', '/ok'],
    ['..foo', '/..foo'],
    ['..foo/bar', '/..foo/bar'],
    ['...', '/...'],
    ['missing/deep/file', '/missing/deep/file'],
    ['．．/x', '/．．/x'],
    ['a\\..\\..\\b', '/a\\..\\..\\b'],
    ['line\nbreak', '/line\nbreak'],
    ['C:\\x', '/C:\\x'],
    ['.', '/'],
    ['nul', '/nul'],
  ])('allows %j', async (path, expected) => {
    expect(await outcome(makeRoot().root, path)).toBe(expected);
  });

  test.each([
    ['../outside/x', 'OUTSIDE_ROOTS'],
    ['../../../etc/passwd', 'OUTSIDE_ROOTS'],
    ['missing/../../outside', 'OUTSIDE_ROOTS'],
    ['/etc/passwd', 'OUTSIDE_ROOTS'],
    ['/etc/passwd/x', 'OUTSIDE_ROOTS'],
    ['/nonexistent', 'OUTSIDE_ROOTS'],
    ['/', 'OUTSIDE_ROOTS'],
    ['a\0b', 'INVALID_PATH'],
    ['../outside\0', 'INVALID_PATH'],
    ['x'.repeat(256), 'NAME_TOO_LONG'],
    ['é'.repeat(128), 'NAME_TOO_LONG'],
    ['d/'.repeat(2_100), 'NAME_TOO_LONG'],
    [`/${'x'.repeat(300)}`, 'OUTSIDE_ROOTS'],
  ])('for %j, returns %s', async (path, code) => {
    const { root } = makeRoot();
    const target = path.startsWith('/') ? path : `${root}/${path}`;
    expect(await outcome(root, target)).toBe(code);
  });

  test('distinguishes the root from a sibling whose name starts with the same text', async () => {
    const { root } = makeRoot();
    mkdirSync(`${root}-evil`);
    expect(await outcome(root, `${root}-evil/x`)).toBe('OUTSIDE_ROOTS');
  });

  test('returns NOT_DIRECTORY for a path through a file', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'ok.txt'), '');
    expect(await outcome(root, `${root}/ok.txt/`)).toBe('NOT_DIRECTORY');
    expect(await outcome(root, `${root}/ok.txt/x`)).toBe('NOT_DIRECTORY');
  });

  test('rejects a relative path', async () => {
    expect(await confine('unrestricted', 'a')).toMatchObject({ ok: false, code: 'INVALID_PATH' });
  });

  test('does not show host paths to the model', async () => {
    const { root } = makeRoot();
    const refusal = await confine([root], '/etc/passwd');
    expect(refusal.ok ? '' : refusal.hint).not.toContain('/etc');
    expect(refusal.ok ? '' : refusal.hint).not.toContain(root);
  });

  test('does not reveal whether a path outside the roots exists', async () => {
    const { root, outside } = makeRoot();
    writeFileSync(join(outside, 'there'), '');
    const there = await confine([root], join(outside, 'there'));
    const absent = await confine([root], join(outside, 'gone'));
    expect(JSON.stringify(there).replace('there', '')).toBe(JSON.stringify(absent).replace('gone', ''));
  });
});

describe('confine with various roots', () => {
  test('denies every path if the list of roots is empty', async () => {
    expect(await confine([], '/')).toMatchObject({ ok: false, code: 'OUTSIDE_ROOTS' });
  });

  test('allows every path when unrestricted, and resolves links', async () => {
    const { root, outside } = makeRoot();
    symlinkSync(outside, join(root, 'away'));
    expect(await confine('unrestricted', join(root, 'away/x'))).toEqual({
      ok: true,
      path: join(outside, 'x'),
      root: '/',
    });
  });

  test('returns the innermost root that contains the path', async () => {
    const { root } = makeRoot();
    mkdirSync(join(root, 'inner'));
    const found = await confine([root, join(root, 'inner'), '/'], join(root, 'inner/x'));
    expect(found).toMatchObject({ ok: true, root: join(root, 'inner') });
  });

  test('resolves a root that is a link', async () => {
    const { root, outside } = makeRoot();
    symlinkSync(root, join(outside, 'alias'));
    expect(await confine([join(outside, 'alias')], join(root, 'x'))).toMatchObject({ ok: true, path: join(root, 'x') });
    expect(await confine([root], join(outside, 'alias/x'))).toMatchObject({ ok: true, path: join(root, 'x') });
  });

  test('accepts a single file as a root', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'only'), '');
    expect(await confine([join(root, 'only')], join(root, 'only'))).toMatchObject({ ok: true });
    expect(await confine([join(root, 'only')], join(root, 'other'))).toMatchObject({ code: 'OUTSIDE_ROOTS' });
  });

  test.each(['', '.', 'src'])('throws for the relative root %j', async (root) => {
    await expect(confine([root], '/x')).rejects.toThrow(TypeError);
  });
});

describe('confine with symbolic links', () => {
  test('follows links that stay inside the root', async () => {
    const { root } = makeRoot();
    mkdirSync(join(root, 'real'));
    symlinkSync('real', join(root, 'relative'));
    symlinkSync(join(root, 'real'), join(root, 'absolute'));
    symlinkSync(`../${root.split('/').at(-1)}/real`, join(root, 'around'));
    for (const name of ['relative', 'absolute', 'around']) expect(await outcome(root, `${name}/x`)).toBe('/real/x');
  });

  test.each([
    ['a file outside', 'secret', ''],
    ['a directory outside, then a child', '', '/secret'],
    ['a directory outside, then a new file', '', '/new'],
    ['a directory outside, then new directories', '', '/new/deep/file'],
    ['something outside that does not exist', 'gone', ''],
    ['something outside that does not exist, then a child', 'gone', '/x'],
  ])('denies a link to %s', async (_what, target, rest) => {
    const { root, outside } = makeRoot();
    writeFileSync(join(outside, 'secret'), 's');
    symlinkSync(join(outside, target), join(root, 'link'));
    expect(await outcome(root, `link${rest}`)).toBe('OUTSIDE_ROOTS');
  });

  test('denies a chain of links that ends outside', async () => {
    const { root, outside } = makeRoot();
    symlinkSync('two', join(root, 'one'));
    symlinkSync('three', join(root, 'two'));
    symlinkSync(outside, join(root, 'three'));
    expect(await outcome(root, 'one/x')).toBe('OUTSIDE_ROOTS');
  });

  test('resolves ".." after a link to the parent of its target', async () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(outside, 'deep'));
    symlinkSync(join(outside, 'deep'), join(root, 'away'));
    expect(await outcome(root, `${root}/away/../x`)).toBe('OUTSIDE_ROOTS');
  });

  test('resolves a dangling link to its target', async () => {
    const { root } = makeRoot();
    symlinkSync('missing/place', join(root, 'dangling'));
    expect(await outcome(root, 'dangling/x')).toBe('/missing/place/x');
  });

  test('returns SYMLINK_LOOP for a loop', async () => {
    const { root } = makeRoot();
    symlinkSync('b', join(root, 'a'));
    symlinkSync('a', join(root, 'b'));
    symlinkSync('self/self', join(root, 'self'));
    expect(await outcome(root, 'a')).toBe('SYMLINK_LOOP');
    expect(await outcome(root, 'self/x')).toBe('SYMLINK_LOOP');
  });

  test('refuses links whose number doubles at each step', async () => {
    const { root } = makeRoot();
    for (let level = 1; level < 30; level += 1) {
      symlinkSync(`l${level - 1}/../l${level - 1}`, join(root, `l${level}`));
    }
    mkdirSync(join(root, 'l0'));
    expect(await outcome(root, 'l29')).toBe('SYMLINK_LOOP');
  });
});

describe.skipIf(process.platform !== 'linux')('confine with kernel links', () => {
  test.each([
    (root: string) => `/proc/self/root${root}/ok`,
    (root: string) => `/proc/1/root${root}/ok`,
    () => '/proc/self/cwd/ok',
    () => '/proc/self/environ',
    () => '/proc/kcore',
    () => '/proc/self/mem',
    () => '/dev/fd/0',
    () => '/dev/stdin',
    () => '/dev/tcp/127.0.0.1/80',
  ])('denies path %#', async (path) => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'ok'), '');
    expect(await outcome(root, path(root))).toBe('OUTSIDE_ROOTS');
  });

  test('denies a link inside the root to /proc/self/root, even if it leads back inside', async () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'ok'), '');
    symlinkSync('/proc/self/root', join(root, 'magic'));
    expect(await outcome(root, `magic${root}/ok`)).toBe('OUTSIDE_ROOTS');
    expect(await outcome(root, 'magic/etc/passwd')).toBe('OUTSIDE_ROOTS');
  });
});

test('resolvePath and confine together reject hostile paths', async () => {
  const { root } = makeRoot();
  for (const path of [
    '../x',
    '@../x',
    '~/x',
    '@/etc/passwd',
    'file:///etc/passwd',
    'file:///%2e%2e/etc',
    '/etc/../etc/passwd',
  ]) {
    expect(await confine([root], resolvePath({ cwd: root, path })), path).toMatchObject({
      ok: false,
      code: 'OUTSIDE_ROOTS',
    });
  }
});

test('confine accepts hard links', async () => {
  const { root, outside } = makeRoot();
  writeFileSync(join(outside, 'secret'), '');
  linkSync(join(outside, 'secret'), join(root, 'hard'));
  expect(await outcome(root, 'hard')).toBe('/hard');
});
