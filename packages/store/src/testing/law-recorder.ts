import type { Change, Collection, Watch } from '../documents/store.ts';
import { StoreError } from '../store-error.ts';

/** A schema that accepts every JSON value. */
export function anything(value: unknown): unknown {
  return value;
}

/** Returns the code of the StoreError that `attempt` throws, or `'none'`. Rethrows other errors. */
export async function codeOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return 'none';
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

/** The recorded changes and a way to wait for one. */
export interface ChangeRecorder {
  readonly changes: readonly Change[];
  /** Resolves when a change of that kind and key, with at least that version, has arrived. */
  waitFor(kind: Change['kind'], key: string, version?: number): Promise<void>;
  readonly watch: Watch;
}

/** Watches a collection and records its changes. */
export async function recordChanges<Value, Input>(
  collection: Collection<Value, Input>,
  prefix = '',
): Promise<ChangeRecorder> {
  const changes: Change[] = [];
  const waiting = new Set<() => void>();
  const watch = await collection.watch(prefix, (change) => {
    changes.push(change);
    for (const check of waiting) check();
  });
  return {
    changes,
    watch,
    waitFor: (kind, key, version = 0) =>
      new Promise((resolve) => {
        const check = (): void => {
          const matches = (change: Change): boolean =>
            change.kind === kind && 'key' in change && change.key === key && change.version >= version;
          if (!changes.some(matches)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
  };
}
