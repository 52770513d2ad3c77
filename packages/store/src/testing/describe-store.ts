import type { Store } from '../documents/store.ts';
import { batchLaws } from './batch-laws.ts';
import { documentLaws } from './document-laws.ts';
import type { Law, TestApi } from './law.ts';
import { listLaws } from './list-laws.ts';
import { schemaLaws } from './schema-laws.ts';
import { sharingLaws } from './sharing-laws.ts';
import { versionLaws } from './version-laws.ts';
import { watchLaws } from './watch-laws.ts';

/** The storage for one test, empty at first. */
export interface StoreUnderTest {
  /** Opens a store on this storage. Later calls open further stores on the same storage. */
  open(): Promise<Store>;
  /** Removes the storage after all its stores are closed. */
  remove?(): Promise<void>;
}

/** Options of {@link describeStore}. */
export interface StoreTestOptions {
  /** Creates new storage for each test. */
  readonly create: () => Promise<StoreUnderTest>;
  /** True if all stores on one storage see the same documents and the documents outlive them. False for memory. */
  readonly isShared: boolean;
}

/**
 * Registers tests for a store driver with any test runner. They check reads after writes, compare-and-set, atomic
 * batches, sorted lists, complete change notifications and migrations.
 */
export function describeStore({ describe, it, expect }: TestApi, { create, isShared }: StoreTestOptions): void {
  const groups: readonly (readonly [name: string, laws: readonly Law[]])[] = [
    ['documents', documentLaws],
    ['versions', versionLaws],
    ['lists', listLaws],
    ['batches', batchLaws],
    ['watches', watchLaws],
    ['schemas', schemaLaws],
    ...(isShared ? [['several stores on the same storage', sharingLaws] as const] : []),
  ];
  for (const [name, laws] of groups) {
    describe(name, () => {
      for (const law of laws) it(law.name, () => prove(law, create, expect));
    });
  }
}

async function prove(law: Law, create: StoreTestOptions['create'], expect: TestApi['expect']): Promise<void> {
  const storage = await create();
  const opened: Store[] = [];
  const open = async (): Promise<Store> => {
    const store = await storage.open();
    opened.push(store);
    return store;
  };
  try {
    await law.prove(await open(), expect, open);
  } finally {
    await Promise.all(opened.map((store) => store.close()));
    await storage.remove?.();
  }
}
