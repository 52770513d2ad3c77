import { join } from 'node:path';
import { listConfinedDirectory, type Roots, type SandboxFailure } from '@haft/sandbox';
import { loadIgnoreRules, type IgnoreRules } from './ignore-rules.ts';
import { takeTurns } from './take-turns.ts';

/** One folder of a walk, with the names that are not ignored, sorted. */
export interface WalkedFolder {
  /** Real absolute path. */
  readonly path: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** What a walk left out; filled in while it goes on. */
export interface WalkReport {
  /** Entries that ignore rules kept out, each counted once, whatever is below it. */
  ignored: number;
  /** Folders that could not be listed. */
  readonly unreadable: { readonly path: string; readonly failure: SandboxFailure }[];
  /** Folders with more entries than were looked at. */
  readonly cut: string[];
}

const mostEntries = 100_000;

/** Makes an empty report. */
export function createWalkReport(): WalkReport {
  return { ignored: 0, unreadable: [], cut: [] };
}

/**
 * Walks a folder and all below it, sorted by name, each folder's files before its folders. Links are never followed,
 * also where one takes a folder's place meanwhile, so everything lies below `start`, a real path. Folders that can't be listed are reported, never taken for empty ones.
 */
export async function* walkFolders(
  roots: Roots,
  start: string,
  report: WalkReport,
  signal: AbortSignal,
): AsyncGenerator<WalkedFolder> {
  const pending: { readonly path: string; readonly rules: () => Promise<IgnoreRules> }[] = [
    { path: start, rules: () => loadIgnoreRules(roots, start) },
  ];
  const turns = takeTurns();
  for (let next = pending.pop(); next; next = pending.pop()) {
    signal.throwIfAborted();
    const listing = await listConfinedDirectory(roots, next.path, { maxEntries: mostEntries, expectedPath: next.path });
    if (!listing.ok) {
      report.unreadable.push({ path: next.path, failure: listing });
      continue;
    }
    if (listing.truncated) report.cut.push(next.path);
    const { path } = next;
    const rules = await next.rules();
    const files: string[] = [];
    const folders: string[] = [];
    for (const { name, kind } of listing.entries) {
      const turn = turns.next();
      if (turn !== undefined) await turn;
      if (kind !== 'file' && kind !== 'directory') continue;
      if (rules.ignores(name, kind === 'directory')) report.ignored += 1;
      else if (kind === 'file') files.push(name);
      else folders.push(name);
    }
    yield { path, files, folders };
    for (const name of folders.toReversed()) pending.push({ path: join(path, name), rules: () => rules.enter(name) });
  }
}
