import { describeCause } from '@haft/core/results';
import type { PluginCapabilities } from '../capabilities.ts';
import type { PluginState } from '../catalog/catalog-entry.ts';
import type { PluginLoaderOptions } from './loader-options.ts';

/** The settings of plugins: those in the catalog take precedence over those of the program. */
export interface PluginStates {
  readonly isolationOf: (id: string) => 'inline' | 'process';
  readonly grantsOf: (id: string) => PluginCapabilities;
  readonly isEnabled: (id: string) => boolean;
  /** The ids of the plugins in the catalog. */
  remembered(): Promise<readonly string[]>;
  /** Reads the catalog and follows its changes. */
  start(): Promise<void>;
  stop(): void;
}

/** Called with changed settings. */
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

  /** If the catalog can't be read, the last known settings apply or, before the first read, those of the program. */
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
