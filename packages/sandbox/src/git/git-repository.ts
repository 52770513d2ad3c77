import { lstatSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { appendName } from '../paths/append-name.ts';
import { readSmallFile } from './read-small-file.ts';

/** A repository: where git keeps it, and where it works. */
export interface GitRepository {
  /** Its own folder, as a real path. */
  readonly folder: string;
  /** The folder whose settings it shares: of a work tree that of its repository. */
  readonly commonFolder: string;
  /** Where commands and relative paths start from. */
  readonly workTree: string;
}

const maxPointer = 4_096;

/** The repository that a folder is the top of, or is itself, if it is one. `nameOf` gives a path to an entry that may be used at once. */
export function openGitRepository(
  directory: string,
  nameOf: (name: string) => string = (name) => appendName(directory, name),
): GitRepository | undefined {
  const stats = statQuietly(nameOf('.git'));
  if (stats === undefined) return isGitFolder(nameOf) ? describe(directory, directory) : undefined;
  const git = appendName(directory, '.git');
  const pointed = stats.isFile() ? /^gitdir: (.+)/.exec(readPointer(git) ?? '')?.[1]?.trimEnd() : git;
  return pointed === undefined ? undefined : describe(resolve(directory, pointed), directory);
}

/** As git itself tells: a HEAD, and objects of its own or of the repository that it is a work tree of. `made` counts as there. */
export function isGitFolder(nameOf: (name: string) => string, made?: string): boolean {
  const isThere = (name: string): boolean => made === name.toLowerCase() || statQuietly(nameOf(name)) !== undefined;
  return isThere('HEAD') && (isThere('objects') || isThere('commondir'));
}

/** The files of settings that git reads in a repository; without one, those of this user and this machine. */
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
  const folder = realQuietly(given);
  const common = readPointer(join(folder, 'commondir'))?.trimEnd();
  const commonFolder = common === undefined || common === '' ? folder : realQuietly(resolve(folder, common));
  return { folder, commonFolder, workTree: workTree === given ? folder : workTree };
}

function readPointer(path: string): string | undefined {
  return readSmallFile(path, maxPointer)?.text;
}

function realQuietly(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function statQuietly(path: string): ReturnType<typeof lstatSync> | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

/** The folders above a path, the outermost first. */
export function foldersTo(path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = dirname(path); ; at = dirname(at)) {
    folders.push(at);
    if (at === dirname(at)) return folders.toReversed();
  }
}
