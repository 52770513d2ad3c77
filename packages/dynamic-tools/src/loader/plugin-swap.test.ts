import { mkdir, rm } from 'node:fs/promises';
import nodeModule from 'node:module';
import { join } from 'node:path';
import { defineTool, ToolRegistry } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openPluginFolder, pluginSource, type PluginFolder } from '../fixtures/plugin-folder.ts';
import { createPluginLoader, loadPlugins, PluginError } from '../index.ts';

const open: PluginFolder[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((folder) => folder.end()));
});

async function start(options: Parameters<typeof openPluginFolder>[0] = {}): Promise<PluginFolder> {
  const folder = await openPluginFolder(options);
  open.push(folder);
  return folder;
}

/** A global that plugins and tests share, because they run in one process. */
const stage: { log: string[]; release: () => void; entered: () => void } = {
  log: [],
  release: () => undefined,
  entered: () => undefined,
};
const world = globalThis as { haftTestStage?: typeof stage };
beforeAll(() => void (world.haftTestStage = stage));
afterAll(() => void delete world.haftTestStage);

/** Creates a plugin whose tool waits until the test continues it. */
const waiting = (version: string, input = `{ type: 'object' }`): string => `
const stage = globalThis.haftTestStage;
export default {
  name: 'waiting', version: '${version}',
  tools: [{ name: 'wait', description: 'Waits.', input: ${input}, execute: (args) => new Promise((resolve) => {
    stage.release = () => resolve('${version} ' + JSON.stringify(args));
    stage.entered();
  }) }],
  dispose() { stage.log.push('${version} disposed'); },
};`;

const entered = (): Promise<void> => new Promise((resolve) => (stage.entered = resolve));

describe('plugin swap', () => {
  it('finishes running calls on the old version, then disposes of it', async () => {
    stage.log = [];
    const folder = await start();
    await folder.write('waiting.ts', waiting('1'));
    await folder.loader.ready;
    const inside = entered();
    const running = folder.call('wait');
    await inside;
    const { release } = stage;
    await folder.write('waiting.ts', waiting('2'));
    await folder.event('replaced', 'waiting');
    expect(stage.log).toEqual([]);
    release();
    expect(await running).toMatchObject({ ok: true, content: [{ text: '1 {}' }] });
    expect(await folder.event('disposed', 'waiting')).toMatchObject({ revision: 1 });
    expect(stage.log).toEqual(['1 disposed']);
  });

  it('sends later calls to the new version, even from an older snapshot', async () => {
    const folder = await start();
    await folder.write('w.ts', waiting('1'));
    await folder.loader.ready;
    const snapshot = folder.registry.snapshot();
    await folder.write(
      'w.ts',
      waiting('2', `{ type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] }`),
    );
    await folder.event('replaced', 'w');
    expect(await folder.call('wait', {}, { snapshot })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ARGS', issues: [{ path: '$.count' }] },
    });
    const inside = entered();
    const running = folder.call('wait', { count: 3 }, { snapshot });
    await inside;
    stage.release();
    expect(await running).toMatchObject({ ok: true, content: [{ text: '2 {"count":3}' }] });
    await rm(join(folder.directory, 'w.ts'));
    await folder.event('removed', 'w');
    expect(await folder.call('wait', { count: 3 }, { snapshot })).toMatchObject({
      ok: false,
      error: { code: 'TOOL_UNAVAILABLE', retryable: false },
    });
  });

  it('disposes of the old version even when a call never ends', async () => {
    stage.log = [];
    const folder = await start({ drainTimeoutMs: 100 });
    await folder.write('waiting.ts', waiting('1'));
    await folder.loader.ready;
    const inside = entered();
    const running = folder.call('wait');
    await inside;
    const { release } = stage;
    await folder.write('waiting.ts', waiting('2'));
    await folder.event('disposed', 'waiting');
    expect(stage.log).toEqual(['1 disposed']);
    release();
    expect(await running).toMatchObject({ ok: true });
  });

  it('disposes of a plugin that was loaded while the loader stopped', async () => {
    stage.log = [];
    const folder = await start();
    await folder.loader.ready;
    const setUp = entered();
    const setup = `setup: () => new Promise((resolve) => { stage.release = resolve; stage.entered(); }),`;
    await folder.write('late.mjs', waiting('late').replace("name: 'waiting'", `${setup} name: 'waiting'`));
    await setUp;
    const stopped = folder.loader.stop();
    stage.release();
    await stopped;
    expect(stage.log).toEqual(['late disposed']);
  });

  it('reports a version that fails to dispose, and serves the new one', async () => {
    const folder = await start();
    await folder.write('rude.ts', pluginSource('rude', 'old', `dispose() { throw new Error('not me'); }`));
    await folder.loader.ready;
    await folder.write('rude.ts', pluginSource('rude', 'new'));
    expect(await folder.event('failed', 'rude')).toMatchObject({
      serving: true,
      failure: { phase: 'dispose', message: 'dispose threw: not me' },
    });
    expect(folder.loader.plugins()).toMatchObject([{ state: 'live', revision: 2 }]);
    expect(await folder.text('rude')).toBe('new');
  });

  it('disposes of a loaded version that may not serve', async () => {
    stage.log = [];
    const folder = await start();
    await folder.write('a.ts', pluginSource('taken', 'a'));
    await folder.loader.ready;
    await folder.write('b.ts', waiting('b').replace(`name: 'wait'`, `name: 'taken'`));
    await folder.event('failed', 'b');
    expect(stage.log).toEqual(['b disposed']);
  });

  it('changes the registry once, with the lifecycle tools in every state', async () => {
    const folder = await start();
    const versions: (readonly string[])[] = [];
    folder.registry.onChange(() => versions.push(folder.registry.snapshot().names));
    await folder.loader.ready;
    const two = (names: readonly string[]): string =>
      `export default { name: 'x', version: '1', tools: ${JSON.stringify(names)}.map((name) => ({ name, description: 'x', input: { type: 'object' }, execute: () => name })) };`;
    await folder.write('multi.ts', two(['tool_a', 'tool_b']));
    await folder.event('loaded', 'multi');
    await folder.write('multi.ts', two(['tool_b', 'tool_c']));
    await folder.event('replaced', 'multi');
    await folder.write('evil.ts', two(['reload_plugin', 'tool_d']));
    await folder.event('failed', 'evil');
    await rm(join(folder.directory, 'multi.ts'));
    await folder.event('removed', 'multi');
    const lifecycle = ['list_plugins', 'reload_plugin'];
    expect(versions).toEqual([
      lifecycle,
      [...lifecycle, 'tool_a', 'tool_b'],
      [...lifecycle, 'tool_b', 'tool_c'],
      lifecycle,
    ]);
    for (const name of lifecycle) expect(folder.registry.providerFor(name)).toBe('lifecycle');
  });

  it('leaks no timer, listener or open file after a hundred reloads', async () => {
    const folder = await start();
    await folder.write('again.ts', pluginSource('again', 'x'));
    await folder.loader.ready;
    await folder.loader.reload('again');
    const before = process.getActiveResourcesInfo().length;
    for (let count = 0; count < 100; count += 1) await folder.loader.reload('again');
    expect(folder.loader.plugins()).toMatchObject([{ revision: 102 }]);
    await expect.poll(() => folder.events.filter((event) => event.type === 'disposed').length).toBe(101);
    // The test runner and the watcher use a varying number of timers. A leak would leave a hundred.
    expect(process.getActiveResourcesInfo().length).toBeLessThan(before + 10);
    expect(folder.registry.shadows()).toEqual([]);
  }, 60_000);
});

describe('name owned by another provider', () => {
  const builtin = (name: string): ReturnType<typeof eraseTool> =>
    eraseTool(
      defineTool({
        name,
        description: 'Is built in.',
        input: { type: 'object' },
        kind: 'read',
        execute: () => 'builtin',
      }),
    );

  it('is overridden for a built-in tool if allowed, and restored when the plugin is removed', async () => {
    const folder = await start({ mayShadow: ['read'] });
    folder.registry.registerWithProvider(builtin('read'), 'builtin');
    await folder.write('mine.ts', pluginSource('read', 'mine'));
    await folder.loader.ready;
    expect(await folder.text('read')).toBe('mine');
    await rm(join(folder.directory, 'mine.ts'));
    await folder.event('removed', 'mine');
    expect(await folder.text('read')).toBe('builtin');
  });

  it('is refused if it belongs to a lifecycle tool', async () => {
    const folder = await start({ mayShadow: ['new_tool', 'list_plugins'] });
    folder.registry.batch((draft) => draft.registerLifecycle(builtin('new_tool')));
    await folder.write('a.ts', pluginSource('new_tool', 'x'));
    await folder.write('b.ts', pluginSource('list_plugins', 'x'));
    await folder.loader.ready;
    expect(folder.loader.plugins().map((plugin) => plugin.failure?.message)).toEqual([
      'the tool name new_tool is taken by a tool that manages other tools; choose another name',
      'the tool name list_plugins is taken by a tool that manages other tools; choose another name',
    ]);
  });

  it('is tried again when its owner is removed', async () => {
    const folder = await start();
    folder.registry.registerWithProvider(builtin('read'), 'builtin');
    await folder.write('waits.ts', pluginSource('read', 'plugin'));
    await folder.loader.ready;
    expect(await folder.text('read')).toBe('builtin');
    folder.registry.clear('builtin');
    await folder.event('loaded', 'waits');
    expect(await folder.text('read')).toBe('plugin');
  });

  it('is free after a new version drops it', async () => {
    const folder = await start();
    await folder.write('a.ts', pluginSource('wanted', 'a'));
    await folder.loader.ready;
    await folder.write('b.ts', pluginSource('wanted', 'b'));
    await folder.event('failed', 'b');
    await folder.write('a.ts', pluginSource('other', 'a'));
    await folder.event('loaded', 'b');
    expect(await folder.text('wanted')).toBe('b');
  });
});

describe('plugin lifecycle tools', () => {
  it('list and reload plugins, and report problems', async () => {
    const folder = await start();
    await folder.loader.ready;
    expect(await folder.text('list_plugins')).toBe('There are no plugins.');
    expect(await folder.text('reload_plugin', { id: 'weather' })).toContain(
      'there is no plugin "weather"\nThere are no plugins.',
    );
    await rm(folder.directory, { recursive: true });
    expect(await folder.text('list_plugins')).toBe('There are no plugins: their folder does not exist yet.');
    await mkdir(folder.directory);
    await folder.write('weather.ts', pluginSource('get_weather', 'rain', `description: 'Tells the weather.',`));
    await folder.event('loaded', 'weather');
    expect(await folder.text('list_plugins')).toBe('weather 1.0.0 live (tools: get_weather): Tells the weather.');
    expect(await folder.call('list_plugins')).toMatchObject({
      structured: { plugins: [{ id: 'weather', state: 'live', revision: 1 }] },
    });
    expect(await folder.text('reload_plugin', { id: 'weather' })).toContain('weather 1.0.0 live');
    expect(folder.loader.plugins()).toMatchObject([{ revision: 2 }]);
    expect(await folder.text('reload_plugin', { id: 'whether' })).toContain('Use one of: weather.');
    await folder.write('weather.ts', 'throw new Error("broken\\nin two lines");');
    await folder.event('failed', 'weather');
    const reported = await folder.call('reload_plugin', { id: 'weather' });
    expect(reported).toMatchObject({
      ok: false,
      error: { code: 'PLUGIN_FAILED', fault: 'world', hint: 'The previous version still answers.' },
    });
    expect(await folder.text('list_plugins')).toBe(
      'weather 1.0.0 outdated, the previous version still answers (tools: get_weather); failed (import) in weather.ts line 1: broken in two lines',
    );
  });
});

describe('loadPlugins', () => {
  it.each([
    [
      [{ directory: 'plugins', registry: new ToolRegistry() }],
      'its first argument is not valid (expected the folder, as in loadPlugins("plugins", { registry }), got an object)',
    ],
    [['plugins'], 'its argument is not valid (expected an object such as { registry }, got undefined)'],
    [['plugins', {}], 'registry is missing (expected the ToolRegistry that receives the tools)'],
    [['plugins', { registry: new ToolRegistry(), directory: 'x' }], 'directory is not an option'],
  ])('names itself and what it expects when it is called with %j', async (given, message) => {
    const loading = loadPlugins(...(given as Parameters<typeof loadPlugins>));
    await expect(loading).rejects.toThrow(PluginError);
    await expect(loading).rejects.toThrow(`loadPlugins: ${message}`);
  });
});

describe('createPluginLoader', () => {
  it.each([
    [{ isolation: 'thread' }, /isolation is not valid \(expected "process" or "inline", got "thread"\)/],
    [{ jail: true }, /jail is not valid/],
    [{ trusted: 'all' }, /trusted is not valid \(expected an array of plugin ids, got "all"\)/],
    [{ grants: { weather: { network: true } } }, /grants\.weather is not valid \(unknown capability network/],
    [
      { grants: { weather: { fs: { read: '/' } } } },
      /grants\.weather is not valid \(capabilities\.fs\.read must be an array/,
    ],
    [{ trustd: [] }, /trustd is not an option \(did you mean trusted\?\)/],
    [{ directory: '' }, /directory is not valid \(expected the folder to watch, got ""\)/],
  ])('rejects invalid options: %j', (wrong, message) => {
    const options = { directory: 'x', registry: new ToolRegistry(), ...wrong } as never;
    expect(() => createPluginLoader(options)).toThrow(PluginError);
    expect(() => createPluginLoader(options)).toThrow(message);
  });

  it.each(['loadTimeoutMs', 'settleMs', 'drainTimeoutMs'])('refuses an invalid duration for %s', (name) => {
    for (const wrong of [Number.NaN, 0, -1, Infinity, '5'])
      expect(() =>
        createPluginLoader({ directory: 'x', registry: new ToolRegistry(), isolation: 'inline', [name]: wrong }),
      ).toThrow(`${name} is not valid (expected a number above 0`);
  });

  it('refuses an invalid folder or registry', async () => {
    const folder = await start();
    await folder.write('a.ts', pluginSource('a_tool', 'a'));
    const file = join(folder.directory, 'a.ts');
    const loading = loadPlugins(file, { registry: new ToolRegistry(), isolation: 'inline' });
    await expect(loading).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining('loadPlugins: its first argument is not a folder') as string,
    });
    for (const registry of [undefined, null, {}, new Map()]) {
      const wrong = { directory: folder.directory, registry, isolation: 'inline' } as never;
      expect(() => createPluginLoader(wrong)).toThrow(/registry is (?:missing|not valid) \(expected the ToolRegistry/);
    }
  });

  it('reports a missing folder, and loads its plugins when it appears', async () => {
    const outer = await start();
    const directory = join(outer.directory, 'later');
    const folder = await start({ directory });
    await folder.loader.ready;
    expect(folder.events).toEqual([
      { type: 'directory-missing', directory, message: expect.stringContaining('does not exist yet') },
    ]);
    await folder.write('a.ts', pluginSource('a_tool', 'a'));
    await folder.event('loaded', 'a');
    expect(await folder.text('a_tool')).toBe('a');
  });

  it('reports a broken plugin once, and again after it is saved', async () => {
    const folder = await start();
    await folder.write('broken.ts', "import './not-there.ts';");
    await folder.loader.ready;
    for (const name of ['one', 'two']) {
      await folder.write(`${name}.ts`, pluginSource(`${name}_tool`, name));
      await folder.event('loaded', name);
    }
    await folder.loader.reload('one');
    const failures = (): number => folder.events.filter((event) => event.type === 'failed').length;
    expect(failures()).toBe(1);
    await folder.loader.reload('broken');
    expect(failures()).toBe(2);
    await folder.write('not-there.ts', 'export default 1;');
    await expect.poll(() => folder.loader.plugins().find(({ id }) => id === 'broken')?.failure?.phase).toBe('validate');
  });

  it('refuses a version of Node that lacks the hooks of modules', async () => {
    const { registerHooks } = nodeModule;
    Reflect.set(nodeModule, 'registerHooks', undefined);
    onTestFinished(() => void Reflect.set(nodeModule, 'registerHooks', registerHooks));
    const loading = loadPlugins('plugins', { registry: new ToolRegistry(), isolation: 'inline' });
    await expect(loading).rejects.toMatchObject({
      code: 'NODE_TOO_OLD',
      message: `plugins need Node 22.22 or later (this is ${process.version})`,
    });
  });

  it('refuses a second loader on one registry, and leaves the registry as it was', async () => {
    const folder = await start();
    await folder.write('a.ts', pluginSource('a_tool', 'a'));
    await folder.loader.ready;
    await expect(
      loadPlugins(folder.directory, { registry: folder.registry, isolation: 'inline' }),
    ).rejects.toMatchObject({
      code: 'LOADER_EXISTS',
    });
    expect(folder.registry.names).toEqual(['a_tool', 'list_plugins', 'reload_plugin']);
    await Promise.all([folder.loader.stop(), folder.loader.stop()]);
    expect(folder.registry.names).toEqual([]);
    const received = folder.events.length;
    await folder.write('b.ts', pluginSource('b_tool', 'b'));
    expect(await folder.loader.reload('a')).toBeUndefined();
    const second = await loadPlugins(folder.directory, { registry: folder.registry, isolation: 'inline' });
    expect(folder.registry.names).toEqual(['a_tool', 'b_tool', 'list_plugins', 'reload_plugin']);
    expect(folder.events.length).toBe(received);
    await second.stop();
    expect(folder.registry.names).toEqual([]);
  });

  it('can be closed before it has started and while it loads', async () => {
    const idle = await start();
    await idle.loader.stop();
    const busy = await start({ loadTimeoutMs: 60_000 });
    await busy.write('hung.ts', 'await new Promise(() => {});');
    const ready = busy.loader.ready;
    await busy.loader.stop();
    await ready;
    expect(busy.registry.names).toEqual([]);
  });

  it('notifies listeners of tool changes', async () => {
    const folder = await start();
    let changes = 0;
    const stop = folder.loader.onChange(() => (changes += 1));
    await folder.loader.ready;
    await folder.write('a.ts', 'throw 1;');
    await folder.event('failed', 'a');
    await folder.write('a.ts', pluginSource('a_tool', 'a'));
    await folder.event('loaded', 'a');
    expect(changes).toBe(1);
    stop();
    await rm(join(folder.directory, 'a.ts'));
    await folder.event('removed', 'a');
    expect(changes).toBe(1);
  });
});
