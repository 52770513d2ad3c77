import type { DirectoryEntryStatus } from '@haft/sandbox';
import type { Signature } from './workspace-index.ts';

// The clock that file systems stamp with ticks every few milliseconds, on some every second or two.
const tickMs = 50;
const coarseTickMs = 2_100;

/**
 * What an entry is known by from now on. Undefined when it changed so shortly before `readAt` that it could change once more
 * within the same tick and look the same: it is read again the next time.
 */
export function toSignature(status: DirectoryEntryStatus, readAt: number): Signature | undefined {
  const { inode, size, modifiedMs, changedMs } = status;
  const window = changedMs % 1_000 === 0 ? coarseTickMs : tickMs;
  return changedMs > readAt - window ? undefined : { inode, size, modifiedMs, changedMs };
}

/** Whether an entry is the one that was seen. Nobody can set `changedMs` back, as they can `modifiedMs`. */
export function isSameSignature(known: Signature | undefined, status: DirectoryEntryStatus): boolean {
  return (
    known !== undefined &&
    known.changedMs === status.changedMs &&
    known.modifiedMs === status.modifiedMs &&
    known.size === status.size &&
    known.inode === status.inode
  );
}
