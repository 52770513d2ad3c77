import { existsSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { findGitPlaces, isHookName, repositoriesAround, type GitPlace } from '../git/git-places.ts';
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
  /** Lets go of them; to be called when the command has ended, or was not started at all. */
  readonly release: () => void;
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

/** What commands run with, by root. */
interface Running {
  readonly commands: number;
  readonly places: ReadonlySet<string>;
}
const running = new Map<string, Running>();
/** What a look has found once, by root: commands that make very much can't hide it from a later look. */
const found = new Map<string, ReadonlySet<string>>();

/**
 * Finds, in folders that a jailed command may write, what other programs run or trust: the paths of {@link trustedPathGroups}, what is
 * so in folders of git, and what their settings name. Real paths: nothing is mounted where a link of the workspace leads.
 */
export async function lockTrustedPaths(roots: readonly string[]): Promise<LockedPaths> {
  const locked = await Promise.all(roots.filter((root) => existsSync(root)).map(lockRoot));
  let isReleased = false;
  return {
    read: locked.flatMap(({ read }) => read),
    held: locked.flatMap(({ held }) => held),
    release() {
      if (isReleased) return;
      isReleased = true;
      for (const { release } of locked) release();
    },
  };
}

async function lockRoot(given: string): Promise<LockedPaths> {
  const root = await realpath(given);
  const before = running.get(root);
  const scan = await scanTrustedPaths(root);
  const listed = new Set(
    [...(found.get(root) ?? []), ...scan.paths, ...pathsAtHome(root)].filter((path) => existsSync(path)),
  );
  found.set(root, listed);

  const repositories = new Map<string, GitRepository>();
  for (const repository of [
    ...repositoriesAround(root),
    ...scan.repositories.flatMap((folder) => openGitRepository(folder) ?? []),
  ])
    repositories.set(`${repository.folder}\0${repository.workTree}`, repository);
  const isWithin = (path: string): boolean => path !== root && isInside(root, path);
  const tops = [...repositories.values()].flatMap(({ folder, commonFolder }) => [folder, commonFolder]);
  const gitFolders = await findGitFolders([...new Set(tops)].filter(isWithin));
  const repositoryFolders = gitFolders.filter((folder) => existsSync(join(folder, 'HEAD')));
  const places = [undefined, ...repositories.values()].flatMap((repository) =>
    findGitPlaces(repository).map((place) => placesToLock(place, repository?.workTree)),
  );
  const named = (await Promise.all(places)).flat().filter(({ path }) => isWithin(path) && !isInside(path, root));

  const takeAway = await putPlaceholders(root, [
    ...repositoryFolders.flatMap((folder): readonly Placeholder[] => [
      { path: join(folder, 'hooks'), stays: true },
      { path: join(folder, 'info'), stays: true },
      // What git takes for "here": its settings are its own.
      { path: join(folder, 'commondir'), content: '.\n' },
    ]),
    ...named.flatMap(({ path, kind }) => placeholderOf(path, kind)),
  ]);
  const names = [
    ...listed,
    ...gitFolders.flatMap((folder) => trustedOfGit.map((name) => join(folder, name))),
    ...named.map(({ path }) => path),
  ].filter((path) => existsSync(path));
  const real = await Promise.all(names.map((path) => realpath(path)));
  const now = running.get(root);
  // What commands that run have in their view keeps its name. What has come since may be their doing, and a link by the time it
  // would be mounted.
  const isSure = (path: string): boolean => [before, now].every((others) => others?.places.has(path) !== false);
  const read = [...new Set(real)].filter((path) => isWithin(path) && isSure(path));
  const leading = [
    ...named.flatMap(({ path }) => foldersBetween(root, path)),
    ...scan.holders.filter((holder) => [...listed].some((path) => isInside(holder, path))),
  ].filter((path) => existsSync(path));
  const held = [...new Set([...gitFolders, ...leading])].filter((path) => isSure(path) && !read.includes(path));
  running.set(root, { commands: (now?.commands ?? 0) + 1, places: new Set([...read, ...held]) });
  const rebases = repositoryFolders.map((folder) => [folder, listRebaseCommands(folder)] as const);
  return {
    read,
    held,
    release() {
      takeAway();
      for (const [folder, commands] of rebases) disarmRebase(folder, commands);
      const { commands, places } = running.get(root)!;
      if (commands > 1) running.set(root, { commands: commands - 1, places });
      else running.delete(root);
    },
  };
}

/** A folder of hooks that holds the work tree itself has hooks by their names alone, and only those that are there are locked. */
async function placesToLock(place: GitPlace, workTree: string | undefined): Promise<readonly GitPlace[]> {
  if (workTree === undefined || !isInside(place.path, workTree)) return [place];
  const names = await readdir(place.path).catch(() => []);
  return names.filter(isHookName).map((name) => ({ path: join(place.path, name), kind: 'command' }));
}

function placeholderOf(path: string, kind: GitPlace['kind']): readonly Placeholder[] {
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
