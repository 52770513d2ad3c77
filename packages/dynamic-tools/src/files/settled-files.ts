import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A fingerprint of some files. */
export interface FilesPrint {
  /** Size and modification time, by absolute path. */
  readonly stamps: ReadonlyMap<string, string>;
  /** The latest modification time, in milliseconds since the epoch. */
  readonly newest: number;
  /** Whether a code file is empty. A file is often empty for a moment while it is saved. */
  readonly hasEmpty: boolean;
  /** Whether there are more files and folders than the maximum. */
  readonly isTooLarge: boolean;
}

/** Maximum number of files and folders of a plugin, without hidden ones and `node_modules`. */
export const maxEntries = 5_000;
/** Maximum depth of nested folders. */
export const maxDepth = 32;

/** Fingerprints a file, or all files below a folder, without `node_modules` and hidden files. */
export async function printFiles(path: string): Promise<FilesPrint> {
  const stamps = new Map<string, string>();
  let newest = 0;
  let hasEmpty = false;
  let entriesSeen = -1;
  const visit = async (at: string, depth: number): Promise<void> => {
    entriesSeen += 1;
    if (entriesSeen > maxEntries || depth > maxDepth) return;
    const stats = await stat(at).catch(() => undefined);
    if (stats?.isFile()) {
      stamps.set(at, `${stats.size}:${stats.mtimeMs}`);
      newest = Math.max(newest, stats.mtimeMs);
      if (stats.size === 0 && /\.(?:[cm]?[jt]s|json)$/.test(at)) hasEmpty = true;
    } else if (stats?.isDirectory()) {
      const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
      for (const entry of entries) {
        if (isIgnoredName(entry.name)) continue;
        const below = join(at, entry.name);
        // A linked folder may lead back to one above it.
        if (entry.isSymbolicLink() && (await stat(below).catch(() => undefined))?.isDirectory()) continue;
        if (entriesSeen > maxEntries) return;
        await visit(below, depth + 1);
      }
    }
  };
  await visit(path, 0);
  return { stamps, newest, hasEmpty, isTooLarge: entriesSeen > maxEntries };
}

/** Returns the files that were added, removed or changed between two fingerprints. */
export function changedFiles({ stamps: before }: FilesPrint, { stamps: after }: FilesPrint): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((file) => before.get(file) !== after.get(file));
}

/** Returns whether a name is never part of a plugin: hidden files, installed packages, temporary files of editors. */
export function isIgnoredName(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules' || name.endsWith('~') || name.endsWith('.tmp');
}
