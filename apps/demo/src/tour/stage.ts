import type { ToolRegistry } from '@haft/core';
import { createPluginLoader, type PluginEvent } from '@haft/dynamic-tools';
import { createConnection } from '@haft/mcp';
import { copyFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createCleanup } from '../assembly/cleanup.ts';
import { describePluginEvent } from '../assembly/serve-plugins.ts';
import { fixturePath } from './temporary-workspace.ts';
import { describeToolEvent, openToolStore } from './tool-store.ts';

/** Events around the model: a watched plugin folder, and an MCP server that connects later. */
export interface Stage extends AsyncDisposable {
  /** Saves a plugin file in the watched folder; resolves when it is served. */
  dropPlugin(): Promise<void>;
  /** Saves a broken version; resolves when the loader has refused it. */
  breakPlugin(): Promise<void>;
  /** Fixes it; resolves when the new version is served. */
  editPlugin(): Promise<void>;
  /** Deletes it; resolves when its tools are gone. */
  removePlugin(): Promise<void>;
  /** Drops the tools that the model wrote, and loads them again from their file. */
  restart(): Promise<void>;
  /** Starts an MCP server and connects it. */
  connectServer(): Promise<void>;
}

/** Options of {@link createStage}. */
export interface StageOptions {
  readonly registry: ToolRegistry;
  /** The folder to watch. */
  readonly plugins: string;
  /** The folder for tools that the model writes. */
  readonly state: string;
  readonly signal: AbortSignal;
  /** Receives one line per event. */
  readonly announce: (line: string, tone: 'accent' | 'warn') => void;
}

/** Creates the stage. Disposing of it stops watching and ends the server. */
export async function createStage({ registry, plugins, state, signal, announce }: StageOptions): Promise<Stage> {
  const cleanup = createCleanup();
  const toolStore = await openToolStore(registry, state, (event) => {
    const line = describeToolEvent(event);
    if (line !== undefined) announce(line, event.type === 'tool-blocked' ? 'warn' : 'accent');
  });
  cleanup.defer(() => toolStore.close());
  const loader = createPluginLoader({ directory: plugins, registry, isolation: 'inline' });
  cleanup.defer(() => loader.stop());
  await loader.ready;

  /** Saves a fixture under a plugin's name and waits for the loader's event. */
  const save = (fixture: string, type: PluginEvent['type']): Promise<PluginEvent> => {
    const received = nextEvent(type);
    return copyFile(fixturePath(join('plugins', fixture)), join(plugins, 'changelog.mjs')).then(() => received);
  };
  const nextEvent = (type: PluginEvent['type']): Promise<PluginEvent> =>
    new Promise((resolve, reject) => {
      const end = (): void => {
        stop();
        signal.removeEventListener('abort', onAbort);
      };
      const onAbort = (): void => {
        end();
        reject(signal.reason as Error);
      };
      const stop = loader.onEvent((event) => {
        if (event.type !== type) return;
        end();
        resolve(event);
      });
      signal.addEventListener('abort', onAbort, { once: true });
    });

  return {
    async dropPlugin() {
      announce('a developer saves plugins/changelog.mjs', 'accent');
      announce(describePluginEvent(await save('changelog.mjs', 'loaded')) ?? '', 'accent');
    },
    async breakPlugin() {
      announce('a developer saves plugins/changelog.mjs again, half finished', 'warn');
      announce(describePluginEvent(await save('changelog.broken.mjs.txt', 'failed')) ?? '', 'warn');
    },
    async editPlugin() {
      announce('a developer fixes plugins/changelog.mjs and saves it', 'accent');
      announce(describePluginEvent(await save('changelog.edited.mjs.txt', 'replaced')) ?? '', 'accent');
    },
    async removePlugin() {
      announce('a developer deletes plugins/changelog.mjs', 'warn');
      const received = nextEvent('removed');
      await rm(join(plugins, 'changelog.mjs'));
      announce(describePluginEvent(await received) ?? '', 'warn');
    },
    async restart() {
      announce('the program drops its own tools and loads them again from state/haft.db', 'accent');
      const restored = await toolStore.restart();
      announce(`restored: ${restored.join(', ')}`, 'accent');
    },
    async connectServer() {
      announce('an MCP server is started: @modelcontextprotocol/server-everything over stdio', 'accent');
      const entry = createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/dist/index.js');
      const connection = await createConnection({
        name: 'everything',
        command: process.execPath,
        args: [entry, 'stdio'],
        cwd: plugins,
        registry,
        signal,
      });
      cleanup.defer(() => connection.close());
      const { server, tools, pid } = connection;
      announce(
        `connected to ${server?.name ?? 'it'} ${server?.version ?? ''} (process ${pid}): ${tools.length} tools`,
        'accent',
      );
    },
    [Symbol.asyncDispose]: () => cleanup.run(),
  };
}
