import { statSync, watch, type FSWatcher } from 'node:fs';
import { basename, dirname } from 'node:path';

/** Watches the folders of files. */
export interface FolderWatch {
  /** Replaces the files that are followed. A folder that is missing is followed from the nearest one that exists. */
  follow(files: readonly string[]): void;
  close(): void;
}

interface WatchedFolder {
  readonly watcher: FSWatcher;
  readonly inode: number;
  /** Names in the folder whose changes count. */
  names: ReadonlySet<string>;
}

/**
 * Creates a watch that calls `onChange` when a followed file, or a folder that leads to it, may have changed. The caller
 * then calls `follow` again, because folders may have been replaced.
 */
export function createFolderWatch(onChange: () => void): FolderWatch {
  const watched = new Map<string, WatchedFolder>();
  const drop = (folder: string): void => {
    watched.get(folder)?.watcher.close();
    watched.delete(folder);
  };
  const open = (folder: string, names: ReadonlySet<string>): void => {
    const inode = inodeOf(folder);
    if (inode === undefined) return;
    try {
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        // The folder itself is named when it is removed or renamed.
        if (name === null || name === basename(folder) || watched.get(folder)?.names.has(name)) onChange();
      });
      watcher.on('error', onChange);
      watched.set(folder, { watcher, inode, names });
    } catch {
      // The folder was removed in the meantime.
    }
  };
  return {
    follow(files) {
      const wanted = new Map<string, Set<string>>();
      for (const file of files) {
        const [folder, name] = nearest(file);
        wanted.set(folder, (wanted.get(folder) ?? new Set()).add(name));
      }
      for (const [folder, { inode }] of watched) if (!wanted.has(folder) || inodeOf(folder) !== inode) drop(folder);
      for (const [folder, names] of wanted) {
        const known = watched.get(folder);
        if (known) known.names = names;
        else open(folder, names);
      }
    },
    close() {
      for (const folder of watched.keys()) drop(folder);
    },
  };
}

/** Returns the nearest folder above a path that exists, and the name in it that leads to the path. */
function nearest(path: string): readonly [folder: string, name: string] {
  const folder = dirname(path);
  return folder === path || inodeOf(folder) !== undefined ? [folder, basename(path)] : nearest(folder);
}

function inodeOf(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.ino;
}
