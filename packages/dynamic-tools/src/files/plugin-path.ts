import { lstatSync, readdirSync, realpathSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { findPlugin, pluginIdOf } from '../plugin/definition/find-plugin.ts';
import { findReadablePackages } from './readable-packages.ts';
import { isIgnoredName } from './settled-files.ts';

/**
 * Finds another file or folder with the same id as a plugin, as a user or a file system compares names. Trust and
 * grants are given by id, so they would apply to both. Runs no code. Returns the path of the other file or folder.
 */
export async function findNamesake(path: string): Promise<string | undefined> {
  const folder = dirname(path);
  const own = basename(path);
  const id = foldId(own);
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    if (name === own || isIgnoredName(name) || name.startsWith('_') || foldId(name) !== id) continue;
    const found = await findPlugin(join(folder, name));
    // A file without an entry can't run.
    if (found !== 'absent' && !('phase' in found)) return join(folder, name);
  }
  return undefined;
}

function foldId(name: string): string {
  return pluginIdOf(name).normalize('NFKC').toUpperCase().toLowerCase();
}

/**
 * Returns whether a plugin is a link, or its entry is outside its file or folder. The code that would run is then not
 * the code that was trusted.
 */
export function isLinkedElsewhere(path: string, entry: string): boolean {
  try {
    if (lstatSync(path).isSymbolicLink()) return true;
    return !isWithin(realpathSync(path), realpathSync(entry));
  } catch {
    return true;
  }
}

/**
 * Returns whether a plugin is a link to a directory that plugins may not read. Links may lead to what every plugin may
 * read: the packages of the program, and names beside the plugin that begin with `_`.
 *
 * @param bases files of the program.
 */
export function isExternalLink(path: string, bases: readonly string[]): boolean {
  try {
    if (!lstatSync(path).isSymbolicLink()) return false;
    const real = realpathSync(path);
    return ![...sharedDirectories(dirname(path)), ...findReadablePackages(bases)].some((place) =>
      isWithin(place, real),
    );
  } catch {
    return true;
  }
}

/**
 * Returns the real paths that all plugins of a folder share: names that begin with `_`. Omits links, because they may
 * lead anywhere.
 */
export function sharedDirectories(folder: string): readonly string[] {
  return listNames(folder)
    .filter((name) => name.startsWith('_'))
    .map((name) => join(folder, name))
    .filter((place) => lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === false)
    .map((place) => realpathSync(place));
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function isWithin(place: string, path: string): boolean {
  return path === place || path.startsWith(`${place}${sep}`);
}
