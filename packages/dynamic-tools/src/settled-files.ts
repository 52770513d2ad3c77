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
}

/** Files looked at, at most; a plugin folder with more is watched as far as this. */
const maxFiles = 2_000;

/** Takes the print of a file, or of all files below a folder, without `node_modules` and hidden files. */
export async function printFiles(path: string): Promise<FilesPrint> {
  const stamps = new Map<string, string>();
  let newest = 0;
  let hasEmpty = false;
  const visit = async (at: string): Promise<void> => {
    if (stamps.size >= maxFiles) return;
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
        await visit(below);
      }
    }
  };
  await visit(path);
  return { stamps, newest, hasEmpty };
}

/** Names that are never part of a plugin: hidden files, installed packages, what editors leave behind. */
export function isIgnoredName(name: string): boolean {
  return name.startsWith('.') || name === 'node_modules' || name.endsWith('~') || name.endsWith('.tmp');
}
