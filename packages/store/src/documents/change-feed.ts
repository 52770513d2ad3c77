import type { WarningListener } from '../warning.ts';
import type { Change, ChangeListener, Watch } from './store.ts';
import type { StoreDriver, WrittenKey } from '../store-driver.ts';

/** Delivers changes of all writers to watchers. */
export interface ChangeFeed {
  /** Registers a listener. After the promise resolves, every later write is delivered. */
  add(collection: string, prefix: string, listener: ChangeListener): Promise<Watch>;
  /** Schedules a read of new changes. Called after every write of this store. */
  wake(): void;
  close(): Promise<void>;
}

interface Watcher {
  readonly collection: string;
  readonly prefix: string;
  readonly listener: ChangeListener;
  /** Only changes newer than this version are delivered. */
  readonly since: number;
}

type Stop = () => void | Promise<void>;

const pageSize = 500;
const retryMs = 1_000;

/**
 * Creates a feed that follows the versions of a driver. Each wake-up reads all changes since the last delivered
 * version, so a lost, duplicate or late wake-up causes delay but never a lost change.
 */
export function createChangeFeed(driver: StoreDriver, notify: WarningListener): ChangeFeed {
  const watchers = new Set<Watcher>();
  let delivered = 0;
  let source: Promise<Stop> | undefined;
  /** Number of watchers, including those being added. While it is above zero, the driver is subscribed. */
  let users = 0;
  let isAwake = false;
  let isReading = false;
  let isClosed = false;
  let retry: NodeJS.Timeout | undefined;

  const wake = (): void => {
    if (watchers.size === 0 || isClosed) return;
    isAwake = true;
    if (!isReading) void read();
  };

  const hasToRead = (): boolean => isAwake && watchers.size > 0 && !isClosed;

  const read = async (): Promise<void> => {
    isReading = true;
    try {
      while (hasToRead()) {
        isAwake = false;
        await deliverChanges();
      }
    } catch (cause) {
      if (!isClosed) reportAndRetry(cause);
    } finally {
      isReading = false;
    }
  };

  const deliverChanges = async (): Promise<void> => {
    const { keys, complete } = await driver.changesSince(delivered, pageSize);
    if (!complete) {
      delivered = await driver.latestVersion();
      for (const watcher of watchers) deliver(watcher, { kind: 'reset', version: delivered });
      return;
    }
    for (const written of keys) {
      for (const watcher of watchers) if (concerns(written, watcher)) deliver(watcher, toChange(written));
      delivered = Math.max(delivered, written.version);
    }
    if (keys.length >= pageSize) isAwake = true;
  };

  const deliver = (watcher: Watcher, change: Change): void => {
    if (!watchers.has(watcher)) return;
    const report = (cause: unknown): void => {
      const message = `a listener of ${watcher.collection} threw: ${cause instanceof Error ? cause.message : String(cause)}`;
      notify({ code: 'LISTENER_FAILED', message, cause });
    };
    try {
      const returned: unknown = watcher.listener(change);
      if (returned instanceof Promise) returned.catch(report);
    } catch (cause) {
      report(cause);
    }
  };

  const reportAndRetry = (cause: unknown): void => {
    const message = `changes cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`;
    if (retry !== undefined) return;
    notify({ code: 'WATCH_INTERRUPTED', message, cause });
    retry = setTimeout(() => {
      retry = undefined;
      wake();
    }, retryMs).unref();
  };

  const release = async (): Promise<void> => {
    users -= 1;
    if (users === 0) await closeSource();
  };

  const closeSource = async (): Promise<void> => {
    const ending = source;
    source = undefined;
    const stop = await ending?.catch(() => undefined);
    await stop?.();
  };

  const begin = async (): Promise<number> => {
    source ??= Promise.resolve(driver.watch?.(wake) ?? (() => undefined));
    const started = source;
    try {
      await started;
    } catch (error) {
      if (source === started) source = undefined;
      throw error;
    }
    return driver.latestVersion();
  };

  return {
    async add(collection, prefix, listener) {
      users += 1;
      try {
        const since = await begin();
        // Without watchers, nothing was delivered and there is nothing to catch up with.
        if (watchers.size === 0 && !isReading) delivered = since;
        const watcher: Watcher = { collection, prefix, listener, since };
        watchers.add(watcher);
        // Writes made during setup caused no wake-up.
        wake();
        return {
          close() {
            if (watchers.delete(watcher)) release().catch(() => undefined);
          },
        };
      } catch (error) {
        await release();
        throw error;
      }
    },
    wake,
    async close() {
      isClosed = true;
      watchers.clear();
      clearTimeout(retry);
      await closeSource();
    },
  };
}

function concerns(written: WrittenKey, watcher: Watcher): boolean {
  return (
    written.version > watcher.since &&
    written.collection === watcher.collection &&
    written.key.startsWith(watcher.prefix)
  );
}

function toChange({ key, version, deleted }: WrittenKey): Change {
  return { kind: deleted ? 'delete' : 'set', key, version };
}
