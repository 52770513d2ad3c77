import { join } from 'node:path';
import { createDispatcher, ToolRegistry, type ToolSource } from '@haft/core';
import { loadPlugins, type PluginLoader } from '@haft/dynamic-tools';

/** A program that has loaded the plugins. */
export interface Loaded {
  readonly source: ToolSource;
  readonly loader: PluginLoader;
}

/** Loads the folder of plugins, as a program that uses them does. */
export async function load(): Promise<Loaded> {
  const registry = new ToolRegistry();
  // `inline` runs plugins inside this program, with all its rights: right for your own code.
  // Without it, each plugin runs in its own jailed process (Linux with bubblewrap).
  const loader = await loadPlugins(join(import.meta.dirname, '..', 'plugins'), { registry, isolation: 'inline' });
  return { source: createDispatcher({ registry }), loader };
}
