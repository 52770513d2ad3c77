import { lstatSync, readdirSync, type BigIntStats, type Stats } from 'node:fs';
import { basename, dirname, sep } from 'node:path';
import { confine } from '@haft/sandbox';
import type { ProtectedPaths } from './protected-paths.ts';

const maxFolders = 32;
const maxPathLength = 1_000;
const maxSiblings = 5_000;

/** Returns every path by which a file is known. */
export type PathAliases = (path: string) => Promise<readonly string[]> | readonly string[];

/**
 * Creates a lookup for every path by which a file is known: its given path, its real path, and a protected name that is
 * a hard link to the same file in its folder or a parent. Real folders are cached, so create a new lookup for each
 * judgement.
 */
export function createPathAliases(isProtected: ProtectedPaths): PathAliases {
  const folders = new Map<string, RealFolder | undefined>([[topmost.path, topmost]]);

  /** The folder itself if no link leads to it; otherwise its resolved path. */
  const stepTo = (path: string): RealFolder | undefined => {
    const known = folders.get(path);
    if (known || folders.has(path)) return known;
    const above = stepTo(dirname(path));
    const found = above && stepInto(above, path);
    if (found) folders.set(path, found);
    return found;
  };
  const folderOf = async (path: string): Promise<RealFolder | undefined> => {
    const known = stepTo(path);
    if (known || folders.has(path)) return known;
    await folderOf(dirname(path));
    const found = stepTo(path) ?? (await findFolder(path));
    folders.set(path, found);
    return found;
  };
  const follow: PathAliases = async (path) => {
    const place = await confine('unrestricted', path);
    if (!place.ok) return [path];
    return distinct(path, place.path, findProtectedName(place.path, isProtected));
  };
  const lookIn = (folder: RealFolder, path: string): Promise<readonly string[]> | readonly string[] => {
    const real = below(folder.path, basename(path));
    if (folder.isMissing) return distinct(path, real);
    const status = lookAt(real);
    if (status === 'not certain' || status?.isSymbolicLink()) return follow(path);
    return distinct(path, real, status && findOtherName(real, status, isProtected));
  };
  const followFolder: PathAliases = async (path) => {
    const folder = await folderOf(dirname(path));
    return folder ? lookIn(folder, path) : follow(path);
  };
  return (path) => {
    if (!isPlainPath.test(path)) return follow(path);
    const folder = stepTo(dirname(path));
    return folder ? lookIn(folder, path) : followFolder(path);
  };
}

/** The real path of a folder. */
interface RealFolder {
  readonly path: string;
  readonly isMissing: boolean;
}

const topmost: RealFolder = { path: '/', isMissing: false };

// On other platforms the spelling on the disk also matters, and system links may lead anywhere.
const isPlainPath =
  process.platform === 'linux' ? /^(?!\/proc\/)(?:\/(?!\.{0,2}(?:\/|$))[^/\0]{1,80}){2,30}$/ : /^(?!)/;

/** Returns a subfolder. Returns undefined for a link and for anything that is not a folder. */
function stepInto(above: RealFolder, path: string): RealFolder | undefined {
  const real = below(above.path, basename(path));
  const status = above.isMissing ? undefined : lookAt(real);
  if (real.length > maxPathLength || status === 'not certain' || (status && !status.isDirectory())) return undefined;
  return { path: real, isMissing: status === undefined };
}

async function findFolder(path: string): Promise<RealFolder | undefined> {
  const place = await confine('unrestricted', path);
  if (!place.ok || place.path.length > maxPathLength || /^\/proc(?:\/|$)/.test(place.path)) return undefined;
  const status = lookAt(place.path);
  if (status === 'not certain' || (status !== undefined && !status.isDirectory())) return undefined;
  return { path: place.path, isMissing: status === undefined };
}

/** Joins a folder and a name. Both are already normalized. */
function below(folder: string, name: string): string {
  return folder.endsWith(sep) ? folder + name : folder + sep + name;
}

function distinct(path: string, real: string, other?: string): readonly string[] {
  const places = real === path ? [path] : [path, real];
  return other === undefined || places.includes(other) ? places : [...places, other];
}

/**
 * Finds a hard link to a file under a protected name when the file's own name is not protected. Searches its folder and
 * the parents.
 */
export function findProtectedName(path: string, isProtected: ProtectedPaths): string | undefined {
  const status = lookAt(path);
  return status === 'not certain' || status === undefined ? undefined : findOtherName(path, status, isProtected);
}

function findOtherName(path: string, status: Stats, isProtected: ProtectedPaths): string | undefined {
  const file = status.isFile() && status.nlink > 1 ? lookExactly(path) : undefined;
  if (!file || isProtected(path) !== undefined) return undefined;
  for (let folder = dirname(path), looks = 0; looks < maxFolders; folder = dirname(folder), looks += 1) {
    for (const name of namesIn(folder)) {
      const other = below(folder, name);
      if (other === path || isProtected(other) === undefined) continue;
      const found = lookExactly(other);
      if (found?.dev === file.dev && found.ino === file.ino) return other;
    }
    if (folder === dirname(folder)) break;
  }
  return undefined;
}

/** Returns undefined if nothing exists at the path. */
function lookAt(path: string): Stats | 'not certain' | undefined {
  try {
    return lstatSync(path, ifThere);
  } catch {
    return 'not certain';
  }
}

const ifThere = { throwIfNoEntry: false } as const;

/** Uses bigint inode numbers, because some file systems exceed the safe integer range. */
function lookExactly(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, maxSiblings);
  } catch {
    return [];
  }
}
