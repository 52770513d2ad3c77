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
  ])('reads %j below the working directory', (path, expected) => {
    const { root } = makeRoot();
    expect(resolvePath(root, path)).toBe(join(root, expected));
  });

  test('expands the home directory, also after a mention', () => {
    expect(resolvePath('/w', '~')).toBe(homedir());
    expect(resolvePath('/w', '~/x')).toBe(join(homedir(), 'x'));
    expect(resolvePath('/w', '@~/x')).toBe(join(homedir(), 'x'));
  });

  test('decodes file URLs, and leaves those that name another host as they are', () => {
    expect(resolvePath('/w', pathToFileURL('/r/a b.txt').href)).toBe('/r/a b.txt');
    expect(resolvePath('/w', 'FILE:///r/x')).toBe('/r/x');
    expect(resolvePath('/w', 'file://host/share')).toBe('/w/file:/host/share');
    expect(resolvePath('/w', 'file:///a%00b')).toContain('\0');
    expect(resolvePath('/w', 'file:///a%2Fb')).toBe('/w/file:/a%2Fb');
  });

  test('keeps a leading @ that belongs to an existing name', () => {
    const { root } = makeRoot();
    writeFileSync(join(root, '@note'), '');
    writeFileSync(join(root, 'note'), '');
    mkdirSync(join(root, '@types'));
    mkdirSync(join(root, 'src'));
    expect(resolvePath(root, '@note')).toBe(join(root, '@note'));
    expect(resolvePath(root, '@types/new.ts')).toBe(join(root, '@types/new.ts'));
    expect(resolvePath(root, '@src')).toBe(join(root, 'src'));
  });

  test('takes the parent of what a link points to, as the system does', () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(outside, 'deep'));
    mkdirSync(join(root, 'real/inner'), { recursive: true });
    symlinkSync(join(outside, 'deep'), join(root, 'away'));
    symlinkSync('real/inner', join(root, 'near'));
    expect(resolvePath(root, 'away/../x')).toBe(join(outside, 'x'));
    expect(resolvePath(root, 'near/../x')).toBe(join(root, 'real/x'));
    expect(resolvePath(root, 'real/inner/../../x')).toBe(join(root, 'x'));
  });

  test('keeps a separator at the end of what is not a directory', () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a.txt'), '');
    expect(resolvePath(root, 'a.txt/')).toBe(`${join(root, 'a.txt')}/`);
    expect(resolvePath(root, 'missing/')).toBe(`${join(root, 'missing')}/`);
    expect(resolvePath(root, './')).toBe(root);
  });

  test('passes a NUL on for confine to refuse', () => {
    expect(resolvePath('/w', '@a\0b')).toContain('\0');
  });
});
