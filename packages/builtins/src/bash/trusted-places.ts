import { existsSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import { readConfinedFile } from '@haft/sandbox';
import { closeGitDoors, type OpenDoors } from './git-doors.ts';

/** What a jailed command may write less of, inside of what it may write. */
export interface TrustedPlaces {
  /** What is there of what git, editors and agents run or trust: it is only read. */
  readonly read: readonly string[];
  /** Folders that hold some of it: they may be written, and keep their names, so that no other takes their place. */
  readonly held: readonly string[];
  /** To be called once the command has ended. */
  readonly letGo: OpenDoors;
}

/** At the top of a root. */
const trustedNames: readonly string[] = [
  '.gitmodules',
  '.husky',
  '.vscode',
  '.idea',
  '.devcontainer',
  '.cursor',
  '.claude',
  '.codex',
  '.gemini',
  '.mcp.json',
  '.envrc',
  '.npmrc',
];
/** In a folder of git: what it runs, and where else it takes settings from. */
const trustedOfGit: readonly string[] = ['hooks', 'config', 'config.worktree', 'info', 'commondir', 'gitdir'];
/** Folders of git, of submodules and work trees too, that are looked at in one root. */
const mostGitFolders = 100;

/** Finds what is trusted at the top of some roots, by real paths: nothing is mounted where a link of the workspace leads. */
export async function findTrustedPlaces(roots: readonly string[]): Promise<TrustedPlaces> {
  const found = await Promise.all(roots.filter((root) => existsSync(root)).map(findInRoot));
  return {
    read: found.flatMap(({ read }) => read),
    held: found.flatMap(({ held }) => held),
    letGo: once(() => found.forEach(({ letGo }) => letGo())),
  };
}

/** What commands run with, by root. */
interface Running {
  readonly commands: number;
  readonly places: ReadonlySet<string>;
}
const running = new Map<string, Running>();

async function findInRoot(given: string): Promise<TrustedPlaces> {
  const root = await realpath(given);
  const before = running.get(root);
  const git = join(root, '.git');
  const kind = await kindOf(git);
  const inside = root.endsWith(sep) ? root : root + sep;
  // Of a work tree or a submodule it is a file that says where the folder is; that may lie in the root as well.
  const pointed = kind === 'folder' ? git : await findPointed(root, git, kind);
  const folders = pointed?.startsWith(inside) === true ? await findGitFolders(pointed) : [];
  const letGo = await closeGitDoors(folders.filter((folder) => existsSync(join(folder, 'HEAD'))));
  const names = [
    ...trustedNames.map((name) => join(root, name)),
    ...(kind === 'file' ? [git] : []),
    ...folders.flatMap((folder) => trustedOfGit.map((name) => join(folder, name))),
  ].filter((path) => existsSync(path));
  const real = await Promise.all(names.map((path) => realpath(path)));
  const now = running.get(root);
  // What commands that run have in their view keeps its name. What has come since may be their doing, and a link by the time it
  // would be mounted.
  const isSure = (path: string): boolean => [before, now].every((others) => others?.places.has(path) !== false);
  const read = real.filter((path) => path.startsWith(inside) && isSure(path));
  const held = folders.filter(isSure);
  running.set(root, { commands: (now?.commands ?? 0) + 1, places: new Set([...read, ...held]) });
  return {
    read,
    held,
    letGo() {
      letGo();
      const { commands, places } = running.get(root)!;
      if (commands > 1) running.set(root, { commands: commands - 1, places });
      else running.delete(root);
    },
  };
}

/** The folder of git that a file names, or a link leads to. */
async function findPointed(root: string, git: string, kind: 'file' | undefined): Promise<string | undefined> {
  const read =
    kind === 'file' ? await readConfinedFile([root], git, { maxBytes: 4_096, followLinks: false }) : undefined;
  const named =
    read?.ok === true ? /^gitdir: (.+)/.exec(Buffer.from(read.bytes).toString())?.[1]?.trimEnd() : undefined;
  const absolute = named === undefined || isAbsolute(named) ? named : join(root, named);
  const folder = kind === 'file' ? absolute : git;
  const real = folder === undefined ? undefined : await realpath(folder).catch(() => undefined);
  return real !== undefined && existsSync(join(real, 'HEAD')) && (await kindOf(real)) === 'folder' ? real : undefined;
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    act();
  };
}

/** A folder of git, with those of its submodules and work trees and what these lie in. */
async function findGitFolders(git: string): Promise<readonly string[]> {
  const folders = [git];
  for (const folder of folders) {
    const isGit = folder === git || existsSync(join(folder, 'HEAD'));
    const inner = isGit ? ['modules', 'worktrees'].map((name) => join(folder, name)) : await listFolders(folder);
    for (const path of inner)
      if (folders.length < mostGitFolders && (await kindOf(path)) === 'folder') folders.push(path);
  }
  return folders;
}

async function listFolders(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
}

async function kindOf(path: string): Promise<'file' | 'folder' | undefined> {
  const stats = await lstat(path).catch(() => undefined);
  return stats?.isDirectory() === true ? 'folder' : stats?.isFile() === true ? 'file' : undefined;
}
