import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createStore, type Store } from '@haft/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createCatalog, type Catalog } from '../../index.ts';
import { openPluginFolder, type PluginFolder } from '../../fixtures/plugin-folder.ts';

let store: Store;
let catalog: Catalog;
let directory: string;
let log: string;
beforeEach(async () => {
  store = await createStore({ url: 'memory:' });
  catalog = createCatalog({ store });
  directory = await realpath(await mkdtemp(join(tmpdir(), 'haft-definitions-')));
  log = join(directory, '_log.txt');
  await writeFile(log, '');
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

/** A plugin that records each time its module runs. */
const source = (answer: string, more = ''): string => `
import { appendFileSync } from 'node:fs';
import { tail } from './_tail.mjs';
appendFileSync(${JSON.stringify(log)}, 'x');
export default {
  name: 'noting',
  tools: [{ name: 'answer', description: 'Answers.', input: { type: 'object' }, execute: () => ${JSON.stringify(answer)} + tail }],
  ${more}
};`;
const starts = async (): Promise<number> => (await readFile(log, 'utf8')).length;
const open = (): Promise<PluginFolder> =>
  openPluginFolder({
    directory,
    catalog,
    isolation: 'process',
    jail: 'off',
    grants: { noting: { fs: { write: [log] } } },
  });
const close = (folder: PluginFolder): Promise<void> => folder.loader.stop();
/** Changes the stored definition without the plugin's knowledge. */
const kept = async (count: number): Promise<void> => {
  for (let seen = new Set<string>(); seen.size < count; await new Promise(setImmediate)) {
    const found = await catalog.definitions.get('noting');
    if (found) seen.add(found.print);
    if (found && count === 1) break;
  }
};

describe('plugin at the next start', { timeout: 60_000 }, () => {
  beforeEach(async () => {
    await writeFile(join(directory, '_tail.mjs'), "export const tail = '!';");
    await writeFile(join(directory, 'noting.mjs'), source('one'));
    const folder = await open();
    await folder.loader.ready;
    await kept(1);
    await close(folder);
    expect(await starts()).toBe(1);
  });

  it('is served without a process if its files are unchanged; the first call starts it', async () => {
    const folder = await open();
    await folder.loader.ready;
    expect(folder.loader.plugins()).toMatchObject([
      { id: 'noting', state: 'live', tools: ['answer'], isolation: 'process' },
    ]);
    expect(await starts()).toBe(1);
    expect(await folder.text('answer')).toBe('one!');
    expect(await starts()).toBe(2);
    await close(folder);
  });

  it('is loaded again if one of its files, imported ones included, has changed', async () => {
    await writeFile(join(directory, '_tail.mjs'), "export const tail = '?';");
    const folder = await open();
    await folder.loader.ready;
    expect(await starts()).toBe(2);
    expect(await folder.text('answer')).toBe('one?');
    await close(folder);
  });

  it('is loaded again when it changes before its first call', async () => {
    const folder = await open();
    await folder.loader.ready;
    await writeFile(join(directory, '_tail.mjs'), "export const tail = '?';");
    await folder.event('replaced', 'noting');
    expect(await folder.text('answer')).toBe('one?');
    await close(folder);
  });

  it('is loaded again on request', async () => {
    const folder = await open();
    await folder.loader.ready;
    expect(await folder.loader.reload('noting')).toMatchObject({ state: 'live' });
    expect(await starts()).toBe(2);
    await close(folder);
  });

  it('is loaded again when its stored definition was forged', async () => {
    const definition = (await catalog.definitions.get('noting'))!;
    const described = JSON.parse(JSON.stringify(definition.described).replace('Answers.', 'Lies.')) as never;
    await catalog.definitions.set('noting', { ...definition, described });
    const folder = await open();
    await folder.loader.ready;
    expect(folder.registry.get('answer')?.description).toBe('Lies.');
    expect((await folder.call('answer')).ok).toBe(false);
    await folder.event('replaced', 'noting');
    expect(folder.registry.get('answer')?.description).toBe('Answers.');
    expect(await folder.text('answer')).toBe('one!');
    await close(folder);
  });

  it('is loaded normally when the catalog is not valid', async () => {
    await catalog.definitions.set('noting', { print: '', files: [], described: null });
    const folder = await open();
    await folder.loader.ready;
    expect(await folder.text('answer')).toBe('one!');
    await close(folder);
  });
});
