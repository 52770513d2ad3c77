import { watch, type FSWatcher } from 'chokidar';
import { lstatSync, statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { isIgnoredName, maxDepth, maxEntries } from '../files/settled-files.ts';

/** Callbacks of a watch. */
export interface FolderListener {
  /** Called when a file or folder was added, changed or removed, with its absolute path. */
  onEvent(event: 'add' | 'addDir' | 'change' | 'unlink' | 'unlinkDir', path: string): void;
  onError(error: unknown): void;
}

/** A watch on a folder, and on further files outside of it. */
export interface FolderWatch {
  /** Resolves when everything that existed at the start has been reported. */
  readonly ready: Promise<void>;
  add(file: string): void;
  close(): Promise<void>;
}

/**
 * Watches a folder, which may be created later. Ignores hidden files and installed packages. Entries of the folder may
 * be links to folders; links further below are not followed. Per entry, watches at most as many files and folders as a
 * plugin may contain.
 */
export function watchFolder(folder: string, listener: FolderListener): FolderWatch {
  const seen = createSeenPaths();
  const watcher: FSWatcher = watch(folder, {
    ignored: (path) => isIgnored(folder, path, seen),
    // Files are read only once they have settled, so chokidar's own delay would only add to it.
    awaitWriteFinish: false,
  });
  watcher.on('all', (event, path) => {
    if (event === 'unlink' || event === 'unlinkDir') seen.forget(relative(folder, path));
    listener.onEvent(event as 'add', path);
  });
  watcher.on('error', (error) => listener.onError(error));
  return {
    ready: new Promise((resolve) => watcher.once('ready', () => resolve())),
    add: (file) => void watcher.add(file),
    close: () => watcher.close(),
  };
}

/** Only names below the folder count, because the folder itself may be inside a hidden one. */
function isIgnored(folder: string, path: string, seen: SeenPaths): boolean {
  const below = relative(folder, path);
  if (below === '' || below.startsWith('..')) return false;
  const names = below.split(sep);
  if (names.some(isIgnoredName) || names.length > maxDepth) return true;
  if (names.length === 1) return false;
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return false;
  return (stats.isSymbolicLink() && leadsToFolder(path)) || !seen.take(names[0]!, below, folder);
}

function leadsToFolder(link: string): boolean {
  try {
    return statSync(link).isDirectory();
  } catch {
    return false;
  }
}

/** The paths that are watched below each entry of the folder. */
interface SeenPaths {
  /** Counts a path. Returns false if the limit is exceeded. */
  take(segment: string, below: string, folder: string): boolean;
  forget(below: string): void;
}

/** Time after which a file that disappeared without an event is looked for again, in milliseconds. */
const pruneMs = 1_000;

function createSeenPaths(): SeenPaths {
  const all = new Map<string, { readonly paths: Set<string>; prunedAt: number }>();
  return {
    take(segment, below, folder) {
      const seen = all.get(segment) ?? { paths: new Set(), prunedAt: -Infinity };
      all.set(segment, seen);
      if (seen.paths.has(below)) return true;
      if (seen.paths.size >= maxEntries && performance.now() - seen.prunedAt > pruneMs) {
        for (const path of seen.paths)
          if (!lstatSync(`${folder}${sep}${path}`, { throwIfNoEntry: false })) seen.paths.delete(path);
        seen.prunedAt = performance.now();
      }
      if (seen.paths.size >= maxEntries) return false;
      seen.paths.add(below);
      return true;
    },
    forget(below) {
      const [segment = ''] = below.split(sep);
      if (below === segment) all.delete(segment);
      else all.get(segment)?.paths.delete(below);
    },
  };
}
