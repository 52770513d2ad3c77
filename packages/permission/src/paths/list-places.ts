import { lstatSync, readdirSync, type BigIntStats } from 'node:fs';
import { dirname, join } from 'node:path';
import { confine } from '@haft/sandbox';
import type { ProtectedPaths } from './protected-paths.ts';

const mostFolders = 32;
const mostSiblings = 5_000;

/**
 * Every path by which a file is known: as it is named, where its links lead, and a protected name that the same file has
 * (a hard link) in its own folder or one above it.
 */
export async function listPlaces(path: string, isProtected: ProtectedPaths): Promise<readonly string[]> {
  const place = await confine('unrestricted', path);
  if (!place.ok) return [path];
  const other = findProtectedName(place.path, isProtected);
  return [...new Set([path, place.path, ...(other === undefined ? [] : [other])])];
}

/** Another name of a file, by which it is protected. Looked for in its own folder and those above it. */
export function findProtectedName(path: string, isProtected: ProtectedPaths): string | undefined {
  const status = lookAt(path);
  if (!status?.isFile() || status.nlink < 2n) return undefined;
  for (let folder = dirname(path), looks = 0; looks < mostFolders; folder = dirname(folder), looks += 1) {
    for (const name of namesIn(folder)) {
      const other = join(folder, name);
      if (other === path || isProtected(other) === undefined) continue;
      const found = lookAt(other);
      if (found?.dev === status.dev && found.ino === status.ino) return other;
    }
    if (folder === dirname(folder)) break;
  }
  return undefined;
}

function lookAt(path: string): BigIntStats | undefined {
  try {
    return lstatSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).slice(0, mostSiblings);
  } catch {
    return [];
  }
}
