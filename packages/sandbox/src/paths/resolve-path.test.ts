import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, test } from 'vitest';
import { makeRoot } from '../fixtures/temporary-directory.ts';
import { resolvePath, stripMentionPrefix } from './resolve-path.ts';

describe('stripMentionPrefix', () => {
  test.each([
    ['@src/a.ts', 'src/a.ts'],
    ['@@a', '@a'],
    ['a@b', 'a@b'],
    ['@', '@'],
    ['', ''],
  ])('turns %j into %j', (path, expected) => {
    expect(stripMentionPrefix(path)).toBe(expected);
  });
});

describe('resolvePath', () => {
  test('takes the working directory and the path by name, so that they cannot be swapped', () => {
    const { root } = makeRoot();
    expect(resolvePath({ cwd: root, path: 'a.txt' })).toBe(resolvePath({ path: 'a.txt', cwd: root }));
    const positional = resolvePath as unknown as (cwd: string, path: string) => string;
    expect(() => positional(root, 'a.txt')).toThrow(
      /^resolvePath: invalid \(expected an object such as { cwd: '\/project', path: 'notes.txt' }, got /,
    );
    expect(() => resolvePath({ path: 'a.txt' } as never)).toThrow(
      'cwd: invalid (expected a string such as "/project", got undefined)',
    );
    expect(() => resolvePath({ cwd: root } as never)).toThrow('path: invalid (expected a string');
  });

  test.each([
    ['a.txt', 'a.txt'],
    ['./a//b/./c', 'a/b/c'],
    ['a/../b', 'b'],
    ['', ''],
    ['.', ''],
    ['@a.txt', 'a.txt'],
    ['$HOME/x', '$HOME/x'],
    ['%2e%2e/x', '%2e%2e/x'],
    ['~user/x', '~user/x'],
    ['..foo', '..foo'],
    ['back\\slash', 'back\\slash'],
    ['．．／x', '．．／x'],
    ['"quoted"', '"quoted"'],
    ['file:relative', 'file:relative'],
    ['line\nbreak', 'line\nbreak'],
  ])('resolves %j relative to the working directory', (path, expected) => {
    const { root } = makeRoot();
    expect(resolvePath({ cwd: root, path })).toBe(join(root, expected));
  });

  test('expands the home directory, also after a mention prefix', () => {
    expect(resolvePath({ cwd: '/w', path: '~' })).toBe(homedir());
    expect(resolvePath({ cwd: '/w', path: '~/x' })).toBe(join(homedir(), 'x'));
    expect(resolvePath({ cwd: '/w', path: '@~/x' })).toBe(join(homedir(), 'x'));
  });

  test('decodes file URLs, except those with a host name', () => {
    expect(resolvePath({ cwd: '/w', path: pathToFileURL('/r/a b.txt').href })).toBe('/r/a b.txt');
    expect(resolvePath({ cwd: '/w', path: 'FILE:///r/x' })).toBe('/r/x');
    expect(resolvePath({ cwd: '/w', path: 'file://host/share' })).toBe('/w/file:/host/share');
    expect(resolvePath({ cwd: '/w', path: 'file:///a%00b' })).toContain('\0');
    expect(resolvePath({ cwd: '/w', path: 'file:///a%2Fb' })).toBe('/w/file:/a%2Fb');
  });

  test('retains a leading @ that belongs to an existing name', () => {
    const { root } = makeRoot();
    writeFileSync(join(root, '@note'), '');
    writeFileSync(join(root, 'note'), '');
    mkdirSync(join(root, '@types'));
    mkdirSync(join(root, 'src'));
    expect(resolvePath({ cwd: root, path: '@note' })).toBe(join(root, '@note'));
    expect(resolvePath({ cwd: root, path: '@types/new.ts' })).toBe(join(root, '@types/new.ts'));
    expect(resolvePath({ cwd: root, path: '@src' })).toBe(join(root, 'src'));
  });

  test('resolves ".." after a link to the parent of its target, like the system', () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(outside, 'deep'));
    mkdirSync(join(root, 'real/inner'), { recursive: true });
    symlinkSync(join(outside, 'deep'), join(root, 'away'));
    symlinkSync('real/inner', join(root, 'near'));
    expect(resolvePath({ cwd: root, path: 'away/../x' })).toBe(join(outside, 'x'));
    expect(resolvePath({ cwd: root, path: 'near/../x' })).toBe(join(root, 'real/x'));
    expect(resolvePath({ cwd: root, path: 'real/inner/../../x' })).toBe(join(root, 'x'));
  });

  test('retains a trailing separator unless the path is a directory', () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a.txt'), '');
    expect(resolvePath({ cwd: root, path: 'a.txt/' })).toBe(`${join(root, 'a.txt')}/`);
    expect(resolvePath({ cwd: root, path: 'missing/' })).toBe(`${join(root, 'missing')}/`);
    expect(resolvePath({ cwd: root, path: './' })).toBe(root);
  });

  test('passes a NUL through for confine to reject', () => {
    expect(resolvePath({ cwd: '/w', path: '@a\0b' })).toContain('\0');
  });
});
