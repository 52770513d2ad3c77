import { compareKeys } from '../names.ts';
import { isRefused } from '../store-driver.ts';
import type { DriverChange, KeyRange, StoreDriver, StoredText, WriteOutcome, WrittenKeys } from '../store-driver.ts';

interface MemoryCollection {
  readonly documents: Map<string, StoredText>;
  /** The versions of the recorded deletions. */
  readonly deletions: Map<string, number>;
  /** The sorted keys; rebuilt on demand after a key was added or removed. */
  sortedKeys: readonly string[] | undefined;
}

interface LogEntry {
  readonly collection: string;
  readonly key: string;
  readonly version: number;
  readonly deleted: boolean;
}

/** Maximum number of recorded deletions, for watchers that have not received them yet. */
const maxDeletions = 10_000;

/** Creates a driver that holds its documents in memory until it is closed. */
export function createMemoryDriver(): StoreDriver {
  const collections = new Map<string, MemoryCollection>();
  let log: LogEntry[] = [];
  let version = 0;
  let forgottenThrough = 0;
  let documentCount = 0;

  const collectionOf = (name: string): MemoryCollection => {
    const known = collections.get(name);
    if (known !== undefined) return known;
    const created: MemoryCollection = { documents: new Map(), deletions: new Map(), sortedKeys: undefined };
    collections.set(name, created);
    return created;
  };

  const apply = (change: DriverChange, updatedAt: number): number => {
    const { collection, key, text, schemaVersion } = change;
    const into = collectionOf(collection);
    const existed = into.documents.has(key);
    if (text === undefined && !existed) return 0;
    version += 1;
    if (text === undefined) {
      into.documents.delete(key);
      into.deletions.set(key, version);
    } else {
      into.documents.set(key, { key, text, schemaVersion, version, updatedAt });
      into.deletions.delete(key);
    }
    if (existed !== (text !== undefined)) into.sortedKeys = undefined;
    documentCount += Number(text !== undefined) - Number(existed);
    log.push({ collection, key, version, deleted: text === undefined });
    return version;
  };

  /** Removes outdated log entries and the oldest deletions. */
  const compactLog = (): void => {
    const current = log.filter((entry) => isLatest(entry, collections));
    let tooMany = current.filter((entry) => entry.deleted).length - maxDeletions;
    log = current.filter((entry) => {
      if (!entry.deleted || tooMany <= 0) return true;
      tooMany -= 1;
      forgottenThrough = entry.version;
      collections.get(entry.collection)?.deletions.delete(entry.key);
      return false;
    });
  };

  return {
    name: 'memory',
    get: (collection, key) => collections.get(collection)?.documents.get(key),
    list: (collection, range) => listRange(collections.get(collection), range),
    write(changes): WriteOutcome {
      const refused = changes.flatMap((change, index) => {
        const current = collections.get(change.collection)?.documents.get(change.key);
        return isRefused(change, current) ? [{ index, current }] : [];
      });
      if (refused.length > 0) return { ok: false, refused };
      const updatedAt = Date.now();
      const versions = changes.map((change) => apply(change, updatedAt));
      if (log.length > 2 * (documentCount + maxDeletions)) compactLog();
      return { ok: true, versions, updatedAt };
    },
    changesSince(since, limit): WrittenKeys {
      const keys: LogEntry[] = [];
      for (let index = firstAfter(log, since); index < log.length && keys.length < limit; index += 1) {
        const entry = log[index];
        if (entry !== undefined && isLatest(entry, collections)) keys.push(entry);
      }
      return { keys, complete: since >= forgottenThrough };
    },
    latestVersion: () => version,
    close() {
      collections.clear();
      log = [];
    },
  };
}

function isLatest(entry: LogEntry, collections: ReadonlyMap<string, MemoryCollection>): boolean {
  const { documents, deletions } = collections.get(entry.collection) ?? {};
  return (entry.deleted ? deletions?.get(entry.key) : documents?.get(entry.key)?.version) === entry.version;
}

function firstAfter(log: readonly LogEntry[], version: number): number {
  return findFirstIndex(log.length, (index) => (log[index]?.version ?? 0) > version);
}

function listRange(collection: MemoryCollection | undefined, range: KeyRange): readonly StoredText[] {
  if (collection === undefined) return [];
  collection.sortedKeys ??= [...collection.documents.keys()].sort(compareKeys);
  const keys = collection.sortedKeys;
  const { after, before, from } = range;
  const start = findFirstIndex(keys.length, (index) => {
    const key = keys[index] ?? '';
    return compareKeys(key, from) >= 0 && (after === undefined || compareKeys(key, after) > 0);
  });
  const found: StoredText[] = [];
  for (let index = start; index < keys.length && found.length < range.limit; index += 1) {
    const key = keys[index] ?? '';
    if (before !== undefined && compareKeys(key, before) >= 0) break;
    const document = collection.documents.get(key);
    if (document !== undefined) found.push(document);
  }
  return found;
}

/** Returns the first index for which the condition holds (binary search). The condition must be monotonic. */
function findFirstIndex(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
