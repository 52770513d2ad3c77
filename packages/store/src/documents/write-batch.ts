import type { ChangeFeed } from './change-feed.ts';
import { conflictingVersion, prepareDelete, prepareSet } from './collection.ts';
import type { DocumentCodec } from './document-codec.ts';
import type { BatchResult, BatchWrite } from './store.ts';
import type { DriverChange, RefusedChange, StoreDriver } from '../store-driver.ts';
import { hintOf, StoreError } from '../store-error.ts';

/** Maximum number of writes in a batch. */
const maxBatchWrites = 1_000;

/** Dependencies of a batch. */
export interface BatchDependencies {
  readonly driver: StoreDriver;
  readonly feed: ChangeFeed;
  /** The codec of each collection that this store created. */
  readonly codecs: WeakMap<object, DocumentCodec<unknown>>;
  /** Throws if the store is closed. */
  readonly assertOpen: () => void;
}

/** Applies several writes atomically. */
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
  if (codec === undefined)
    throw new StoreError(
      'INVALID_OPTION',
      'batch: the collection belongs to another store (expected a collection of this store)',
    );
  const { name } = write.collection;
  return write.kind === 'set'
    ? prepareSet(name, codec, write.key, write.value, write)
    : prepareDelete(name, write.key, write);
}

function checkBatch(writes: readonly BatchWrite[]): void {
  if (!Array.isArray(writes)) throw new StoreError('INVALID_OPTION', 'batch: must be an array of writes');
  if (writes.length > maxBatchWrites) {
    throw new StoreError(
      'INVALID_OPTION',
      `batch: has too many writes (expected at most ${maxBatchWrites}, got ${writes.length})`,
    );
  }
  const seen = new Set<string>();
  for (const write of writes as readonly (Partial<BatchWrite> | null | undefined)[]) {
    if (write?.kind !== 'set' && write?.kind !== 'delete') {
      throw new StoreError('INVALID_OPTION', 'batch: kind must be "set" or "delete"');
    }
    const id = JSON.stringify([write.collection?.name, write.key]);
    if (seen.has(id)) throw new StoreError('INVALID_OPTION', `batch: document ${id} is written twice`);
    seen.add(id);
  }
}

function toBatchConflict(changes: readonly DriverChange[], refused: readonly RefusedChange[]): BatchResult {
  const conflicts = refused.flatMap((each) => {
    const change = changes[each.index];
    return change === undefined ? [] : [{ index: each.index, currentVersion: conflictingVersion(change, each) }];
  });
  const message = `batch not written: ${conflicts.length} documents are not at the expected version`;
  return { ok: false, code: 'CONFLICT', message, hint: hintOf('CONFLICT'), conflicts };
}
