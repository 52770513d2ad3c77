import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { appendName } from '../paths/append-path-name.ts';
import { readSmallFile } from './read-git-file.ts';

/** The directories of a git repository. */
export interface GitRepository {
  /** The git directory, as a real path. */
  readonly folder: string;
  /** The directory with the shared settings. For a linked work tree, that of its main repository. */
  readonly commonFolder: string;
  /** The directory that commands and relative paths start from. */
  readonly workTree: string;
}

const maxPointerBytes = 4_096;

/**
 * Returns the repository whose work tree or git directory is `directory`, if any. `nameOf` returns a path to an entry
 * for immediate use.
 */
export function openGitRepository(
  directory: string,
  nameOf: (name: string) => string = (name) => appendName(directory, name),
): GitRepository | undefined {
  const stats = tryStat(nameOf('.git'));
  if (stats === undefined) return isGitDirectory(nameOf) ? describe(directory, directory) : undefined;
  const git = appendName(directory, '.git');
  const pointed = stats.isFile() ? /^gitdir: (.+)/.exec(readPointer(git) ?? '')?.[1]?.trimEnd() : git;
  return pointed === undefined ? undefined : describe(resolve(directory, pointed), directory);
}

/**
 * Uses git's own criterion: a HEAD, and objects or a link to the main repository. The entry `created` counts as
 * existing.
 */
export function isGitDirectory(nameOf: (name: string) => string, created?: string): boolean {
  const exists = (name: string): boolean => created === name.toLowerCase() || tryStat(nameOf(name)) !== undefined;
  return exists('HEAD') && (exists('objects') || exists('commondir'));
}

/** Returns the config files that git reads in a repository, or without one those of the user and the machine. */
export function configFilesOf(repository?: GitRepository): readonly string[] {
  const { GIT_CONFIG_GLOBAL, GIT_CONFIG_SYSTEM, XDG_CONFIG_HOME } = process.env;
  return [
    GIT_CONFIG_SYSTEM ?? '/etc/gitconfig',
    ...(GIT_CONFIG_GLOBAL === undefined
      ? [join(XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'git', 'config'), join(homedir(), '.gitconfig')]
      : [GIT_CONFIG_GLOBAL]),
    ...(repository ? [join(repository.commonFolder, 'config'), join(repository.folder, 'config.worktree')] : []),
  ];
}

function describe(given: string, workTree: string): GitRepository {
  const folder = tryRealPath(given);
  const common = readPointer(join(folder, 'commondir'))?.trimEnd();
  const commonFolder = common === undefined || common === '' ? folder : tryRealPath(resolve(folder, common));
  return { folder, commonFolder, workTree: workTree === given ? folder : workTree };
}

function readPointer(path: string): string | undefined {
  return readSmallFile(path, maxPointerBytes)?.text;
}

function tryRealPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function tryStat(path: string): ReturnType<typeof lstatSync> | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** Returns the directories above a path, outermost first. */
export function listParents(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = dirname(path); ; at = dirname(at)) {
    folders.push(at);
    if (at === dirname(at)) return folders.toReversed();
  }
}
