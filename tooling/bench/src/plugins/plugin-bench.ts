import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { allowAll, createDispatcher, renderForModel, ToolRegistry } from '@haft/core';
import { createPluginLoader, type PluginEvent, type PluginLoader, type PluginLoaderOptions } from '@haft/dynamic-tools';
import { makeFolder } from '@haft-tooling/measure';
import { pluginText } from '@haft-tooling/corpora/plugin-texts';

/** A folder with one loaded plugin, and functions to change and call it. */
export interface PluginBench {
  readonly directory: string;
  readonly loader: PluginLoader;
  /** The file in which the plugin records each call, if requested. */
  readonly log: string;
  /** Saves a version and waits until it is active. Returns milliseconds since the save. */
  save(version: number): Promise<number>;
  call(id: string): Promise<{ readonly ok: boolean; readonly text: string }>;
  end(): Promise<void>;
}

export async function openPluginBench(isolation: 'inline' | 'process', notes = false): Promise<PluginBench> {
  const folder = makeFolder();
  const directory = folder.path;
  const log = join(directory, '_log.txt');
  await writeFile(log, '');
  const file = join(directory, 'answer.ts');
  const text = (version: number): string => pluginText(version, 'answer', notes ? log : '');
  await writeFile(file, text(0));
  const registry = new ToolRegistry();
  let onEvent: ((event: PluginEvent) => void) | undefined;
  const options: PluginLoaderOptions = {
    directory,
    registry,
    isolation,
    jail: 'preferred',
    onEvent: (event) => onEvent?.(event),
    ...(notes && { grants: { answer: { fs: { write: [log] } } } }),
  };
  const loader = createPluginLoader(options);
  await loader.ready;
  const [plugin] = loader.plugins();
  if (plugin?.state !== 'live') throw new Error(`the plugin is not served: ${plugin?.failure?.message}`);
  const dispatcher = createDispatcher({ registry, permission: allowAll });
  return {
    directory,
    loader,
    log,
    async save(version) {
      const served = new Promise<void>((resolve, reject) => {
        onEvent = (event) => {
          if (event.type === 'replaced') resolve();
          if (event.type === 'failed' && event.failure.phase === 'dispose')
            process.stderr.write(`${event.failure.message}\n`);
          else if (event.type === 'failed') reject(new Error(event.failure.message));
        };
      });
      const start = performance.now();
      await writeFile(file, text(version));
      await served;
      return performance.now() - start;
    },
    async call(id) {
      const result = await dispatcher.dispatch({ id, name: 'answer', arguments: { id } });
      return { ok: result.ok, text: renderForModel(result) };
    },
    async end() {
      await loader.stop();
      folder.remove();
    },
  };
}
