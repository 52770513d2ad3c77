import { existsSync, realpathSync, type Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, parse, relative, resolve, sep } from 'node:path';
import { compileProtection, lockTrustedPaths, protectDefaultPaths, secretPathGlobs } from '@haft/sandbox';
import type { PluginCapabilities } from '../../capabilities.ts';
import { outermost } from '../../files/readable-packages.ts';

/** The file access of a process that results from its grants. All paths are real. */
export interface FileAccess {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Paths inside `write` that are read-only, because other programs run or trust them. */
  readonly closed: readonly string[];
  /** Secrets inside the other paths, which are hidden. */
  readonly hidden: readonly string[];
  /** Releases the locks. Call it when no process uses the plan any more. */
  readonly release: () => void;
}

export const noFileAccess: FileAccess = { read: [], write: [], closed: [], hidden: [], release: () => undefined };

/** Maximum number of entries to check, in all granted folders together. */
const maxEntries = 50_000;
/** Maximum number of folders per granted folder to search for files that other programs run or trust. */
const maxFolders = 20_000;
/** Maximum number of hidden and read-only paths. Each needs a mount. */
const maxPlaces = 500;
/** Folders that are not searched. They contain no secrets of the workspace, and too many files. */
const passedOver: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * Searches granted files and folders for paths that no grant may open: secrets and, for writing, files that other
 * programs run or trust. Returns a string if the grant can't be used. Without a jail, protected files inside a granted
 * folder can't be hidden, so such a grant is rejected.
 *
 * @param folder the base of relative paths.
 * @param arePlacesReal whether the granted paths contained no links, so that a link in them now was added later.
 */
export async function planFileAccess(
  folder: string,
  { read = [], write = [] }: NonNullable<PluginCapabilities['fs']>,
  isJailed: boolean,
  arePlacesReal = false,
): Promise<FileAccess | string> {
  isSecret ??= compileProtection(secretPathGlobs);
  const look: Look = { entries: maxEntries, hidden: new Map(), linked: [] };
  const readable = await Promise.all(read.map((path) => realIfThere(resolve(folder, path))));
  const writable = await Promise.all(write.map((path) => realIfThere(resolve(folder, path))));
  const own = arePlacesReal ? [parse(folder).root] : [folder, ...write.map((path) => resolve(folder, path))];
  const led = [...read, ...write].find((path) => isLedAway(resolve(folder, path), own));
  if (led !== undefined) return `the grant of ${basename(led)} contains a link; grant its target`;
  for (const place of [...readable, ...writable]) {
    const protectedBy = isSecret(place) ?? (writable.includes(place) ? protectDefaultPaths(place) : undefined);
    if (protectedBy !== undefined)
      return `the grant of ${basename(place)} includes a protected path (${protectedBy}); grant other files`;
    if (!(await lookThrough(place, look)))
      return `the grant of ${basename(place)} has more than ${maxEntries} files and folders; grant smaller folders`;
  }
  hideOtherNames(look);
  const hidden = [...look.hidden.keys()];
  const locked = await lockTrustedPaths(writable, { gitDirectories: 'closed', maxDirectories: maxFolders });
  const closed = outermost(locked.read.filter((path) => !look.hidden.has(path)));
  const refuse = (message: string): string => {
    locked.release();
    return message;
  };
  if (!locked.isComplete || closed.length + hidden.length > maxPlaces)
    return refuse(`the granted folders contain too many folders or protected files; grant smaller folders`);
  const [found] = [...hidden, ...closed];
  if (found !== undefined && !isJailed)
    return refuse(
      `a granted folder contains a protected path (${basename(found)}), which only a jail can hide; grant other folders`,
    );
  // Mounting the parent folders of read-only paths pins their names, so that no other folder can replace them.
  const held = writable.flatMap((place) => closed.flatMap((path) => foldersBetween(place, path)));
  return {
    read: readable,
    write: [...new Set([...writable, ...locked.parents, ...held])],
    closed,
    hidden,
    release: locked.release,
  };
}

/**
 * Returns whether a link below one of the folders changes the meaning of a path. The plugin may have created such a
 * link.
 */
function isLedAway(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => {
    const isBelow = path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);
    if (!isBelow || !existsSync(path)) return false;
    return realpathSync(path) !== join(realpathSync(folder), relative(folder, path));
  });
}

function foldersBetween(place: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let above = dirname(path); above.startsWith(`${place}${sep}`); above = dirname(above)) folders.push(above);
  return folders;
}

let isSecret: ReturnType<typeof compileProtection> | undefined;

interface Look {
  entries: number;
  /** Secrets by path, each with the identity of its file. */
  readonly hidden: Map<string, string>;
  /** Files with several names. */
  readonly linked: { readonly path: string; readonly file: string }[];
}

/** Returns false if there are too many entries. */
async function lookThrough(place: string, look: Look): Promise<boolean> {
  const waiting = [place];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const entries: readonly Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
    look.entries -= entries.length + 1;
    if (look.entries < 0) return false;
    for (const entry of entries) {
      // A link does not make its target visible.
      if (entry.isSymbolicLink()) continue;
      const path = join(folder, entry.name);
      if (isSecret?.(path) !== undefined) look.hidden.set(path, await fileOf(path));
      else if (entry.isDirectory() && !passedOver.has(entry.name)) waiting.push(path);
      else if (entry.isFile()) await noteLinks(path, look);
    }
  }
  return true;
}

async function noteLinks(path: string, look: Look): Promise<void> {
  const stats = await lstat(path).catch(() => undefined);
  if (stats && stats.nlink > 1) look.linked.push({ path, file: `${stats.dev}:${stats.ino}` });
}

async function fileOf(path: string): Promise<string> {
  const stats = await lstat(path).catch(() => undefined);
  return stats ? `${stats.dev}:${stats.ino}` : '';
}

/** Hides the other hard links of each secret. */
function hideOtherNames({ hidden, linked }: Look): void {
  const secrets = new Set(hidden.values());
  for (const { path, file } of linked) if (secrets.has(file)) hidden.set(path, file);
}

async function realIfThere(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
