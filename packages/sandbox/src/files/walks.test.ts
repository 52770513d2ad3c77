import { mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ConfinedDirectory, Walk } from './walk/walk.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';
import { walkByDescriptor } from './walk/walk-by-descriptor.ts';
import { walkByPath } from './walk/walk-by-path.ts';

function opened(walk: Walk): ConfinedDirectory {
  if (walk === 'swapped' || !walk.ok) throw new Error(`Not opened: ${JSON.stringify(walk)}`);
  return walk;
}

const walks = [
  ['by path', walkByPath] as const,
  ...(process.platform === 'linux' ? [['by descriptor', walkByDescriptor] as const] : []),
];

describe.each(walks)('a walk %s', (_name, walk) => {
  test('opens a directory at any depth', () => {
    const { root } = makeRoot();
    mkdirSync(join(root, 'd/e'), { recursive: true });
    writeFileSync(join(root, 'd/e/a'), 'x');
    const directory = opened(walk(root, ['d', 'e'], false));
    expect(directory.path).toBe(join(root, 'd/e'));
    expect(readFileSync(directory.at('a'), 'utf8')).toBe('x');
    expect(directory.isConfined()).toBe(true);
    directory.close();
    const same = opened(walk(root, [], false));
    expect(same.path).toBe(root);
    same.close();
  });

  test('creates directories on request', () => {
    const { root } = makeRoot();
    opened(walk(root, ['d', 'e'], true)).close();
    opened(walk(root, ['d', 'e', 'f'], true)).close();
    opened(walk(root, ['d', 'e', 'f'], false)).close();
    expect(walk(root, ['gone'], false)).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('stops at any link and creates nothing beyond it', () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(root, 'd'));
    symlinkSync(outside, join(root, 'away'));
    symlinkSync('d', join(root, 'near'));
    symlinkSync(join(outside, 'gone'), join(root, 'dangling'));
    for (const link of ['away', 'near', 'dangling']) {
      for (const create of [false, true]) {
        expect(walk(root, [link], create)).toBe('swapped');
        expect(walk(root, [link, 'x'], create)).toBe('swapped');
      }
    }
    opened(walk(outside, [], false)).close();
    expect(walk(outside, ['x'], false)).toMatchObject({ code: 'NOT_FOUND' });
    expect(walk(outside, ['gone'], false)).toMatchObject({ code: 'NOT_FOUND' });
  });

  test('stops at a file', () => {
    const { root } = makeRoot();
    writeFileSync(join(root, 'a'), '');
    expect(walk(root, ['a'], false)).toMatchObject({ code: 'NOT_DIRECTORY' });
    expect(walk(root, ['a', 'b'], true)).toMatchObject({ code: 'NOT_DIRECTORY' });
  });

  test('detects that the directory was moved out of its root', () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(root, 'd'));
    const directory = opened(walk(root, ['d'], false));
    renameSync(join(root, 'd'), join(outside, 'd'));
    expect(directory.isConfined()).toBe(false);
    directory.close();
  });
});

test('a directory opened by path is no longer confined after a link has replaced it', () => {
  const { root, outside } = makeRoot();
  mkdirSync(join(root, 'd'));
  const directory = opened(walkByPath(root, ['d'], false));
  renameSync(join(root, 'd'), join(root, 'moved'));
  symlinkSync(outside, join(root, 'd'));
  expect(directory.isConfined()).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'a directory opened by descriptor remains valid after a link has replaced it',
  () => {
    const { root, outside } = makeRoot();
    mkdirSync(join(root, 'd'));
    const directory = opened(walkByDescriptor(root, ['d'], false));
    renameSync(join(root, 'd'), join(root, 'moved'));
    symlinkSync(outside, join(root, 'd'));
    writeFileSync(directory.at('a'), 'x');
    expect(readFileSync(join(root, 'moved/a'), 'utf8')).toBe('x');
    expect(directory.isConfined()).toBe(true);
    directory.close();
  },
);
