import type { Footprint } from '../../contracts/permission/footprint.ts';
import { PositionGroup, follow, type QueuePosition } from './queue-position.ts';

/** What there is at one resource, or at everything below a folder. */
interface Place {
  readonly below: Map<string, Place>;
  /** The last that writes it, and those that have read it since. */
  writer: QueuePosition | undefined;
  readonly readers: PositionGroup;
  /** The same for all places below it. */
  readonly writersBelow: PositionGroup;
  readonly readersBelow: PositionGroup;
}

/** Knows who touches what, and so who has to wait for whom. */
export interface ResourceTree {
  /** How many places it remembers. */
  readonly size: number;
  /** Lets a position follow every earlier one that writes what it reads or writes, or reads what it writes. */
  enter(position: QueuePosition, footprint: Footprint): void;
  /** Forgets the places where everybody is done. */
  sweep(): void;
}

/** Levels of folders; whatever is below them counts as the folder that they end in. */
const deepest = 200;

/**
 * Makes a tree of resources, one level a folder. A position follows only the last writer of a place and the readers since,
 * who follow those before them; so that the work grows with the keys and their depth, and not with pairs of calls.
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
      // First all that it follows: one key of a call must not make it wait for another of its own.
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

/** Whether nobody is left at a place or below it; takes the deserted places below it away. */
function isDeserted(place: Place): boolean {
  for (const [part, next] of place.below) if (isDeserted(next)) place.below.delete(part);
  if (place.writer?.isOver) place.writer = undefined;
  const groups = [place.readers, place.writersBelow, place.readersBelow].filter((group) => !group.isOver);
  return groups.length === 0 && place.writer === undefined && place.below.size === 0;
}

function followAll(position: QueuePosition, path: readonly Place[], isWrite: boolean): void {
  const last = path.length - 1;
  for (const [index, place] of path.entries()) {
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
  for (const place of path.slice(0, -1)) (isWrite ? place.writersBelow : place.readersBelow).add(position);
  const place = path.at(-1)!;
  if (!isWrite) return place.readers.add(position);
  // Whoever comes later follows this writer, and with it all that was here before.
  place.writer = position;
  place.readers.clear();
  place.writersBelow.clear();
  place.readersBelow.clear();
  place.below.clear();
}

/** The places from everything (`*`) down to the one of a key; a key that ends in a slash is a folder with all below. */
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
