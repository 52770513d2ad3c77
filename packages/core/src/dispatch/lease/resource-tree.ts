import type { Footprint } from '../../contracts/permission/footprint.ts';
import { PositionGroup, follow, type QueuePosition } from './queue-position.ts';

/** The state of one resource, or of everything below a directory. */
interface Place {
  readonly below: Map<string, Place>;
  /** The last writer, and the readers since then. */
  writer: QueuePosition | undefined;
  readonly readers: PositionGroup;
  /** The same for all resources below this one. */
  readonly writersBelow: PositionGroup;
  readonly readersBelow: PositionGroup;
}

/** Tracks which calls use which resources, to determine which calls must wait. */
export interface ResourceTree {
  /** Number of tracked resources. */
  readonly size: number;
  /** Makes a position follow every earlier position that conflicts with its footprint. */
  enter(position: QueuePosition, footprint: Footprint): void;
  /** Discards resources that are no longer in use. */
  sweep(): void;
}

/** Maximum directory depth. Anything deeper counts as the directory at this depth. */
const deepest = 200;

/**
 * Creates a tree of resources with one level per directory. A position follows only the last writer of a resource and
 * the readers since then, which in turn follow earlier positions. The cost therefore depends on the number and depth of
 * the keys, not on the number of pairs of calls.
 */
export function createResourceTree(): ResourceTree {
  const root = createPlace();
  return {
    get size() {
      return sizeOf(root);
    },
    enter(position, { reads, writes }) {
      const accesses = [
        ...writes.map((key) => ({ path: pathTo(root, key), isWrite: true })),
        ...reads.map((key) => ({ path: pathTo(root, key), isWrite: false })),
      ];
      // Follows all other positions first, so that a call never waits for one of its own keys.
      for (const { path, isWrite } of accesses) followAll(position, path, isWrite);
      for (const { path, isWrite } of accesses) leaveTrace(position, path, isWrite);
    },
    sweep: () => void isDeserted(root),
  };
}

function sizeOf(place: Place): number {
  let size = 1;
  for (const next of place.below.values()) size += sizeOf(next);
  return size;
}

/** Checks whether a resource and everything below it are unused. Removes unused children. */
function isDeserted(place: Place): boolean {
  for (const [part, next] of place.below) if (isDeserted(next)) place.below.delete(part);
  if (place.writer?.isOver) place.writer = undefined;
  const groups = [place.readers, place.writersBelow, place.readersBelow].filter((group) => !group.isOver);
  return groups.length === 0 && place.writer === undefined && place.below.size === 0;
}

function followAll(position: QueuePosition, path: readonly Place[], isWrite: boolean): void {
  const last = path.length - 1;
  for (let index = 0; index <= last; index += 1) {
    const place = path[index]!;
    if (place.writer) follow(position, place.writer);
    if (isWrite) followGroup(position, place.readers);
    if (index < last) continue;
    followGroup(position, place.writersBelow);
    if (isWrite) followGroup(position, place.readersBelow);
  }
}

function followGroup(position: QueuePosition, group: PositionGroup): void {
  const leader = group.asOne();
  if (leader) follow(position, leader);
}

function leaveTrace(position: QueuePosition, path: readonly Place[], isWrite: boolean): void {
  const last = path.length - 1;
  for (let index = 0; index < last; index += 1) {
    const { writersBelow, readersBelow } = path[index]!;
    (isWrite ? writersBelow : readersBelow).add(position);
  }
  const place = path[last]!;
  if (!isWrite) return place.readers.add(position);
  // Later positions follow this writer, and through it all earlier positions.
  place.writer = position;
  place.readers.clear();
  place.writersBelow.clear();
  place.readersBelow.clear();
  if (place.below.size > 0) place.below.clear();
}

/**
 * Returns the nodes from the root (`*`) down to a key. A key with a trailing slash is a directory with everything below
 * it.
 */
function pathTo(root: Place, key: string): readonly Place[] {
  const path = [root];
  if (key === '*') return path;
  let place = root;
  const parts = key.match(/[^/]*\/|[^/]+$/g) ?? [''];
  for (const part of parts.slice(0, deepest)) {
    let next = place.below.get(part);
    if (next === undefined) place.below.set(part, (next = createPlace()));
    path.push((place = next));
  }
  return path;
}

function createPlace(): Place {
  return {
    below: new Map(),
    writer: undefined,
    readers: new PositionGroup(),
    writersBelow: new PositionGroup(),
    readersBelow: new PositionGroup(),
  };
}
