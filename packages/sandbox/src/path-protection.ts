import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileGlob } from './glob.ts';
import { secretPathGlobs, trustedPathGlobs } from './protected-globs.ts';

/** Says which pattern protects a real absolute path, if one does. */
export type PathProtection = (path: string) => string | undefined;

interface Pattern {
  readonly glob: string;
  readonly folded: string;
  readonly matches: (path: string) => boolean;
}

/**
 * Compiles globs over absolute paths, with `~/` for the home directory and `!` for what is not protected after all. Letters
 * that some file system takes for one another count as the same, so `.GIT` is protected where `.git` is, there or not.
 *
 * @throws TypeError for a glob that can't be used.
 */
export function compileProtection(globs: readonly string[]): PathProtection {
  const compile = (glob: string): Pattern => {
    const folded = foldPath(glob.startsWith('~/') ? join(homedir(), glob.slice(2)) : glob);
    const compiled = compileGlob(folded);
    if (!compiled.ok) throw new TypeError(compiled.message);
    return { glob, folded, matches: (path) => compiled.matches(path) };
  };
  const positive = globs.filter((glob) => !glob.startsWith('!')).map(compile);
  const negative = globs.filter((glob) => glob.startsWith('!')).map((glob) => compile(glob.slice(1)));
  const mayMatch = joinPatterns(positive);
  return (path) => {
    const folded = foldPath(path);
    if (!mayMatch(folded)) return undefined;
    const found = positive.find(({ matches }) => matches(folded));
    return found && !negative.some(({ matches }) => matches(folded)) ? found.glob : undefined;
  };
}

let usual: PathProtection | undefined;

/**
 * What is protected when nobody says otherwise: {@link secretPathGlobs}, {@link trustedPathGlobs}, and what git runs or
 * trusts in a folder of its own that has another name (a bare repository, a separate one, that of a worktree).
 */
export const protectUsualPaths: PathProtection = (path) => {
  usual ??= compileProtection([...secretPathGlobs, ...trustedPathGlobs]);
  return usual(path) ?? (isInGitFolder(path) ? 'hooks, config and info of a git folder' : undefined);
};

/** One look instead of one for each pattern, since nearly no path is protected. */
function joinPatterns(patterns: readonly Pattern[]): (path: string) => boolean {
  const joined = compileGlob(`{${patterns.map(({ folded }) => folded).join(',')}}`);
  return joined.ok ? (path) => joined.matches(path) : () => true;
}

/**
 * A path as the most forgiving file system reads it: `.ENV`, the same letters composed differently, and with characters
 * that nobody sees (which HFS+ passes over) are all `.env`; on Windows `git~1` is the short name of `.git`.
 */
export function foldPath(path: string): string {
  const folded = path
    .replace(/[\u200C-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g, '')
    .normalize('NFC')
    .toUpperCase()
    .toLowerCase();
  return process.platform === 'win32'
    ? folded.replaceAll('\\', '/').replace(/(?<=\/)git~\d+(?=\/|$)/g, '.git')
    : folded;
}

const powerful: ReadonlySet<string> = new Set(['hooks', 'config', 'config.worktree', 'info', 'commondir', 'gitdir']);

function isInGitFolder(path: string): boolean {
  for (let at = path; at !== dirname(at); at = dirname(at)) {
    const folder = dirname(at);
    const name = foldPath(at.slice(folder.length).replace(/^[\\/]/, ''));
    if (powerful.has(name) && looksLikeGit(folder)) return true;
    // The last piece makes it one, and what it trusts is there before.
    if (pieces.has(name) && !looksLikeGit(folder) && looksLikeGit(folder, name) && trustsSomething(folder, name))
      return true;
  }
  return false;
}

const pieces: ReadonlySet<string> = new Set(['head', 'objects', 'commondir']);

/** As git itself tells: a HEAD, and objects of its own or of the repository that it is a worktree of. */
function looksLikeGit(folder: string, made?: string): boolean {
  const isThere = (name: string): boolean => made === name.toLowerCase() || has(folder, name);
  return isThere('HEAD') && (isThere('objects') || isThere('commondir'));
}

function trustsSomething(folder: string, made: string): boolean {
  return powerful.has(made) || [...powerful].some((name) => has(folder, name));
}

function has(folder: string, name: string): boolean {
  try {
    return lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
