import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  allowAll,
  createDispatcher,
  defineTool,
  MemoryDescriptionStore,
  renderForModel,
  ToolRegistry,
  type AnyTool,
  type ToolProvider,
} from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { createStore, type Store } from '@haft/store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { greeting, openWorkbench } from '../fixtures/workbench.ts';
import { pluginSource } from '../fixtures/plugin-folder.ts';
import {
  createCatalog,
  createGeneratedTools,
  createPluginLoader,
  createRegistrar,
  type Catalog,
  type Registrar,
} from '../index.ts';

let directory: string;
let store: Store;
let catalog: Catalog;
beforeEach(async () => {
  directory = await realpath(await mkdtemp(join(tmpdir(), 'haft-registrar-')));
  store = await createStore({ url: 'memory:' });
  catalog = createCatalog({ store });
});
afterEach(async () => {
  await store.close();
  await rm(directory, { recursive: true });
});

interface Program {
  readonly registry: ToolRegistry;
  readonly registrar: Registrar;
  readonly descriptions: MemoryDescriptionStore;
  text(name: string, args?: unknown): Promise<string>;
}

function start(providers: readonly ToolProvider[] = []): Program {
  const descriptions = new MemoryDescriptionStore(catalog.descriptions);
  const registry = new ToolRegistry({ descriptions });
  const registrar = createRegistrar({
    registry,
    catalog,
    descriptions,
    providers: [
      createPluginLoader({ directory: join(directory, 'plugins'), registry, catalog, isolation: 'inline' }),
      createGeneratedTools({ directory: join(directory, 'tools'), registry, catalog, jail: 'off', typeCheck: false }),
      ...providers,
    ],
  });
  const dispatcher = createDispatcher({ registry, permission: allowAll });
  return {
    registry,
    registrar,
    descriptions,
    text: async (name, args = {}) => renderForModel(await dispatcher.dispatch({ id: name, name, arguments: args })),
  };
}

const tool = (name: string, answer = name): AnyTool =>
  eraseTool(defineTool({ name, description: `${name}.`, input: { type: 'object' }, execute: () => answer }));

/** Creates a registrar with plugins and generated tools. */
function provider(path: string, more: Partial<ToolProvider> = {}): ToolProvider {
  return {
    path,
    lifecycleTools: [],
    start: () => Promise.resolve(),
    stop: () => Promise.resolve(),
    onChange: () => () => undefined,
    ...more,
  };
}

describe('a registrar', { timeout: 60_000 }, () => {
  it('restores plugins and generated tools, and reports the rest', async () => {
    const before = await openWorkbench({ store, directory: join(directory, 'tools') });
    await before.generated.start();
    await before.call('new_tool', greeting('Hello'));
    await before.call('new_tool', { ...greeting('Bye'), name: 'taken' });
    await before.stop();
    await catalog.setPlugin('gone', { trusted: true });
    const program = start([provider('dynamic/mcp', { start: () => Promise.reject(new Error('no network')) })]);
    const { registry, registrar } = program;
    registry.register(tool('taken', 'own'));
    await mkdir(join(directory, 'plugins'));
    await writeFile(join(directory, 'plugins', 'good.mjs'), pluginSource('good', 'fine'));
    await writeFile(join(directory, 'plugins', 'bad.mjs'), 'export default {');
    expect(await registrar.restore()).toMatchObject({
      restored: ['good', 'greet'],
      shadowed: [{ name: 'taken', reason: 'the name belongs to a tool of the program' }],
      missing: [{ name: 'gone' }],
      changed: [],
      failed: [{ name: 'bad' }, { name: 'dynamic/mcp', reason: expect.stringContaining('no network') as string }],
    });
    expect([
      await program.text('greet', { who: 'Bo' }),
      await program.text('good'),
      await program.text('taken'),
    ]).toEqual(['Hello Bo', 'fine', 'own']);
    expect((await registrar.restore()).restored).toEqual(['good', 'greet']);
    await registrar.stop();
    expect(registry.names).toEqual(['taken']);
  });

  it('registers lifecycle tools last, and again when a provider replaces them', async () => {
    let change: (() => void) | undefined;
    const manage = tool('manage', 'manager');
    const { registry, registrar } = start([
      provider('dynamic/mcp', {
        lifecycleTools: [manage],
        onChange: (listener) => ((change = listener), () => undefined),
      }),
    ]);
    await registrar.restore();
    expect(registrar.lifecycleTools.map(({ name }) => name)).toContain('new_tool');
    for (const { name } of registrar.lifecycleTools) expect(registry.providerFor(name)).toBe('lifecycle');
    registry.batch((draft) => draft.registerWithProvider(tool('new_tool', 'evil'), 'dynamic/mcp/evil'));
    registry.unregister('manage');
    change?.();
    expect(registry.get('manage')).toBe(manage);
    expect(registry.providerFor('new_tool')).toBe('lifecycle');
    registrar.clear();
    expect(registry.providerFor('new_tool')).toBe('lifecycle');
    expect(registry.toolsByProvider('dynamic')).toEqual([]);
    await registrar.stop();
    expect(registry.names).toEqual([]);
  });

  it('combines prompts, resources and hooks of all providers as they change', async () => {
    const brought = `prompts: [{ name: 'ask', prepare: () => 'Ask.' }],
      resources: [{ uri: 'notes://b', name: 'b', read: () => 'b' }],
      hooks: { beforeCall: ({ name }) => name === 'good' ? { deny: 'not today' } : undefined },`;
    await mkdir(join(directory, 'plugins'));
    await writeFile(join(directory, 'plugins', 'good.mjs'), pluginSource('good', 'fine', brought));
    const prompts = ['ask', 'Zeal'].map((name) => ({ name, variables: [], prepare: () => [] }));
    const resources = [{ uri: 'mcp://a', name: 'a', type: '', read: () => 'a' }];
    const { registry, registrar } = start([
      provider('dynamic/mcp', { prompts: () => prompts, resources: () => resources }),
    ]);
    expect(registrar.prompts()).toEqual([prompts[1], prompts[0]]);
    await registrar.restore();
    expect(registrar.prompts().map(({ name }) => name)).toEqual(['Zeal', 'ask', 'ask']);
    // The prompt of the plugins, which are the first provider.
    expect(await registrar.prompts()[1]?.prepare({}, [])).toEqual([{ role: 'user', content: 'Ask.' }]);
    expect(registrar.resources().map(({ uri }) => uri)).toEqual(['mcp://a', 'notes://b']);
    expect(registrar.prompts()).toBe(registrar.prompts());
    expect(registrar.hooks).toHaveLength(1);
    const dispatcher = createDispatcher({ registry, permission: allowAll, middleware: registrar.hooks });
    const denied = await dispatcher.dispatch({ id: '1', name: 'good', arguments: {} });
    expect(denied).toMatchObject({ ok: false, error: { denial: { reason: 'not today' } } });
    const gone = new Promise<void>((resolve) => void registrar.onChange(() => resolve()));
    await rm(join(directory, 'plugins', 'good.mjs'));
    await gone;
    expect(registrar.prompts()).toEqual([prompts[1], prompts[0]]);
    expect(registrar.resources()).toEqual(resources);
    await registrar.stop();
  });

  it('restores descriptions after a restart, and follows those of other hosts', async () => {
    const one = start();
    one.registry.register(tool('own'));
    await one.registrar.restore();
    await one.descriptions.set('own', 'In other words.');
    await one.registrar.stop();
    const two = start();
    two.registry.register(tool('own'));
    await two.registrar.restore();
    expect(two.registry.snapshot().get('own')?.description).toBe('In other words.');
    const changed = new Promise<void>((resolve) => two.descriptions.addBumper(() => resolve()));
    await catalog.descriptions.save('own', 'By somebody else.');
    await changed;
    expect(two.registry.snapshot().get('own')?.description).toBe('By somebody else.');
    await two.registrar.stop();
  });

  it('refuses invalid providers and duplicate names', () => {
    const registry = new ToolRegistry();
    const shared = { lifecycleTools: [tool('manage')] };
    expect(() => createRegistrar({ registry, providers: [provider('builtin')] })).toThrow('not under dynamic');
    expect(() =>
      createRegistrar({ registry, providers: [provider('dynamic/a', shared), provider('dynamic/b', shared)] }),
    ).toThrow('two providers have a lifecycle tool named manage');
    expect(() => createRegistrar({ registry: {} as ToolRegistry, providers: [] })).toThrow(
      'createRegistrar: registry is not valid (expected the ToolRegistry',
    );
  });
});

describe('plugin state in the catalog', { timeout: 60_000 }, () => {
  it('disables and enables plugins at run time and at the next start', async () => {
    await mkdir(join(directory, 'plugins'));
    await writeFile(join(directory, 'plugins', 'good.mjs'), pluginSource('good', 'fine'));
    const { registry, registrar } = start();
    await registrar.restore();
    const next = (): Promise<void> => new Promise((resolve) => void registry.onChange(() => resolve()));
    let changed = next();
    await catalog.setPlugin('good', { enabled: false });
    await changed;
    expect(registry.has('good')).toBe(false);
    changed = next();
    await catalog.setPlugin('good', { enabled: true });
    await changed;
    expect(registry.has('good')).toBe(true);
    await catalog.setPlugin('good', { enabled: false });
    await registrar.stop();
    const later = start();
    expect(await later.registrar.restore()).toMatchObject({ restored: [], failed: [], missing: [] });
    await later.registrar.stop();
  });

  it('overrides the trust and grants options', async () => {
    await mkdir(join(directory, 'plugins'));
    await writeFile(join(directory, 'plugins', 'good.mjs'), pluginSource('good', 'fine'));
    await catalog.setPlugin('good', { trusted: true });
    const registry = new ToolRegistry();
    const loader = createPluginLoader({ directory: join(directory, 'plugins'), registry, catalog, jail: 'off' });
    await loader.restore();
    expect(loader.plugins()).toMatchObject([{ id: 'good', isolation: 'inline' }]);
    await catalog.setPlugin('good', { trusted: false });
    await new Promise<void>((resolve) => void loader.onEvent(({ type }) => type === 'replaced' && resolve()));
    expect(loader.plugins()).toMatchObject([{ id: 'good', isolation: 'process' }]);
    await loader.stop();
  });
});
