import { existsSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { findGitNamedPaths, isHookName, findEnclosingRepositories, type GitNamedPath } from '../git/git-named-paths.ts';
import { openGitRepository, type GitRepository } from '../git/git-repository.ts';
import { disarmRebase, listRebaseCommands } from './trusted-rebase-commands.ts';
import { trustedPathGroups } from '../protection/protected-globs.ts';
import { isInside } from '../paths/real-path.ts';
import { putPlaceholders, type Placeholder } from './trusted-placeholders.ts';
import { scanTrustedPaths } from './scan-trusted-paths.ts';

/** Restrictions for a jailed command inside the directories it may write. */
export interface LockedPaths {
  /** Existing paths that git, editors and agents run or trust. Pass them as `read` to the jail. */
  readonly read: readonly string[];
  /**
   * Directories that contain such paths. Pass them as `write` to the jail, so that they cannot be renamed or replaced.
   */
  readonly parents: readonly string[];
  /** Whether the search was complete. It is not for roots with very many directories or settings. */
  readonly isComplete: boolean;
  /** Releases the lock. Call it when the command has ended or was not started. */
  readonly release: () => void;
}

/** Options of {@link lockTrustedPaths}. */
export interface LockOptions {
  /**
   * `open`: the command may use git, but cannot change what git runs or trusts. `closed`: git directories are
   * read-only. Default `open`.
   */
  readonly gitDirectories?: 'open' | 'closed';
  /** Maximum number of directories to search in each root. Default 2,000. */
  readonly maxDirectories?: number;
}

/** Entries of a git directory that git executes or reads settings from. */
const trustedGitEntries: readonly string[] = [
  'hooks',
  'config',
  'config.worktree',
  'info',
  'commondir',
  'gitdir',
  'remotes',
  'branches',
];
/** Maximum number of git directories to check in one root, including those of submodules and work trees. */
const maxGitDirectories = 100;

/** The restrictions of a running command: it cannot change `read` or rename `parents`. */
interface Running {
  readonly root: string;
  readonly read: readonly string[];
  readonly parents: readonly string[];
}
const running = new Set<Running>();
/** The paths found in each root so far, so that commands that create many files cannot hide one from a later scan. */
const found = new Map<string, ReadonlySet<string>>();

/**
 * Finds paths that other programs run or trust in directories that a jailed command may write: {@link
 * trustedPathGroups}, trusted entries of git directories, and paths that git settings name. Returns real paths, because
 * a jail must not mount anything at the target of a workspace link.
 *
 * @example
 * import { mkdtemp, realpath } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { lockTrustedPaths } from '@haft/sandbox';
 * const root = await realpath(await mkdtemp(join(tmpdir(), 'work-')));
 * (await lockTrustedPaths([root])).isComplete; // => true
 */
export async function lockTrustedPaths(roots: readonly string[], options: LockOptions = {}): Promise<LockedPaths> {
  const there = roots.filter((root) => existsSync(root));
  const own = new Set<Running>();
  const locked = await Promise.all(there.map((root) => lockRoot(root, options, own)));
  let isReleased = false;
  return {
    read: locked.flatMap(({ read }) => read),
    parents: locked.flatMap(({ parents }) => parents),
    isComplete: locked.every(({ isComplete }) => isComplete),
    release() {
      if (isReleased) return;
      isReleased = true;
      for (const { release } of locked) release();
    },
  };
}

/**
 * Locks one root.
 *
 * @param siblings - the locks of the same command on its other roots.
 */
async function lockRoot(
  given: string,
  { gitDirectories: access = 'open', maxDirectories }: LockOptions,
  siblings: Set<Running>,
): Promise<LockedPaths> {
  const root = await realpath(given);
  const before = [...running];
  const scan = await scanTrustedPaths(root, maxDirectories);
  const listed = new Set(
    [...(found.get(root) ?? []), ...scan.paths, ...listHomePaths(root)].filter((path) => existsSync(path)),
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
  const isReadOnly = (folder: string): boolean => access === 'closed' && isWithin(folder);
  const readOnly = tops.filter((folder) => isReadOnly(folder) && existsSync(folder));
  const gitDirectories = await findGitDirectories(
    [...new Set(tops)].filter((folder) => isInside(root, folder) && !isReadOnly(folder)),
  );
  const repositoryFolders = gitDirectories.filter((folder) => existsSync(join(folder, 'HEAD')));
  const environments = [undefined, ...repositories.values()].flatMap((repository) =>
    findGitNamedPaths(repository).map((named) => findPathsToLock(named, repository?.workTree)),
  );
  const named = (await Promise.all(environments)).flat().filter(({ path }) => isWithin(path) && !isInside(path, root));

  const removePlaceholders = await putPlaceholders(root, [
    ...repositoryFolders.flatMap((folder): readonly Placeholder[] => [
      { path: join(folder, 'hooks'), isPermanent: true },
      { path: join(folder, 'info'), isPermanent: true },
      // "commondir" with "." makes git use the directory's own settings.
      { path: join(folder, 'commondir'), content: '.\n' },
      { path: join(folder, 'config.worktree'), content: '' },
    ]),
    ...named.flatMap(({ path, kind }) => createPlaceholder(path, kind)),
  ]);
  const names = [
    ...listed,
    ...readOnly,
    ...gitDirectories.flatMap((folder) => trustedGitEntries.map((name) => join(folder, name))),
    ...named.map(({ path }) => path),
  ].filter((path) => existsSync(path));
  const real = await Promise.all(names.map((path) => realpath(path)));
  // Paths that running commands have in view cannot be replaced. A path that appeared since may be a link created by
  // such a command by the time it is mounted.
  const others = [...new Set([...before, ...running])].filter((other) => !siblings.has(other));
  const isSafe = (path: string): boolean =>
    others.every((other) => !isInside(other.root, path) || cannotSwap(other, path));
  const read = [...new Set(real)].filter((path) => isWithin(path) && isSafe(path));
  const leading = [
    ...named.flatMap(({ path }) => listDirectoriesBetween(root, path)),
    ...scan.containers.filter((container) => [...listed].some((path) => isInside(container, path))),
  ].filter((path) => existsSync(path));
  const parents = [...new Set([...gitDirectories.filter(isWithin), ...leading])].filter(
    (path) => isSafe(path) && !read.some((folder) => isInside(folder, path)),
  );
  const own: Running = { root, read, parents };
  running.add(own);
  siblings.add(own);
  const rebases = repositoryFolders.map((folder) => [folder, listRebaseCommands(folder)] as const);
  return {
    read,
    parents,
    isComplete: scan.isComplete,
    release() {
      removePlaceholders();
      for (const [folder, commands] of rebases) disarmRebase(folder, commands);
      running.delete(own);
    },
  };
}

/** Returns true if a running command cannot replace a path. */
function cannotSwap({ read, parents }: Running, path: string): boolean {
  return parents.includes(path) || read.some((folder) => isInside(folder, path));
}

/** If the hooks directory contains the work tree itself, only existing files with hook names are locked. */
async function findPathsToLock(named: GitNamedPath, workTree: string | undefined): Promise<readonly GitNamedPath[]> {
  if (workTree === undefined || !isInside(named.path, workTree)) return [named];
  const names = await readdir(named.path).catch(() => []);
  return names.filter(isHookName).map((name) => ({ path: join(named.path, name), kind: 'command' }));
}

function createPlaceholder(path: string, kind: GitNamedPath['kind']): readonly Placeholder[] {
  if (kind === 'hooks' || kind === 'templates') return [{ path }];
  return kind === 'settings' || kind === 'attributes' ? [{ path, content: '' }] : [];
}

function listHomePaths(root: string): readonly string[] {
  const home = homedir();
  if (!isInside(root, home)) return [];
  return trustedPathGroups.flatMap(({ home: names = [] }) => names.map((name) => join(home, name)));
}

function listDirectoriesBetween(root: string, path: string): readonly string[] {
  const folders: string[] = [];
  for (let at = dirname(path); at !== root && at !== dirname(at); at = dirname(at)) folders.push(at);
  return folders;
}

/** Returns git directories including those of their submodules and work trees, and the directories in between. */
async function findGitDirectories(tops: readonly string[]): Promise<readonly string[]> {
  const folders = new Set<string>();
  for (const folder of tops) if ((await isDirectory(folder)) && existsSync(join(folder, 'HEAD'))) folders.add(folder);
  // The loop also visits directories added during iteration.
  for (const folder of folders) {
    const isGit = existsSync(join(folder, 'HEAD'));
    const inner = isGit ? ['modules', 'worktrees'].map((name) => join(folder, name)) : await listDirectories(folder);
    for (const path of inner) if (folders.size < maxGitDirectories && (await isDirectory(path))) folders.add(path);
  }
  return [...folders];
}

async function listDirectories(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

async function isDirectory(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}
