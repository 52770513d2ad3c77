import { existsSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { findGitNamedPaths, isHookName, findEnclosingRepositories, type GitNamedPath } from '../git/git-named-paths.ts';
import { openGitRepository, type GitRepository } from '../git/git-repository.ts';
import { disarmRebase, listRebaseCommands } from './rebase-todo.ts';
import { trustedPathGroups } from '../protection/protected-globs.ts';
import { isInside } from '../paths/real-path.ts';
import { putPlaceholders, type Placeholder } from './placeholders.ts';
import { scanTrustedPaths } from './scan-trusted-paths.ts';

/** What a jailed command may write less of, inside of what it may write. */
export interface LockedPaths {
  /** What is there of what git, editors and agents run or trust: for `read` of a jail's view. */
  readonly read: readonly string[];
  /** Folders that hold some of it: for `write`, so that they keep their names and no other takes their place. */
  readonly held: readonly string[];
  /** Whether the folders were searched whole; one with very many folders or settings is not. */
  readonly isComplete: boolean;
  /** Lets go of them; to be called when the command has ended, or was not started at all. */
  readonly release: () => void;
}

/** What differs between the commands that are locked out. */
export interface LockOptions {
  /**
   * `open`: a command may work with git, and is kept from what git runs or trusts. `closed`: folders of git are only read.
   * Default: `open`.
   */
  readonly gitFolders?: 'open' | 'closed';
  /** Number of folders that are searched in each root. Default: 2,000. */
  readonly maxFolders?: number;
}

/** In a folder of git: what it runs, and where else it takes settings from. */
const trustedOfGit: readonly string[] = [
  'hooks',
  'config',
  'config.worktree',
  'info',
  'commondir',
  'gitdir',
  'remotes',
  'branches',
];
/** Folders of git, of submodules and work trees too, that are looked at in one root. */
const maxGitFolders = 100;

/** What a command that runs was given: it can change nothing in `read`, and `held` keeps its names. */
interface Running {
  readonly root: string;
  readonly read: readonly string[];
  readonly held: readonly string[];
}
const running = new Set<Running>();
/** What a look has found once, by root: commands that make very much can't hide it from a later look. */
const found = new Map<string, ReadonlySet<string>>();

/**
 * Finds, in folders that a jailed command may write, what other programs run or trust: the paths of {@link trustedPathGroups}, what is
 * so in folders of git, and what their settings name. Real paths: nothing is mounted where a link of the workspace leads.
 */
export async function lockTrustedPaths(roots: readonly string[], options: LockOptions = {}): Promise<LockedPaths> {
  const there = roots.filter((root) => existsSync(root));
  const own = new Set<Running>();
  const locked = await Promise.all(there.map((root) => lockRoot(root, options, own)));
  let isReleased = false;
  return {
    read: locked.flatMap(({ read }) => read),
    held: locked.flatMap(({ held }) => held),
    isComplete: locked.every(({ isComplete }) => isComplete),
    release() {
      if (isReleased) return;
      isReleased = true;
      for (const { release } of locked) release();
    },
  };
}

/** @param siblings what the same command has of its other roots. */
async function lockRoot(
  given: string,
  { gitFolders: access = 'open', maxFolders }: LockOptions,
  siblings: Set<Running>,
): Promise<LockedPaths> {
  const root = await realpath(given);
  const before = [...running];
  const scan = await scanTrustedPaths(root, maxFolders);
  const listed = new Set(
    [...(found.get(root) ?? []), ...scan.paths, ...pathsAtHome(root)].filter((path) => existsSync(path)),
  );
  found.set(root, listed);

  const repositories = new Map<string, GitRepository>();
  for (const repository of [
    ...findEnclosingRepositories(root),
    ...scan.repositories.flatMap((folder) => openGitRepository(folder) ?? []),
  ])
    repositories.set(`${repository.folder}\0${repository.workTree}`, repository);
  const isWithin = (path: string): boolean => path !== root && isInside(root, path);
  const tops = [...repositories.values()].flatMap(({ folder, commonFolder }) => [folder, commonFolder]);
  const isShut = (folder: string): boolean => access === 'closed' && isWithin(folder);
  const shut = tops.filter((folder) => isShut(folder) && existsSync(folder));
  const gitFolders = await findGitFolders(
    [...new Set(tops)].filter((folder) => isInside(root, folder) && !isShut(folder)),
  );
  const repositoryFolders = gitFolders.filter((folder) => existsSync(join(folder, 'HEAD')));
  const places = [undefined, ...repositories.values()].flatMap((repository) =>
    findGitNamedPaths(repository).map((place) => placesToLock(place, repository?.workTree)),
  );
  const named = (await Promise.all(places)).flat().filter(({ path }) => isWithin(path) && !isInside(path, root));

  const takeAway = await putPlaceholders(root, [
    ...repositoryFolders.flatMap((folder): readonly Placeholder[] => [
      { path: join(folder, 'hooks'), stays: true },
      { path: join(folder, 'info'), stays: true },
      // What git takes for "here": its settings are its own.
      { path: join(folder, 'commondir'), content: '.\n' },
      { path: join(folder, 'config.worktree'), content: '' },
    ]),
    ...named.flatMap(({ path, kind }) => placeholderOf(path, kind)),
  ]);
  const names = [
    ...listed,
    ...shut,
    ...gitFolders.flatMap((folder) => trustedOfGit.map((name) => join(folder, name))),
    ...named.map(({ path }) => path),
  ].filter((path) => existsSync(path));
  const real = await Promise.all(names.map((path) => realpath(path)));
  // What commands that run have in their view keeps its name. What has come since may be their doing, and a link by the time it
  // would be mounted.
  const others = [...new Set([...before, ...running])].filter((other) => !siblings.has(other));
  const isSure = (path: string): boolean =>
    others.every((other) => !isInside(other.root, path) || cannotSwap(other, path));
  const read = [...new Set(real)].filter((path) => isWithin(path) && isSure(path));
  const leading = [
    ...named.flatMap(({ path }) => foldersBetween(root, path)),
    ...scan.holders.filter((holder) => [...listed].some((path) => isInside(holder, path))),
  ].filter((path) => existsSync(path));
  const held = [...new Set([...gitFolders.filter(isWithin), ...leading])].filter(
    (path) => isSure(path) && !read.some((folder) => isInside(folder, path)),
  );
  const own: Running = { root, read, held };
  running.add(own);
  siblings.add(own);
  const rebases = repositoryFolders.map((folder) => [folder, listRebaseCommands(folder)] as const);
  return {
    read,
    held,
    isComplete: scan.isComplete,
    release() {
      takeAway();
      for (const [folder, commands] of rebases) disarmRebase(folder, commands);
      running.delete(own);
    },
  };
}

/** Whether a command can put nothing else at a path that was found. */
function cannotSwap({ read, held }: Running, path: string): boolean {
  return held.includes(path) || read.some((folder) => isInside(folder, path));
}

/** A folder of hooks that holds the work tree itself has hooks by their names alone, and only those that are there are locked. */
async function placesToLock(place: GitNamedPath, workTree: string | undefined): Promise<readonly GitNamedPath[]> {
  if (workTree === undefined || !isInside(place.path, workTree)) return [place];
  const names = await readdir(place.path).catch(() => []);
  return names.filter(isHookName).map((name) => ({ path: join(place.path, name), kind: 'command' }));
}

function placeholderOf(path: string, kind: GitNamedPath['kind']): readonly Placeholder[] {
  if (kind === 'hooks' || kind === 'templates') return [{ path }];
  return kind === 'settings' || kind === 'attributes' ? [{ path, content: '' }] : [];
}

function pathsAtHome(root: string): readonly string[] {
  const home = homedir();
  if (!isInside(root, home)) return [];
  return trustedPathGroups.flatMap(({ home: names = [] }) => names.map((name) => join(home, name)));
}

function foldersBetween(root: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== root && at !== dirname(at); at = dirname(at)) folders.push(at);
  return folders;
}

/** Folders of git, with those of their submodules and work trees and what these lie in. */
async function findGitFolders(tops: readonly string[]): Promise<readonly string[]> {
  const folders = new Set<string>();
  for (const folder of tops) if ((await isFolder(folder)) && existsSync(join(folder, 'HEAD'))) folders.add(folder);
  // What is added on the way is looked into as well.
  for (const folder of folders) {
    const isGit = existsSync(join(folder, 'HEAD'));
    const inner = isGit ? ['modules', 'worktrees'].map((name) => join(folder, name)) : await listFolders(folder);
    for (const path of inner) if (folders.size < maxGitFolders && (await isFolder(path))) folders.add(path);
  }
  return [...folders];
}

async function listFolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}
