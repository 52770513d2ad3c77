import { cp, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineTool, ToolRegistry } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { createStore, type Store } from '@haft/store';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { greeting, openWorkbench, type Workbench } from '../fixtures/workbench.ts';

const openStore = (folder: string): Promise<Store> => createStore({ url: `file:${join(folder, 'haft.db')}` });
const createFolder = async (): Promise<string> => realpath(await mkdtemp(join(tmpdir(), 'haft-restore-')));

/** A store with one tool, and the folder of the tool. Each test gets a copy, because creating a tool takes long. */
let base: string;
beforeAll(async () => {
  base = await createFolder();
  const made = await openWorkbench({ store: await openStore(base), directory: join(base, 'tools') });
  await made.generated.start();
  expect((await made.call('new_tool', greeting('Hello'))).ok).toBe(true);
  await made.stop();
  await made.store.close();
});
afterAll(() => rm(base, { recursive: true }));

let folder: string;
let store: Store;
let first: Workbench;
beforeEach(async () => {
  folder = await createFolder();
  await cp(base, folder, { recursive: true });
  store = await openStore(folder);
  first = await openWorkbench({ store, directory: join(folder, 'tools') });
  expect(await first.generated.restore()).toEqual({ ...nothing, restored: ['greet'] });
});
afterEach(async () => {
  await first.end();
  await rm(folder, { recursive: true });
});

/** Starts another run of the program with the same catalog and folder. */
async function again(registry = new ToolRegistry()): Promise<Workbench> {
  await first.stop();
  return openWorkbench({ store, directory: first.directory, registry });
}

async function folderOf(workbench: Workbench, beginning: string): Promise<string> {
  const name = (await readdir(workbench.directory)).find((one) => one.startsWith(beginning));
  return join(workbench.directory, name ?? 'none');
}

const nothing = { restored: [], shadowed: [], missing: [], changed: [], failed: [] };

describe('generated tools after a restart', { timeout: 60_000 }, () => {
  it('can be called again, and start no process before the first call', async () => {
    const later = await again();
    expect(await later.generated.restore()).toEqual({ ...nothing, restored: ['greet'] });
    expect(await later.text('greet', { who: 'Bo' })).toBe('Hello Bo');
    expect(await later.generated.restore()).toEqual({ ...nothing, restored: ['greet'] });
    await later.stop();
    expect(later.registry.names).toEqual([]);
  });

  it('are restored when their folder is missing', async () => {
    const later = await again();
    await rm(first.directory, { recursive: true });
    expect(await later.generated.restore()).toEqual({ ...nothing, restored: ['greet'] });
    expect(await later.text('greet', { who: 'Bo' })).toBe('Hello Bo');
    await later.stop();
  });

  it('do not run after their files have changed until they are approved', async () => {
    const later = await again();
    const file = join(await folderOf(first, 'greet-1-'), 'index.mts');
    const evil =
      'import tool from "./tool.json" with { type: "json" };\nexport default { tools: [{ ...tool, execute: () => "evil" }] };\n';
    await writeFile(file, evil);
    const report = await later.generated.restore();
    expect(report).toMatchObject({ restored: [], changed: [{ name: 'greet' }] });
    expect(await later.text('greet', { who: 'Bo' })).toContain('Error TOOL_NOT_FOUND');
    expect(await later.text('list_tools')).toContain(
      "greet can't be called, changed: its files on disk differ from what was approved",
    );
    expect(await later.generated.approve('greet')).toMatchObject({ state: 'live', version: 2, isTried: false });
    expect(await later.text('greet', { who: 'Bo' })).toBe('evil');
    expect(await later.text('rollback_tool', { name: 'greet' })).toContain('differ from what was approved');
    expect(await later.generated.approve('nothing')).toBeUndefined();
    await later.stop();
  });

  it('do not start from files that changed after registration', async () => {
    const later = await again();
    await later.generated.restore();
    await writeFile(join(await folderOf(first, 'greet-1-'), 'more.ts'), '');
    expect(await later.text('greet', { who: 'Bo' })).toContain('its files differ from what was approved');
    expect(later.registry.has('greet')).toBe(false);
    await later.stop();
  });

  it('do not run when the catalog was tampered with', async () => {
    const sources = store.collection(
      'dynamic-tools/sources',
      (value) => value as { files: Record<string, string>; described: unknown },
    );
    const kept = (await sources.get('default/greet/1'))!.value;
    await sources.set('default/greet/1', { ...kept, files: { ...kept.files, 'index.mts': 'export default 1;' } });
    const later = await again();
    expect(await later.generated.restore()).toMatchObject({ restored: [], changed: [{ name: 'greet' }] });
    await later.stop();
  });

  it('are "missing" without a source and "failed" with a damaged entry', async () => {
    await first.call('new_tool', { ...greeting('Bye'), name: 'part' });
    await store.collection('dynamic-tools/sources', (value) => value).delete('default/greet/1');
    await store.collection('dynamic-tools/generated', (value) => value).set('default/part', { name: 'part' });
    const later = await again();
    const report = await later.generated.restore();
    expect(report).toMatchObject({ restored: [], missing: [{ name: 'greet' }], failed: [{ name: 'part' }] });
    await later.stop();
  });

  it('are shadowed by built-in tools, and appear when those are removed', async () => {
    const registry = new ToolRegistry();
    const later = await again(registry);
    registry.register(
      eraseTool(defineTool({ name: 'greet', description: 'Own.', input: { type: 'object' }, execute: () => 'own' })),
    );
    expect(await later.generated.restore()).toEqual({
      ...nothing,
      shadowed: [{ name: 'greet', reason: 'the name belongs to a tool of the program' }],
    });
    expect(await later.text('greet')).toBe('own');
    registry.unregister('greet');
    await later.event('tool-added');
    expect(await later.text('greet', { who: 'Bo' })).toBe('Hello Bo');
    await later.stop();
  });

  it('leave tools of other providers registered when they are unregistered', async () => {
    first.registry.clear('dynamic');
    expect(first.registry.names).toContain('new_tool');
    expect(first.registry.has('greet')).toBe(false);
  });
});

describe('two programs with one catalog', { timeout: 60_000 }, () => {
  it('see the tools that the other creates, replaces and removes', async () => {
    const other = await openWorkbench({ store });
    expect(await other.generated.restore()).toEqual({ ...nothing, restored: ['greet'] });
    await first.call('new_tool', greeting('Bye', { replace: true }));
    await other.event('tool-replaced');
    expect(await other.text('greet', { who: 'Bo' })).toBe('Bye Bo');
    await other.call('unregister_tool', { name: 'greet' });
    await first.event('tool-removed');
    expect(first.registry.has('greet')).toBe(false);
    await other.stop();
    await rm(other.directory, { recursive: true });
  });

  it('do not overwrite each other', async () => {
    const other = await openWorkbench({ store });
    await other.generated.restore();
    const both = await Promise.all([
      first.call('new_tool', greeting('One', { replace: true })),
      other.call('new_tool', greeting('Two', { replace: true })),
    ]);
    expect(both.filter(({ ok }) => ok)).toHaveLength(1);
    const { entry } = (await first.catalog.entry('greet'))!;
    expect(entry.versions.map(({ version }) => version)).toEqual([1, 2]);
    const winner = both[0].ok ? 'One' : 'Two';
    await Promise.all([first.generated.restore(), other.generated.restore()]);
    expect(await Promise.all([first, other].map((one) => one.text('greet', { who: 'Bo' })))).toEqual([
      `${winner} Bo`,
      `${winner} Bo`,
    ]);
    await other.stop();
    await rm(other.directory, { recursive: true });
  });
});
