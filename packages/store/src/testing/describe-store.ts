import type { Store } from '../documents/store.ts';
import { batchLaws } from './batch-laws.ts';
import { documentLaws } from './document-laws.ts';
import type { Law, TestApi } from './law.ts';
import { listLaws } from './list-laws.ts';
import { schemaLaws } from './schema-laws.ts';
import { sharingLaws } from './sharing-laws.ts';
import { versionLaws } from './version-laws.ts';
import { watchLaws } from './watch-laws.ts';

/** A place for documents that a law has for itself, empty at first. */
export interface StoreUnderTest {
  /** Opens a store over the place; called again, another one over the same. */
  open(): Promise<Store>;
  /** Removes the place, after all its stores were closed. */
  remove?(): Promise<void>;
}

/** What is to be proven. */
export interface StoreLaws {
  /** Makes a new place for each law. */
  readonly create: () => Promise<StoreUnderTest>;
  /** Whether every store over a place sees the same documents, and they outlive it. Memory does not. */
  readonly isShared: boolean;
}

/**
 * The laws that every store keeps, as a suite for any test runner: what was written is read, compare-and-set lets one
 * win, batches are all or nothing, lists are in order, watchers miss nothing, old documents are migrated and newer ones
 * left alone.
 */
export function describeStore({ describe, it, expect }: TestApi, { create, isShared }: StoreLaws): void {
  const groups: readonly (readonly [name: string, laws: readonly Law[]])[] = [
    ['documents', documentLaws],
    ['versions', versionLaws],
    ['lists', listLaws],
    ['batches', batchLaws],
    ['watches', watchLaws],
    ['schemas', schemaLaws],
    ...(isShared ? [['several stores over one place', sharingLaws] as const] : []),
  ];
  for (const [name, laws] of groups) {
    describe(name, () => {
      for (const law of laws) it(law.name, () => prove(law, create, expect));
    });
  }
}

async function prove(law: Law, create: StoreLaws['create'], expect: TestApi['expect']): Promise<void> {
  const place = await create();
  const opened: Store[] = [];
  const open = async (): Promise<Store> => {
    const store = await place.open();
    opened.push(store);
    return store;
  };
  try {
    await law.prove(await open(), expect, open);
  } finally {
    await Promise.all(opened.map((store) => store.close()));
    await place.remove?.();
  }
}
