import type { ToolRegistry } from '@haft/core';
import {
  createCatalog,
  createGeneratedTools,
  createRegistrar,
  type GeneratedToolEvent,
  type Registrar,
} from '@haft/dynamic-tools';
import { createStore, type Store } from '@haft/store';
import { join } from 'node:path';

/** Stores the tools that the model writes, across restarts. */
export interface ToolStore {
  /** Drops all loaded tools and loads them from the file. Returns their names. */
  restart(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** Opens the file in a folder and loads its tools. */
export async function openToolStore(
  registry: ToolRegistry,
  folder: string,
  onEvent: (event: GeneratedToolEvent) => void,
): Promise<ToolStore> {
  let open: { readonly store: Store; readonly registrar: Registrar } | undefined;
  const begin = async (): Promise<readonly string[]> => {
    const store = await createStore({ url: `file:${join(folder, 'haft.db')}` });
    const generated = createGeneratedTools({
      registry,
      catalog: createCatalog({ store }),
      directory: join(folder, 'tools'),
      jail: 'preferred',
      onEvent,
    });
    const registrar = createRegistrar({ registry, providers: [generated] });
    open = { store, registrar };
    return (await registrar.restore()).restored;
  };
  const close = async (): Promise<void> => {
    await open?.registrar.stop();
    await open?.store.close();
    open = undefined;
  };
  await begin();
  return {
    async restart() {
      await close();
      return begin();
    },
    close,
  };
}

/** Returns one line about a tool that the model wrote; `undefined` for unimportant events. */
export function describeToolEvent(event: GeneratedToolEvent): string | undefined {
  switch (event.type) {
    case 'tool-added':
      return `tool ${event.tool.name} version ${event.tool.version} added, written by the model`;
    case 'tool-replaced':
      return `tool ${event.tool.name} replaced by version ${event.tool.version}`;
    case 'tool-removed':
      return `tool ${event.name} removed`;
    case 'tool-blocked':
      return `tool ${event.tool.name} can't be called (${event.tool.state}): ${event.tool.reason}`;
    case 'tool-quarantined':
      return `tool ${event.name} did not pass its trial`;
    case 'tool-crashed':
      return `tool ${event.name} ${event.reason}`;
    default:
      return undefined;
  }
}
