import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { setAside } from './set-aside.ts';

let folder: string;
let path: string;
let inode: bigint;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'haft-store-'));
  path = join(folder, 'haft.db');
  for (const end of ['', '-wal', '-shm', '-journal']) writeFileSync(path + end, `damaged${end}`);
  inode = statSync(path, { bigint: true }).ino;
});
afterEach(() => rm(folder, { recursive: true }));

const makeNew = (): void => writeFileSync(path, 'new');
const textOf = (end: string): string => readFileSync(path + end, 'utf8');

describe('setAside', () => {
  it('renames a file with all that belongs to it, so that its parts still find each other', () => {
    expect(setAside(path, inode, makeNew)).toBe(`${path}.corrupt-1`);
    for (const end of ['', '-wal', '-shm', '-journal']) expect(textOf(`.corrupt-1${end}`)).toBe(`damaged${end}`);
    expect(textOf('')).toBe('new');
    expect(readdirSync(folder).length).toBe(5);
  });

  it('takes the first number of which nothing is left', () => {
    writeFileSync(`${path}.corrupt-1`, 'the first');
    writeFileSync(`${path}.corrupt-2-wal`, 'a log of the second');
    expect(setAside(path, inode, makeNew)).toBe(`${path}.corrupt-3`);
    expect([textOf('.corrupt-1'), textOf('.corrupt-2-wal')]).toEqual(['the first', 'a log of the second']);
  });

  it('leaves a file alone that has taken the place of the damaged one', () => {
    expect(setAside(path, inode + 1n, makeNew)).toBe(undefined);
    expect([textOf(''), textOf('-wal'), existsSync(`${path}.setting-aside`)]).toEqual([
      'damaged',
      'damaged-wal',
      false,
    ]);
  });

  it('leaves it to another program that is about to do it, unless that has died over it', () => {
    const mark = `${path}.setting-aside`;
    mkdirSync(mark);
    expect(setAside(path, inode, makeNew)).toBe(undefined);
    expect([textOf(''), existsSync(mark)]).toEqual(['damaged', true]);
    utimesSync(mark, new Date(0), new Date(0));
    expect([setAside(path, inode, makeNew), existsSync(mark)]).toEqual([undefined, false]);
    expect(setAside(path, inode, makeNew)).toBe(`${path}.corrupt-1`);
  });

  it('does not keep its mark when the new file can not be made', () => {
    const fail = (): void => {
      throw new Error('no room');
    };
    expect(() => setAside(path, inode, fail)).toThrow('no room');
    expect(readdirSync(folder).filter((name) => name.includes('setting-aside'))).toEqual([]);
  });
});
