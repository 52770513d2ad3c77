import type { Engine } from '../engine/engine.ts';

/** Distributes the notifications of the database inside this process. */
export interface Signals {
  /** Calls `wake` for every signal of this name, and whenever signals may have been missed. Returns the unsubscriber. */
  on(name: string, wake: () => void): () => void;
  stop(): Promise<void>;
}

/** Starts to listen. */
export async function openSignals(engine: Engine, channel: string): Promise<Signals> {
  const listeners = new Map<string, Set<() => void>>();
  const subscription = await engine.listen(channel, (payload) => {
    const names = payload === undefined ? [...listeners.keys()] : [payload];
    for (const name of names) for (const wake of listeners.get(name) ?? []) wake();
  });
  return {
    on(name, wake) {
      const set = listeners.get(name) ?? new Set();
      listeners.set(name, set.add(wake));
      return () => {
        set.delete(wake);
        if (set.size === 0 && listeners.get(name) === set) listeners.delete(name);
      };
    },
    stop: () => subscription.stop(),
  };
}
