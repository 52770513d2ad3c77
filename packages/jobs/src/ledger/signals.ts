import type { Engine } from '../engine/engine.ts';
import type { Outcome } from './read-jobs.ts';

/** Called for a signal. The outcome is known if a worker of this process ended the job. */
export type Wake = (outcome?: Outcome) => void;

/** Distributes the notifications of the database inside this process. */
export interface Signals {
  /**
   * Calls `wake` for every signal of this name, and whenever signals may have been missed. Returns a function that
   * unsubscribes.
   */
  on(name: string, wake: Wake): () => void;
  /** Calls the listeners of this process, without the database. */
  emit(name: string, outcome?: Outcome): void;
  stop(): Promise<void>;
}

/** Starts to listen. */
export async function openSignals(engine: Engine, channel: string): Promise<Signals> {
  const listeners = new Map<string, Set<Wake>>();
  const emit = (name: string, outcome?: Outcome): void => {
    for (const wake of listeners.get(name) ?? []) wake(outcome);
  };
  const subscription = await engine.listen(channel, (payload) => {
    for (const name of payload === undefined ? [...listeners.keys()] : [payload]) emit(name);
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
    emit,
    stop: () => subscription.stop(),
  };
}
