import { lstatSync, realpathSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { createDeepPath } from '../paths/deep-path.ts';
import { findRealPath, isInside } from '../paths/real-path.ts';
import { appendName } from '../paths/append-name.ts';
import { placeFrom, readGitConfig } from './git-config-files.ts';
import { configFilesOf, foldersTo, openGitRepository, type GitRepository } from './git-repository.ts';

/** What the settings of a repository name and git runs or believes. */
export interface GitPlace {
  /** Absolute, with links followed. */
  readonly path: string;
  /** `hooks` and `templates` are folders, with all in them; `settings` and `attributes` are files; a `command` is a file if it is there. */
  readonly kind: 'hooks' | 'templates' | 'settings' | 'attributes' | 'command';
}

const folderKeys: Readonly<Record<string, GitPlace['kind']>> = {
  'core.hookspath': 'hooks',
  'init.templatedir': 'templates',
  'core.attributesfile': 'attributes',
};
/** Settings that hold a command, by their names: the section does not matter, since git adds some with every version. */
const commandKeys =
  /^(?:alias|pager|hook|guitool|instaweb|sendemail)\.|\.(?:fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand|clean|smudge|process|textconv|command|external|driver|helper|cmd|program|defaultkeycommand|difffilter|uploadpack|receivepack|vcs|packobjectshook|update|path)$/;
/** What separates words in a line of shell, quotes included. */
const separators = /[\s'"`;|&<>()${}!=,]+/;
const maxPlaces = 500;

/** The places that git's settings name, for a repository; without one, those that this user's own settings name. */
export function findGitPlaces(repository?: GitRepository): readonly GitPlace[] {
  const own = configFilesOf(repository).filter(isThere);
  const { settings, files } = readGitConfig(own);
  const places: GitPlace[] = files.map((path) => ({ path, kind: 'settings' }));
  const from = repository?.workTree;
  for (const { key, value } of settings) {
    if (places.length >= maxPlaces) break;
    if (value === '' || value.includes('\0')) continue;
    const kind = folderKeys[key];
    // What a user's own settings name relatively depends on where git is started.
    const isPlaced = from !== undefined || /^[~/]/.test(value);
    if (kind && isPlaced) places.push({ path: placeFrom(from ?? sep, value), kind });
    else if (!kind && commandKeys.test(key) && !/^include(?:if)?\./.test(key))
      for (const path of commandWords(value, from)) places.push({ path, kind: 'command' });
  }
  return places.flatMap(({ path, kind }) => {
    const real = followLinks(path);
    return kind === 'command' && isDirectory(real) ? [] : [{ path: real, kind }];
  });
}

/** Where a path leads, there or not. */
function followLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const found = findRealPath(path, true);
    return found.ok ? found.path : path;
  }
}

/** The names of files in a command: of its program and of what it is given. */
function commandWords(value: string, from: string | undefined): readonly string[] {
  return value.split(separators).flatMap((word) => {
    if (word === '' || word.startsWith('-')) return [];
    if (from === undefined && !/^[~/]/.test(word)) return [];
    const path = placeFrom(from ?? sep, word);
    return word.includes('/') || isThere(path) ? [path] : [];
  });
}

/**
 * Whether a path is, or lies in, what git's settings name: those of the repositories that hold it, and of this user. Reads little
 * more than whether the folders above are repositories.
 */
export function isNamedByGit(path: string, fold: (path: string) => string): boolean {
  const folded = fold(path);
  const holds = (places: readonly GitPlace[], workTree?: string): boolean =>
    places.some((place) => {
      const at = fold(place.path);
      if (folded === at) return true;
      if ((place.kind !== 'hooks' && place.kind !== 'templates') || !isInside(at, folded)) return false;
      // A folder of hooks that holds the work tree itself has hooks by their names alone.
      return workTree === undefined || !isInside(place.path, workTree) || isHookName(relative(at, folded));
    });
  if (holds(findGitPlaces())) return true;
  const deep = createDeepPath();
  try {
    for (const folder of foldersTo(path)) {
      const repository = openGitRepository(folder, (name) => deep.shorten(appendName(folder, name)));
      if (repository && holds(findGitPlaces(repository), repository.workTree)) return true;
    }
  } finally {
    deep.close();
  }
  return false;
}

const hookNames =
  /^(?:(?:applypatch|commit)-msg|pre-[a-z-]+|post-[a-z-]+|prepare-commit-msg|reference-transaction|push-to-checkout|update|proc-receive|fsmonitor-watchman|sendemail-validate|p4-[a-z-]+)$/;

/** Whether git runs a file of that name in a folder of hooks. */
export function isHookName(name: string): boolean {
  return hookNames.test(name);
}

/** The repositories that hold a folder, or are that folder. */
export function repositoriesAround(folder: string): readonly GitRepository[] {
  return [...foldersTo(folder), ...(folder === dirname(folder) ? [] : [folder])].flatMap(
    (at) => openGitRepository(at) ?? [],
  );
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function isDirectory(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}
