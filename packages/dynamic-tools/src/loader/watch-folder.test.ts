import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openPluginFolder, pluginSource, type PluginFolder } from '../fixtures/plugin-folder.ts';
import { maxEntries } from '../files/settled-files.ts';
import { watchFolder, type FolderWatch } from './watch-folder.ts';

let ground = '';
const closing: { close(): Promise<unknown> }[] = [];
beforeEach(async () => {
  ground = await realpath(await mkdtemp(join(tmpdir(), 'haft-watch-')));
  await mkdir(join(ground, 'plugins/plug'), { recursive: true });
  await mkdir(join(ground, 'elsewhere'));
});
afterEach(async () => {
  await Promise.all(closing.splice(0).map((one) => one.close()));
  await rm(ground, { recursive: true, force: true });
});

/** Watches the plugins and records the events. */
function start(): FolderWatch & { readonly reported: string[]; until(path: string): Promise<void> } {
  const reported: string[] = [];
  let wake = (): void => undefined;
  const folder = join(ground, 'plugins');
  const watch = watchFolder(folder, {
    onEvent: (event, path) => {
      reported.push(`${event} ${relative(folder, path)}`);
      wake();
    },
    onError: () => undefined,
  });
  closing.push(watch);
  const until = async (line: string): Promise<void> => {
    while (!reported.includes(line)) await new Promise<void>((resolve) => (wake = resolve));
  };
  return { ...watch, reported, until };
}

async function fill(folder: string, count: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (let index = 0; index < count; index += 1) await writeFile(join(folder, `f${index}.txt`), '');
}

describe('watchFolder', () => {
  it('follows no link out of a plugin, existing or new', async () => {
    await fill(join(ground, 'elsewhere/deep'), 3);
    await symlink(join(ground, 'elsewhere'), join(ground, 'plugins/plug/all'));
    await symlink('/', join(ground, 'plugins/plug/disk'));
    await writeFile(join(ground, 'plugins/plug/index.mjs'), '');
    const watch = start();
    await watch.ready;
    expect(watch.reported.toSorted()).toEqual(['add plug/index.mjs', 'addDir ', 'addDir plug']);
    await symlink('/', join(ground, 'plugins/plug/later'));
    await writeFile(join(ground, 'plugins/plug/last.mjs'), '');
    await watch.until('add plug/last.mjs');
    expect(watch.reported.filter((line) => /all|disk|later|deep/.test(line))).toEqual([]);
  });

  it('limits a linked plugin like any plugin', async () => {
    await fill(join(ground, 'elsewhere'), maxEntries + 50);
    await symlink(join(ground, 'elsewhere'), join(ground, 'plugins/linked'));
    const watch = start();
    await watch.ready;
    expect(watch.reported.filter((line) => line.startsWith('add linked')).length).toBe(maxEntries);
  });

  it('continues after the folder was removed', async () => {
    await fill(join(ground, 'plugins/plug/data'), maxEntries);
    const watch = start();
    await watch.ready;
    await rename(join(ground, 'plugins/plug/data'), join(ground, 'elsewhere/data'));
    await watch.until('unlinkDir plug/data');
    await writeFile(join(ground, 'plugins/plug/new.mjs'), '');
    await watch.until('add plug/new.mjs');
  });
});

describe('plugin with too many files', () => {
  it('is refused with the reason and delays no other plugin', async () => {
    await fill(join(ground, 'elsewhere'), maxEntries + 1);
    const folder: PluginFolder = await openPluginFolder({ directory: join(ground, 'plugins') });
    closing.push({ close: () => folder.end() });
    await symlink(join(ground, 'elsewhere'), join(folder.directory, 'linked'));
    await writeFile(join(ground, 'elsewhere/index.mjs'), pluginSource('large', 'x'));
    await folder.write('good.mjs', pluginSource('good', 'good'));
    await folder.loader.ready;
    expect(await folder.text('good')).toBe('good');
    const { failure } = await folder.event('failed', 'linked');
    expect(failure).toMatchObject({ phase: 'discover', message: expect.stringContaining('more than 5000 files') });
  });
});
