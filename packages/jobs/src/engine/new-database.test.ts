import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

import { createDirectory } from '../fixtures/databases.ts';
import { createDirectoryOfDatabase, versionOfDatabase, type DatabaseCreator } from './new-database.ts';
import { pack } from './packed-file.ts';

/** A tar archive of these entries. A name that ends with a slash is a directory. */
function tarOf(entries: Readonly<Record<string, string>>): Buffer {
  const blocks = Object.entries(entries).flatMap(([name, text]) => {
    const header = Buffer.alloc(512);
    header.write(name.replace(/\/$/, ''), 0);
    header.write(text.length.toString(8).padStart(11, '0'), 124);
    header.write(name.endsWith('/') ? '5' : '0', 156);
    return [header, Buffer.from(text), Buffer.alloc((512 - (text.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1_024)]);
}

const whole = { '/base/': '', '/base/1': 'x'.repeat(600), '/PG_VERSION': '17' };

describe('the directory of a new database', () => {
  let directory: string;
  let remove: () => Promise<void>;
  let count = 0;
  let warnings: string[] = [];
  const creatorOf = (entries: Readonly<Record<string, string>> = whole): DatabaseCreator => ({
    create: async () => {
      count += 1;
      return {
        exec: async () => [],
        dumpDataDir: async () => new Blob([new Uint8Array(tarOf(entries))]),
        close: async () => undefined,
      };
    },
  });
  const create = async (name: string, creator = creatorOf()): Promise<string> => {
    const shipped = (): URL => pathToFileURL(join(directory, 'shipped'));
    await createDirectoryOfDatabase(creator, join(directory, name), 'tables', {
      shipped,
      onSlow: (message) => warnings.push(message),
    });
    return readFileSync(join(directory, name, 'base', '1'), 'utf8');
  };
  const cachedFile = (): string => join(directory, 'cache', 'haft', readdirSync(join(directory, 'cache', 'haft'))[0]!);
  beforeEach(async () => {
    count = 0;
    warnings = [];
    [directory, remove] = await createDirectory();
    vi.stubEnv(process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME', join(directory, 'cache'));
  });
  afterEach(async () => {
    vi.unstubAllEnvs();
    await remove();
  });

  it('is copied from the shipped one', async () => {
    writeFileSync(join(directory, 'shipped'), await pack(tarOf(whole), (await versionOfDatabase('tables'))!));
    for (const name of ['a', 'b']) expect(await create(name)).toBe(whole['/base/1']);
    expect([count, warnings]).toEqual([0, []]);
    expect(readdirSync(directory).sort()).toEqual(['a', 'b', 'shipped']);
  });

  it('is created if the shipped one is damaged, or has tables of another version', async () => {
    const version = (await versionOfDatabase('tables'))!;
    const other = await pack(tarOf({ ...whole, '/base/1': 'other' }), (await versionOfDatabase('other tables'))!);
    const damaged = await pack(tarOf(whole), version);
    damaged[damaged.length >> 1]! ^= 1;
    for (const [name, bytes] of Object.entries({ other, damaged, empty: Buffer.alloc(0) })) {
      vi.stubEnv(process.platform === 'win32' ? 'LOCALAPPDATA' : 'XDG_CACHE_HOME', join(directory, `cache-${name}`));
      writeFileSync(join(directory, 'shipped'), bytes);
      expect(await create(name)).toBe(whole['/base/1']);
    }
    expect(count).toBe(3);
  });

  it('is created once with a warning, and then copied from the cache of the user', async () => {
    for (const name of ['a', 'b', 'c']) expect(await create(name)).toBe(whole['/base/1']);
    expect(count).toBe(1);
    expect(warnings).toEqual([
      expect.stringMatching(/^creating the first database for PGlite \d+\.\d+\.\d+; this takes up to 30 s, once/),
    ]);
    expect(readdirSync(directory).sort()).toEqual(['a', 'b', 'c', 'cache']);
  });

  it('is created again if the file in the cache is damaged', async () => {
    await create('a');
    const bytes = readFileSync(cachedFile());
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(cachedFile(), bytes);
    expect(await create('b')).toBe(whole['/base/1']);
    expect(await create('c')).toBe(whole['/base/1']);
    expect(count).toBe(2);
  });

  it.skipIf(process.platform === 'win32')(
    'is created again if the file in the cache is a link, or if others may write to it',
    async () => {
      await create('a');
      expect(statSync(cachedFile()).mode & 0o777).toBe(0o600);
      chmodSync(cachedFile(), 0o620);
      await create('b');
      expect(count).toBe(2);
      const path = cachedFile();
      renameSync(path, join(directory, 'foreign'));
      symlinkSync(join(directory, 'foreign'), path);
      await create('c');
      expect(count).toBe(3);
    },
  );

  it('is created without a cache if that can not be written', async () => {
    writeFileSync(join(directory, 'cache'), 'a file');
    expect(await create('a')).toBe(whole['/base/1']);
    expect(await create('b')).toBe(whole['/base/1']);
    expect(count).toBe(2);
  });

  it.each([{ '/../outside': 'x' }, { '/a:b': 'x' }, { '/a\\b': 'x' }])(
    'has no files of an archive with other paths: %j',
    async (entries) => {
      await expect(create('a', creatorOf(entries as never))).rejects.toThrow('the archive is damaged at byte 0');
      expect(readdirSync(directory).sort()).toEqual(['a-unfinished', 'cache']);
    },
  );
});
