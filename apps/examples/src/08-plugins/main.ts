import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDispatcher, renderForModel, ToolRegistry } from '@haft/core';
import { loadPlugins, type PluginEvent } from '@haft/dynamic-tools';

const directory = await mkdtemp(join(tmpdir(), 'plugins-'));
const registry = new ToolRegistry();
// Inline, because this program writes its plugins itself; by default each runs in its own jailed process.
const loader = await loadPlugins(directory, { registry, isolation: 'inline' });
const next = (type: PluginEvent['type']): Promise<PluginEvent> =>
  new Promise((resolve) => {
    const stop = loader.onEvent((event) => {
      if (event.type !== type) return;
      stop();
      resolve(event);
    });
  });
const plugin = (answer: string): string => `export default {
  name: 'weather',
  version: '1.0.0',
  tools: [{
    name: 'get_weather',
    description: 'Tells the weather.',
    input: { type: 'object' },
    kind: 'read',
    execute: () => '${answer}',
  }],
};`;
const source = createDispatcher({ registry });
const weather = async (): Promise<string> =>
  renderForModel(await source.dispatch({ id: '1', name: 'get_weather', arguments: '{}' }));
const save = async (text: string, expected: PluginEvent['type']): Promise<void> => {
  const received = next(expected);
  await writeFile(join(directory, 'weather.mjs'), text);
  await received;
};

await save(plugin('Rain'), 'loaded');
assert.equal(await weather(), 'Rain');
await save(plugin('Sun'), 'replaced');
assert.equal(await weather(), 'Sun');
await save('export default {', 'failed');
assert.equal(await weather(), 'Sun'); // the previous version keeps serving
assert.equal(loader.plugins()[0]?.state, 'outdated');

await loader.stop();
assert.deepEqual(registry.names, []);
await rm(directory, { recursive: true });

console.log('Plugins: one was loaded, replaced and broken while the program ran, and kept serving.');
