import { lstatSync, opendirSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Roots } from '../paths/confine.ts';
import { openDirectory, openEntry, type ExpectedPathOptions } from './confined-directory.ts';
import { describeStats, kindOf, movedOut, notDirectory, type EntryKind, type EntryStatus } from './entry-status.ts';
import { failureFromError, type SandboxFailure } from '../sandbox-failure.ts';

/** The status of an entry inside the roots. */
export interface ConfinedStatus extends EntryStatus {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
}

/** Options of {@link statConfined}. */
export interface StatConfinedOptions extends ExpectedPathOptions {
  /** Whether to follow a link. Default true; false returns the status of the link itself. */
  readonly followLinks?: boolean;
}

/**
 * Returns the status of an entry inside the roots. Codes: those of `confine`, and `NOT_FOUND`, `READ_ERROR`.
 *
 * @example
 * import { statConfined } from '@haft/sandbox';
 * const status = await statConfined([process.cwd()], '/outside/notes.txt');
 * 'code' in status && status.code; // => 'OUTSIDE_ROOTS'
 */
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

/** An entry of a directory. Links have the kind `link`, whatever their target. */
export interface DirectoryEntry {
  readonly name: string;
  readonly kind: EntryKind;
}

/** The entries of a directory, sorted by name in code-unit order. */
export interface ConfinedListing {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  readonly entries: readonly DirectoryEntry[];
  /** True if there are more entries than `maxEntries`. The file system determines which ones are returned. */
  readonly truncated: boolean;
}

/** Options of {@link listConfinedDirectory}. */
export interface ListConfinedOptions extends ExpectedPathOptions {
  /** Default 10,000. */
  readonly maxEntries?: number;
}

/**
 * Lists a directory inside the roots, in bounded memory and without blocking the event loop. Codes: those of `confine`,
 * and `NOT_FOUND`, `NOT_DIRECTORY`, `READ_ERROR`.
 *
 * @example
 * import { mkdtemp, realpath, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { listConfinedDirectory } from '@haft/sandbox';
 * const root = await mkdtemp(join(await realpath(tmpdir()), 'work-'));
 * await writeFile(join(root, 'a.txt'), 'a');
 * const listing = await listConfinedDirectory([root], root);
 * listing.ok && listing.entries.map(({ name }) => name); // => ['a.txt']
 */
export async function listConfinedDirectory(
  roots: Roots,
  path: string,
  options: ListConfinedOptions = {},
): Promise<ConfinedListing | SandboxFailure> {
  const directory = openDirectory(roots, path, options);
  if (!directory.ok) return directory;
  try {
    const { entries, truncated } = await readEntries(directory.at('.'), options.maxEntries ?? 10_000);
    return directory.isConfined() ? { ok: true, path: directory.path, entries, truncated } : movedOut(path);
  } catch (error) {
    return failureFromError(error, 'READ_ERROR', path);
  } finally {
    directory.close();
  }
}

// Reading or sorting this many entries takes a millisecond or two, even on a slow disk.
const batchEntries = 512;
const mergeBatchEntries = 4_096;

/**
 * Reads entries in batches, so that a large directory does not block the event loop. Entries of the open directory stay
 * valid when it moves.
 */
async function readEntries(path: string, maxEntries: number): Promise<Pick<ConfinedListing, 'entries' | 'truncated'>> {
  const handle = opendirSync(path, { bufferSize: 256 });
  const runs: DirectoryEntry[][] = [];
  let run: DirectoryEntry[] = [];
  let count = 0;
  let truncated = false;
  try {
    for (let entry = handle.readSync(); entry !== null; entry = handle.readSync()) {
      truncated = count >= maxEntries;
      if (truncated) break;
      run.push({ name: entry.name, kind: kindOf(entry) });
      count += 1;
      if (run.length < batchEntries) continue;
      runs.push(run.sort(byName));
      run = [];
      await nextTurn();
    }
  } finally {
    handle.closeSync();
  }
  return { entries: await mergeRuns([...runs, run.sort(byName)]), truncated };
}

/** Merges sorted runs pairwise, in batches. */
async function mergeRuns(runs: readonly DirectoryEntry[][]): Promise<DirectoryEntry[]> {
  let left = [...runs];
  let moved = 0;
  while (left.length > 1) {
    const merged: DirectoryEntry[][] = [];
    for (let index = 0; index < left.length; index += 2) {
      const [first, second] = [left[index]!, left[index + 1] ?? []];
      merged.push(await mergeTwo(first, second));
      moved += first.length + second.length;
      if (moved >= mergeBatchEntries) {
        moved = 0;
        await nextTurn();
      }
    }
    left = merged;
  }
  return left[0] ?? [];
}

async function mergeTwo(first: DirectoryEntry[], second: DirectoryEntry[]): Promise<DirectoryEntry[]> {
  if (second.length === 0) return first;
  const merged: DirectoryEntry[] = [];
  for (let one = 0, two = 0; one < first.length || two < second.length;) {
    const isFirst = two >= second.length || (one < first.length && byName(first[one]!, second[two]!) < 0);
    merged.push(isFirst ? first[one++]! : second[two++]!);
    if (merged.length % mergeBatchEntries === 0) await nextTurn();
  }
  return merged;
}

function byName(left: DirectoryEntry, right: DirectoryEntry): number {
  return left.name < right.name ? -1 : 1;
}
