import { createStore, type Store } from '@haft/store';

/** A store, and how to close it where it was opened here. */
export interface OpenedStore {
  readonly store: Store;
  close(): Promise<void>;
}

/** Takes the store of the program, or opens the one at an address, or one in memory. Rejects with what the store says. */
export async function openStore(given: Store | string | undefined): Promise<OpenedStore> {
  if (typeof given === 'object') return { store: given, close: () => Promise.resolve() };
  const store = await createStore({ url: given ?? 'memory:' });
  return { store, close: () => store.close() };
}
