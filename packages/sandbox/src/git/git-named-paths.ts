import { lstatSync, realpathSync } from 'node:fs';
import { dirname, relative, sep } from 'node:path';
import { createDeepPath } from '../paths/deep-path.ts';
import { findRealPath, isInside } from '../paths/real-path.ts';
import { appendName } from '../paths/append-path-name.ts';
import { resolveSettingPath, readGitConfig } from './git-config-files.ts';
import { configFilesOf, listParents, openGitRepository, type GitRepository } from './git-repository.ts';

/** A path named by git settings that git executes or trusts. */
export interface GitNamedPath {
  /** Absolute, with links resolved. */
  readonly path: string;
  /**
   * `hooks` and `templates` are directories including their content; `settings` and `attributes` are files; a `command`
   * is a file if it exists.
   */
  readonly kind: 'hooks' | 'templates' | 'settings' | 'attributes' | 'command';
}

const directoryKeys: Readonly<Record<string, GitNamedPath['kind']>> = {
  'core.hookspath': 'hooks',
  'init.templatedir': 'templates',
  'core.attributesfile': 'attributes',
};
/** Names of settings that contain a command. The section is ignored, because every version of git adds some. */
const commandKeys =
  /^(?:alias|pager|hook|guitool|instaweb|sendemail)\.|\.(?:fsmonitor|sshcommand|editor|pager|askpass|gitproxy|alternaterefscommand|clean|smudge|process|textconv|command|external|driver|helper|cmd|program|defaultkeycommand|difffilter|uploadpack|receivepack|vcs|packobjectshook|update|path)$/;
/** Separates the words of a shell line, including quotes. */
const separators = /[\s'"`;|&<>()${}!=,]+/;
const maxPaths = 500;

/** Returns the paths named in the settings of a repository, or in the user's own settings if no repository is given. */
export function findGitNamedPaths(repository?: GitRepository): readonly GitNamedPath[] {
  const own = configFilesOf(repository).filter(exists);
  const { settings, files } = readGitConfig(own);
  const namedPaths: GitNamedPath[] = files.map((path) => ({ path, kind: 'settings' }));
  const from = repository?.workTree;
  for (const { key, value } of settings) {
    if (namedPaths.length >= maxPaths) break;
    if (value === '' || value.includes('\0')) continue;
    const kind = directoryKeys[key];
    // Relative paths in the user's own settings depend on the directory where git starts.
    const isResolvable = from !== undefined || /^[~/]/.test(value);
    if (kind && isResolvable) namedPaths.push({ path: resolveSettingPath(from ?? sep, value), kind });
    else if (!kind && commandKeys.test(key) && !/^include(?:if)?\./.test(key))
      for (const path of commandWords(value, from)) namedPaths.push({ path, kind: 'command' });
  }
  return namedPaths.flatMap(({ path, kind }) => {
    const real = followLinks(path);
    return kind === 'command' && isDirectory(real) ? [] : [{ path: real, kind }];
  });
}

/** Resolves links, whether or not the path exists. */
function followLinks(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const found = findRealPath(path, true);
    return found.ok ? found.path : path;
  }
}

/** Returns the file names in a command: its program and arguments. */
function commandWords(value: string, from: string | undefined): readonly string[] {
  return value.split(separators).flatMap((word) => {
    if (word === '' || word.startsWith('-')) return [];
    if (from === undefined && !/^[~/]/.test(word)) return [];
    const path = resolveSettingPath(from ?? sep, word);
    return word.includes('/') || exists(path) ? [path] : [];
  });
}

/**
 * Returns true if git settings name a path or a directory above it: settings of the repositories that contain it, and
 * of the user. Reads little more than whether the directories above are repositories.
 */
export function isNamedByGit(path: string, fold: (path: string) => string): boolean {
  const folded = fold(path);
  const holds = (namedPaths: readonly GitNamedPath[], workTree?: string): boolean =>
    namedPaths.some((named) => {
      const at = fold(named.path);
      if (folded === at) return true;
      if ((named.kind !== 'hooks' && named.kind !== 'templates') || !isInside(at, folded)) return false;
      // If the hooks directory contains the work tree itself, only files with hook names count.
      return workTree === undefined || !isInside(named.path, workTree) || isHookName(relative(at, folded));
    });
  if (holds(findGitNamedPaths())) return true;
  const deep = createDeepPath();
  try {
    for (const folder of listParents(path)) {
      const repository = openGitRepository(folder, (name) => deep.shorten(appendName(folder, name)));
      if (repository && holds(findGitNamedPaths(repository), repository.workTree)) return true;
    }
  } finally {
    deep.close();
  }
  return false;
}

const hookNames =
  /^(?:(?:applypatch|commit)-msg|pre-[a-z-]+|post-[a-z-]+|prepare-commit-msg|reference-transaction|push-to-checkout|update|proc-receive|fsmonitor-watchman|sendemail-validate|p4-[a-z-]+)$/;

/** Returns true if git runs a file with this name in a hooks directory. */
export function isHookName(name: string): boolean {
  return hookNames.test(name);
}

/** Returns the repositories that contain a directory or are that directory. */
export function findEnclosingRepositories(folder: string): readonly GitRepository[] {
  return [...listParents(folder), ...(folder === dirname(folder) ? [] : [folder])].flatMap(
    (at) => openGitRepository(at) ?? [],
  );
}

function exists(path: string): boolean {
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
