import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { setAside } from './set-sqlite-file-aside.ts';

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

const createNew = (): void => writeFileSync(path, 'new');
const textOf = (end: string): string => readFileSync(path + end, 'utf8');

describe('setAside', () => {
  it('renames a file together with its companion files, so that SQLite still finds them', () => {
    expect(setAside(path, inode, createNew)).toBe(`${path}.corrupt-1`);
    for (const end of ['', '-wal', '-shm', '-journal']) expect(textOf(`.corrupt-1${end}`)).toBe(`damaged${end}`);
    expect(textOf('')).toBe('new');
    expect(readdirSync(folder).length).toBe(5);
  });

  it('uses the first number that no existing file uses', () => {
    writeFileSync(`${path}.corrupt-1`, 'the first');
    writeFileSync(`${path}.corrupt-2-wal`, 'a log of the second');
    expect(setAside(path, inode, createNew)).toBe(`${path}.corrupt-3`);
    expect([textOf('.corrupt-1'), textOf('.corrupt-2-wal')]).toEqual(['the first', 'a log of the second']);
  });

  it('does not rename a file that has replaced the damaged one', () => {
    expect(setAside(path, inode + 1n, createNew)).toBe(undefined);
    expect([textOf(''), textOf('-wal'), existsSync(`${path}.setting-aside`)]).toEqual([
      'damaged',
      'damaged-wal',
      false,
    ]);
  });

  it('does nothing while another program sets the file aside, unless that program died', () => {
    const lock = `${path}.setting-aside`;
    mkdirSync(lock);
    expect(setAside(path, inode, createNew)).toBe(undefined);
    expect([textOf(''), existsSync(lock)]).toEqual(['damaged', true]);
    utimesSync(lock, new Date(0), new Date(0));
    expect([setAside(path, inode, createNew), existsSync(lock)]).toEqual([undefined, false]);
    expect(setAside(path, inode, createNew)).toBe(`${path}.corrupt-1`);
  });

  it('removes its lock directory when the new file cannot be created', () => {
    const fail = (): void => {
      throw new Error('no room');
    };
    expect(() => setAside(path, inode, fail)).toThrow('no room');
    expect(readdirSync(folder).filter((name) => name.includes('setting-aside'))).toEqual([]);
  });
});
