import { describeCause } from '@haft/core/results';
import type { PluginCapabilities } from '../capabilities.ts';
import type { PluginState } from '../catalog/catalog-entry.ts';
import type { PluginLoaderOptions } from './loader-options.ts';

/** What plugins may do: the catalog's word, or else the program's. */
export interface PluginStates {
  readonly isolationOf: (id: string) => 'inline' | 'process';
  readonly grantsOf: (id: string) => PluginCapabilities;
  readonly isEnabled: (id: string) => boolean;
  /** Ids of the plugins that the catalog remembers. */
  remembered(): Promise<readonly string[]>;
  /** Reads the catalog and follows it. */
  start(): Promise<void>;
  stop(): void;
}

/** Who hears of states. */
export interface PluginStateListener {
  changed(id: string): void;
  failed(message: string): void;
}

export function createPluginStates(
  { catalog, trusted, isolation = 'process', grants }: PluginLoaderOptions,
  listener: PluginStateListener,
): PluginStates {
  let states: ReadonlyMap<string, PluginState> = new Map();
  let stopWatching: (() => void) | undefined;

  /** What can't be read is as it was, and before anything was read as the program says. */
  const read = async (): Promise<void> => {
    if (!catalog) return;
    try {
      const before = states;
      states = await catalog.plugins();
      for (const id of new Set([...before.keys(), ...states.keys()]))
        if (JSON.stringify(before.get(id)) !== JSON.stringify(states.get(id))) listener.changed(id);
    } catch (error) {
      listener.failed(`the plugin states in the catalog are not readable: ${describeCause(error)}`);
    }
  };
  let reading = Promise.resolve();
  const readInTurn = (): Promise<void> => (reading = reading.then(read));

  return {
    isolationOf: (id) => ((states.get(id)?.trusted ?? trusted?.includes(id)) ? 'inline' : isolation),
    grantsOf: (id) => states.get(id)?.grants ?? grants?.[id] ?? {},
    isEnabled: (id) => states.get(id)?.enabled !== false,
    async remembered() {
      await reading;
      return [...states.keys()];
    },
    async start() {
      try {
        stopWatching = await catalog?.watch((change) => {
          if (change.kind === 'plugin' || change.kind === 'reset') void readInTurn();
        });
      } catch (error) {
        listener.failed(`the catalog can't be watched: ${describeCause(error)}`);
      }
      await readInTurn();
    },
    stop: () => stopWatching?.(),
  };
}
