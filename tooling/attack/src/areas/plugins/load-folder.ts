import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { allowAll, createDispatcher, renderForModel, ToolRegistry, type ToolResult } from '@haft/core';
import { loadPlugins, type PluginLoader, type PluginLoaderOptions } from '@haft/dynamic-tools';

import type { AttackGround } from '../../attack.ts';

/** A loader on a folder of hostile plugins. */
export interface LoadedFolder {
  readonly loader: PluginLoader;
  call(args?: unknown): Promise<ToolResult>;
  /** The result of a call, as a model reads it. */
  text(args?: unknown): Promise<string>;
}

/** Writes files below the directory of an attack. */
export function lay(ground: AttackGround, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(ground.directory, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** Loads the plugins in the folder `plugins` of an attack; calls go to the tool `act`. */
export async function loadFolder(
  ground: AttackGround,
  options: Omit<Partial<PluginLoaderOptions>, 'directory' | 'registry'> = {},
): Promise<LoadedFolder> {
  const registry = new ToolRegistry();
  const loader = await loadPlugins(join(ground.directory, 'plugins'), {
    registry,
    loadTimeoutMs: 15_000,
    ...options,
  });
  ground.onEnd(() => loader.stop());
  const dispatcher = createDispatcher({ registry, permission: allowAll });
  let calls = 0;
  const call = (args: unknown = {}): Promise<ToolResult> =>
    dispatcher.dispatch({ id: `${(calls += 1)}`, name: 'act', arguments: args });
  return { loader, call, text: async (args) => renderForModel(await call(args)) };
}

/** A plugin with the tool `act`, whose body is the given code. */
export function acting(code: string, before = ''): string {
  return `${before}
export default { name: 'x', version: '1.0.0', tools: [{ name: 'act', description: 'Acts.', input: { type: 'object' },
  execute: async (args, context) => { ${code} } }] };`;
}
