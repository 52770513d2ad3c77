import type { ChangeFeed } from './change-feed.ts';
import { conflictingVersion, prepareDelete, prepareSet } from './collection.ts';
import type { DocumentCodec } from './document-codec.ts';
import type { BatchResult, BatchWrite } from './store.ts';
import type { DriverChange, RefusedChange, StoreDriver } from '../store-driver.ts';
import { hintOf, StoreError } from '../store-error.ts';

/** The most writes that a batch may hold. */
const largestBatch = 1_000;

/** What a batch shares with its store. */
export interface BatchDependencies {
  readonly driver: StoreDriver;
  readonly feed: ChangeFeed;
  /** The codec of each collection that the store made. */
  readonly codecs: WeakMap<object, DocumentCodec<unknown>>;
  /** Throws when the store was closed. */
  readonly assertOpen: () => void;
}

/** Makes several writes as one. */
export async function writeBatch(
  writes: readonly BatchWrite[],
  { driver, feed, codecs, assertOpen }: BatchDependencies,
): Promise<BatchResult> {
  assertOpen();
  checkBatch(writes);
  const changes = await Promise.all(writes.map((write) => prepareWrite(write, codecs)));
  if (changes.length === 0) return { ok: true, versions: [] };
  assertOpen();
  const outcome = await driver.write(changes);
  if (!outcome.ok) return toBatchConflict(changes, outcome.refused);
  feed.wake();
  return { ok: true, versions: outcome.versions };
}

async function prepareWrite(write: BatchWrite, codecs: BatchDependencies['codecs']): Promise<DriverChange> {
  const codec = codecs.get(write.collection);
  if (codec === undefined) throw new StoreError('INVALID_OPTION', 'a batch holds a collection of another store');
  const { name } = write.collection;
  return write.kind === 'set'
    ? prepareSet(name, codec, write.key, write.value, write)
    : prepareDelete(name, write.key, write);
}

function checkBatch(writes: readonly BatchWrite[]): void {
  if (!Array.isArray(writes)) throw new StoreError('INVALID_OPTION', 'a batch is a list of writes');
  if (writes.length > largestBatch) {
    throw new StoreError('INVALID_OPTION', `a batch holds at most ${largestBatch} writes, not ${writes.length}`);
  }
  const seen = new Set<string>();
  for (const write of writes as readonly (Partial<BatchWrite> | null | undefined)[]) {
    if (write?.kind !== 'set' && write?.kind !== 'delete') {
      throw new StoreError('INVALID_OPTION', 'a write of a batch is of kind "set" or "delete"');
    }
    const place = JSON.stringify([write.collection?.name, write.key]);
    if (seen.has(place)) throw new StoreError('INVALID_OPTION', `a batch writes ${place} twice`);
    seen.add(place);
  }
}

function toBatchConflict(changes: readonly DriverChange[], refused: readonly RefusedChange[]): BatchResult {
  const conflicts = refused.flatMap((each) => {
    const change = changes[each.index];
    return change === undefined ? [] : [{ index: each.index, currentVersion: conflictingVersion(change, each) }];
  });
  const message = `nothing of the batch was written: ${conflicts.length} of its documents are at other versions`;
  return { ok: false, code: 'CONFLICT', message, hint: hintOf('CONFLICT'), conflicts };
}
