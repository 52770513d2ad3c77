import { createStore, type Store } from '@haft/store';

/** A store, and a function that closes it if it was opened here. */
export interface OpenedStore {
  readonly store: Store;
  close(): Promise<void>;
}

/**
 * Returns the given store, opens the store at an address, or opens a store in memory. Rejects with the error of the
 * store.
 */
export async function openStore(given: Store | string | undefined): Promise<OpenedStore> {
  if (typeof given === 'object') return { store: given, close: () => Promise.resolve() };
  const store = await createStore({ url: given ?? 'memory:' });
  return { store, close: () => store.close() };
}
