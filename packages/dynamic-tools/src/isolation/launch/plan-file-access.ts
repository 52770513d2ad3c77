import { existsSync, realpathSync, type Dirent } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join, parse, relative, resolve, sep } from 'node:path';
import { compileProtection, lockTrustedPaths, protectDefaultPaths, secretPathGlobs } from '@haft/sandbox';
import type { PluginCapabilities } from '../../capabilities.ts';
import { outermost } from '../../files/readable-packages.ts';

/** What a process reaches by the files that were granted to it. Real paths. */
export interface FileAccess {
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Places inside of `write` that are only read: other programs run or trust them. */
  readonly closed: readonly string[];
  /** Secrets inside of the others, which are not in view. */
  readonly hidden: readonly string[];
  /** To be called when no process uses it any more. */
  readonly release: () => void;
}

export const noFileAccess: FileAccess = { read: [], write: [], closed: [], hidden: [], release: () => undefined };

/** Entries of all granted folders that are looked at. */
const maxEntries = 50_000;
/** Folders that are searched for what other programs run or trust, in each granted folder. */
const maxFolders = 20_000;
/** Places that are hidden or closed, at most: each is a mount. */
const maxPlaces = 500;
/** Folders of packages and of git hold no secrets of the workspace, and too much to look at. */
const passedOver: ReadonlySet<string> = new Set(['node_modules', '.git']);

/**
 * Looks through granted files and folders for what no grant opens: secrets, and for writing what other programs run or trust. A
 * text says why the grant can't be used. Without a jail nothing inside of a folder can be kept back.
 *
 * @param folder what relative paths start from.
 * @param arePlacesReal whether paths had no links in them when they were granted, so that one which has now is another place.
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
  // As mounts the folders above closed places keep their names, so that no other folder takes their place.
  const held = writable.flatMap((place) => closed.flatMap((path) => foldersBetween(place, path)));
  return {
    read: readable,
    write: [...new Set([...writable, ...locked.parents, ...held])],
    closed,
    hidden,
    release: locked.release,
  };
}

/** Whether a link below one of the folders changes a path's meaning: the plugin may have created it. */
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
  /** Secrets, and which file each is. */
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
      // A link leads nowhere that is not in view itself.
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

/** A hard link is the same secret under another name. */
function hideOtherNames({ hidden, linked }: Look): void {
  const secrets = new Set(hidden.values());
  for (const { path, file } of linked) if (secrets.has(file)) hidden.set(path, file);
}

async function realIfThere(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
