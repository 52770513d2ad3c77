import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The state of some files. */
export interface FilesPrint {
  /** Size and time of the last write, by absolute path. */
  readonly stamps: ReadonlyMap<string, string>;
  /** Milliseconds since the epoch of the newest write. */
  readonly newest: number;
  /** Whether a code file is empty, as files are for a moment while they are written anew. */
  readonly hasEmpty: boolean;
  /** Whether there is more than may be. */
  readonly isTooLarge: boolean;
}

/** Files and folders that a plugin may hold, without hidden ones and `node_modules`. */
export const maxEntries = 5_000;
/** Folders within each other that are looked into. */
export const maxDepth = 32;

/** Takes the print of a file, or of all files below a folder, without `node_modules` and hidden files. */
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

/** Files that came, went or were written between two prints. */
export function changedFiles({ stamps: before }: FilesPrint, { stamps: after }: FilesPrint): readonly string[] {
  const all = new Set([...before.keys(), ...after.keys()]);
  return [...all].filter((file) => before.get(file) !== after.get(file));
}

/** Names that are never part of a plugin: hidden files, installed packages, what editors leave behind. */
export function isIgnoredName(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules' || name.endsWith('~') || name.endsWith('.tmp');
}
