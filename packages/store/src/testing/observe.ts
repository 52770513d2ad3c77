import type { Change, Collection, Watch } from '../documents/store.ts';
import { StoreError } from '../store-error.ts';

/** Any JSON value goes. */
export function anything(value: unknown): unknown {
  return value;
}

/** The code of the StoreError that something fails with; `'none'` when it doesn't fail. Other errors are passed on. */
export async function codeOf(attempt: () => unknown): Promise<string> {
  try {
    await attempt();
    return 'none';
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

/** Changes that were heard, and a way to wait for one. */
export interface Hearing {
  readonly changes: readonly Change[];
  /** Resolves when a change of that key and kind, of that version or a later one, has been heard. */
  hears(kind: Change['kind'], key: string, version?: number): Promise<void>;
  readonly watch: Watch;
}

/** Watches a collection and keeps what it hears. */
export async function listen<Value, Input>(collection: Collection<Value, Input>, prefix = ''): Promise<Hearing> {
  const changes: Change[] = [];
  const waiting = new Set<() => void>();
  const watch = await collection.watch(prefix, (change) => {
    changes.push(change);
    for (const look of waiting) look();
  });
  return {
    changes,
    watch,
    hears: (kind, key, version = 0) =>
      new Promise((resolve) => {
        const look = (): void => {
          const isIt = (change: Change): boolean =>
            change.kind === kind && 'key' in change && change.key === key && change.version >= version;
          if (!changes.some(isIt)) return;
          waiting.delete(look);
          resolve();
        };
        waiting.add(look);
        look();
      }),
  };
}
