import { lstatSync, opendirSync } from 'node:fs';
import type { Roots } from './confine.ts';
import { openConfinedDirectory, openEntry, type ExpectedPlace } from './confined-directory.ts';
import { describeStats, kindOf, movedOut, notDirectory, type EntryKind, type EntryStatus } from './entry-status.ts';
import { failureFromError, type SandboxFailure } from './sandbox-failure.ts';

/** What an entry inside the roots is. */
export interface ConfinedStatus extends EntryStatus {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
}

/** Options for asking about an entry. */
export interface StatConfinedOptions extends ExpectedPlace {
  /** Whether a link is followed to what it leads to. Default true; false tells about the link itself. */
  readonly followLinks?: boolean;
}

/** Tells what an entry inside the roots is. Codes as for `confine`, and `NOT_FOUND`, `READ_ERROR`. */
export async function statConfined(
  roots: Roots,
  path: string,
  options: StatConfinedOptions = {},
): Promise<ConfinedStatus | SandboxFailure> {
  const entry = openEntry(roots, path, {
    followLast: options.followLinks ?? true,
    expectedPath: options.expectedPath,
  });
  if (!entry.ok) return entry;
  try {
    const stats = lstatSync(entry.directory.at(entry.name), { bigint: true });
    if (entry.directoryOnly && !stats.isDirectory()) return notDirectory(path);
    return entry.directory.isConfined() ? { ok: true, path: entry.path, ...describeStats(stats) } : movedOut(path);
  } catch (error) {
    return failureFromError(error, 'READ_ERROR', path);
  } finally {
    entry.directory.close();
  }
}

/** One entry of a directory. A link is told as `link`, whatever it leads to. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** A directory's entries, sorted by name in code-unit order. */
export interface ConfinedListing {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  readonly entries: readonly DirectoryEntry[];
  /** There are more entries than `maxEntries`; which ones were kept is up to the file system. */
  readonly truncated: boolean;
}

/** Options for listing a directory. */
export interface ListConfinedOptions extends ExpectedPlace {
  /** Default 10,000. */
  readonly maxEntries?: number;
}

/**
 * Lists a directory inside the roots, in bounded memory. Codes as for `confine`, and `NOT_FOUND`, `NOT_DIRECTORY`,
 * `READ_ERROR`.
 */
export async function listConfinedDirectory(
  roots: Roots,
  path: string,
  options: ListConfinedOptions = {},
): Promise<ConfinedListing | SandboxFailure> {
  const directory = openConfinedDirectory(roots, path, options);
  if (!directory.ok) return directory;
  try {
    const { entries, truncated } = readEntries(directory.at('.'), options.maxEntries ?? 10_000);
    return directory.isConfined() ? { ok: true, path: directory.path, entries, truncated } : movedOut(path);
  } catch (error) {
    return failureFromError(error, 'READ_ERROR', path);
  } finally {
    directory.close();
  }
}

function readEntries(path: string, maxEntries: number): Pick<ConfinedListing, 'entries' | 'truncated'> {
  const handle = opendirSync(path, { bufferSize: 256 });
  try {
    const entries: DirectoryEntry[] = [];
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
      if (entries.length >= maxEntries) return { entries: sortByName(entries), truncated: true };
      entries.push({ name: entry.name, kind: kindOf(entry) });
    }
    return { entries: sortByName(entries), truncated: false };
  } finally {
    handle.closeSync();
  }
}

function sortByName(entries: DirectoryEntry[]): DirectoryEntry[] {
  return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
}
