import { lstatSync, type BigIntStats } from 'node:fs';
import type { ConfinedEntry } from './confined-directory.ts';
import { createFailure, type SandboxFailure } from '../sandbox-failure.ts';

/** The kind of an entry. `other` is a pipe, socket or device. */
export type EntryKind = 'file' | 'directory' | 'link' | 'other';

/** The status of an entry. */
export interface EntryStatus {
  readonly kind: EntryKind;
  /** Size in bytes. */
  readonly size: number;
  /** The permission bits, `0o000` to `0o777`. */
  readonly mode: number;
  /** The modification time in milliseconds since 1970. */
  readonly modifiedMs: number;
  /** Number of names of the file. If it is more than one, some names may be outside the roots. */
  readonly hardLinks: number;
}

/**
 * Whether files with several names (hard links) may be used: `owned` allows those that belong to the user of this
 * process or to the owner of the directory, `refuse` allows none.
 */
export type HardLinkPolicy = 'allow' | 'owned' | 'refuse';

/** Returns the reason why the content of an entry must not be accessed, or undefined. */
export function findRefusal(
  stats: BigIntStats,
  entry: ConfinedEntry,
  hardLinks: HardLinkPolicy,
): SandboxFailure | undefined {
  const shown = JSON.stringify(entry.path);
  if (stats.isDirectory()) return createFailure('IS_DIRECTORY', `${shown} is a directory`);
  if (entry.directoryOnly) return notDirectory(entry.path);
  if (stats.isSymbolicLink()) return createFailure('SYMLINK_REFUSED', `${shown} is a symbolic link`);
  if (!stats.isFile()) return createFailure('NOT_REGULAR_FILE', `${shown} is a pipe, socket or device`);
  if (stats.nlink > 1n && hardLinks !== 'allow' && (hardLinks === 'refuse' || !isOwned(stats, entry))) {
    return createFailure('HARD_LINKED', `${shown} has ${stats.nlink} names`);
  }
  return undefined;
}

/**
 * Returns true if the file belongs to the user of this process or to the owner of the directory, so it is not a link to
 * another user's file.
 */
function isOwned(stats: BigIntStats, entry: ConfinedEntry): boolean {
  if (process.getuid === undefined || Number(stats.uid) === process.getuid()) return true;
  return stats.uid === lstatSync(entry.directory.at('.'), { bigint: true }).uid;
}

export function notDirectory(path: string): SandboxFailure {
  return createFailure('NOT_DIRECTORY', `${JSON.stringify(path)} is not a directory`);
}

export function movedOut(path: string): SandboxFailure {
  return createFailure('OUTSIDE_ROOTS', `${JSON.stringify(path)} was moved out of its root`);
}

export function describeStats(stats: BigIntStats): EntryStatus {
  return {
    kind: kindOf(stats),
    size: Number(stats.size),
    mode: Number(stats.mode & 0o777n),
    modifiedMs: Number(stats.mtimeNs) / 1e6,
    hardLinks: Number(stats.nlink),
  };
}

export function kindOf(entry: { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean }): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
