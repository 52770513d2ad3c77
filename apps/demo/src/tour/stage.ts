import type { ToolRegistry } from '@haft/core';
import { createPluginLoader, type PluginEvent } from '@haft/dynamic-tools';
import { createConnection } from '@haft/mcp';
import { copyFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createCleanup } from '../assembly/cleanup.ts';
import { describePluginEvent } from '../assembly/serve-plugins.ts';
import { fixturePath } from './temporary-workspace.ts';
import { describeToolEvent, openToolKeeper } from './tool-keeper.ts';

/** What goes on around the model: a watched plugin folder, and an MCP server that comes later. */
export interface Stage extends AsyncDisposable {
  /** Saves a plugin file in the watched folder; resolves when it is served. */
  dropPlugin(): Promise<void>;
  /** Saves a broken version of it; resolves when the loader has refused that. */
  breakPlugin(): Promise<void>;
  /** Mends it; resolves when the new version is served. */
  editPlugin(): Promise<void>;
  /** Deletes it; resolves when its tools are gone. */
  removePlugin(): Promise<void>;
  /** Ends the program's memory of tools that the model wrote, and starts it again from its file. */
  restart(): Promise<void>;
  /** Starts an MCP server and connects it. */
  connectServer(): Promise<void>;
}

/** What {@link createStage} takes. */
export interface StageOptions {
  readonly registry: ToolRegistry;
  /** The folder to watch. */
  readonly plugins: string;
  /** The folder in which tools that the model writes are kept. */
  readonly state: string;
  readonly signal: AbortSignal;
  /** Is told what happens, a line each. */
  readonly announce: (line: string, tone: 'accent' | 'warn') => void;
}

/** Sets the stage; disposing of it stops watching and ends the server. */
export async function createStage({ registry, plugins, state, signal, announce }: StageOptions): Promise<Stage> {
  const cleanup = createCleanup();
  const keeper = await openToolKeeper(registry, state, (event) => {
    const line = describeToolEvent(event);
    if (line !== undefined) announce(line, event.type === 'tool-blocked' ? 'warn' : 'accent');
  });
  cleanup.defer(() => keeper.close());
  const loader = createPluginLoader({ dir: plugins, registry, isolation: 'inline' });
  cleanup.defer(() => loader.stop());
  await loader.ready;

  /** Saves a fixture under a plugin's name and waits for the event that says what the loader made of it. */
  const save = (fixture: string, type: PluginEvent['type']): Promise<PluginEvent> => {
    const heard = nextEvent(type);
    return copyFile(fixturePath(join('plugins', fixture)), join(plugins, 'changelog.mjs')).then(() => heard);
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
      announce('somebody saves plugins/changelog.mjs', 'accent');
      announce(describePluginEvent(await save('changelog.mjs', 'loaded')) ?? '', 'accent');
    },
    async breakPlugin() {
      announce('somebody saves plugins/changelog.mjs again, half finished', 'warn');
      announce(describePluginEvent(await save('changelog.broken.mjs.txt', 'failed')) ?? '', 'warn');
    },
    async editPlugin() {
      announce('somebody mends plugins/changelog.mjs and saves it', 'accent');
      announce(describePluginEvent(await save('changelog.edited.mjs.txt', 'replaced')) ?? '', 'accent');
    },
    async removePlugin() {
      announce('somebody deletes plugins/changelog.mjs', 'warn');
      const heard = nextEvent('removed');
      await rm(join(plugins, 'changelog.mjs'));
      announce(describePluginEvent(await heard) ?? '', 'warn');
    },
    async restart() {
      announce('the program forgets its own tools and starts again from state/haft.db', 'accent');
      const restored = await keeper.restart();
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
