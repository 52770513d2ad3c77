import type { DirectoryEntryStatus } from '@haft/sandbox';
import type { Signature } from './workspace-index.ts';

// File timestamps have a resolution of a few milliseconds; on some file systems of one or two seconds.
const tickMs = 50;
const coarseTickMs = 2_100;

/**
 * Returns the signature that identifies this version of an entry. Returns undefined if the entry changed so shortly
 * before `readAt` that another change within the same clock tick would look identical; then it is read again next time.
 */
export function toSignature(status: DirectoryEntryStatus, readAt: number): Signature | undefined {
  const { inode, size, modifiedMs, changedMs } = status;
  const window = changedMs % 1_000 === 0 ? coarseTickMs : tickMs;
  return changedMs > readAt - window ? undefined : { inode, size, modifiedMs, changedMs };
}

/** Compares signatures. Programs can set `modifiedMs` back, but not `changedMs`. */
export function isSameSignature(known: Signature | undefined, status: DirectoryEntryStatus): boolean {
  return (
    known !== undefined &&
    known.changedMs === status.changedMs &&
    known.modifiedMs === status.modifiedMs &&
    known.size === status.size &&
    known.inode === status.inode
  );
}
