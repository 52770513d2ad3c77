import type { Logger } from '@haft/core';
import { createStore, StoreError, type Store } from '@haft/store';

/** A store, and a function that closes it if it was opened here. */
export interface OpenedStore {
  readonly store: Store;
  close(): Promise<void>;
}

/**
 * Returns the given store, opens the store at an address, or opens a store in memory. If the database package of an
 * address is not installed, warns and opens a store in memory. Rejects with any other error of the store.
 */
export async function openStore(
  given: Store | string | undefined,
  logger: Logger,
  create: typeof createStore = createStore,
): Promise<OpenedStore> {
  if (typeof given === 'object') return { store: given, close: () => Promise.resolve() };
  const store = await openAddress(given ?? 'memory:', logger, create);
  return { store, close: () => store.close() };
}

async function openAddress(url: string, logger: Logger, create: typeof createStore): Promise<Store> {
  try {
    return await create({ url });
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'DRIVER_MISSING') throw error;
    warnOnce(`createToolkit: approvals are kept in memory, since ${error.message}`, logger);
    return create({ url: 'memory:' });
  }
}

const said = new Set<string>();

/** A program that creates many toolkits shows the warning once. */
function warnOnce(message: string, logger: Logger): void {
  if (said.has(message)) return;
  said.add(message);
  logger.warn(message);
}
