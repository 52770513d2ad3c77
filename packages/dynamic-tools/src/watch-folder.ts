import { watch, type FSWatcher } from 'chokidar';
import { relative, sep } from 'node:path';
import { isIgnoredName } from './settled-files.ts';

/** What is heard about the watched folder. */
export interface FolderListener {
  /** Something was added, changed or removed; the path is absolute. */
  onEvent(event: 'add' | 'addDir' | 'change' | 'unlink' | 'unlinkDir', path: string): void;
  onError(error: unknown): void;
}

/** A watch on a folder and on further files outside of it. */
export interface FolderWatch {
  /** Resolves when everything that was there at the start has been reported. */
  readonly ready: Promise<void>;
  add(file: string): void;
  close(): Promise<void>;
}

/** Watches a folder, which need not exist yet, without hidden files and installed packages. */
export function watchFolder(folder: string, listener: FolderListener): FolderWatch {
  const watcher: FSWatcher = watch(folder, {
    ignored: (path) => isIgnored(folder, path),
    // Files are read only once they have settled; chokidar's own wait would come on top.
    awaitWriteFinish: false,
  });
  watcher.on('all', (event, path) => listener.onEvent(event as 'add', path));
  watcher.on('error', (error) => listener.onError(error));
  return {
    ready: new Promise((resolve) => watcher.once('ready', () => resolve())),
    add: (file) => void watcher.add(file),
    close: () => watcher.close(),
  };
}

/** Only names below the folder count: the folder itself may lie in a hidden one. */
function isIgnored(folder: string, path: string): boolean {
  const below = relative(folder, path);
  if (below === '' || below.startsWith('..')) return false;
  return below.split(sep).some(isIgnoredName);
}
