import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileGlob } from '../globs/glob.ts';
import { isNamedByGit } from '../git/git-places.ts';
import { isGitFolder } from '../git/git-repository.ts';
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
  const named = indexNames(globs);
  const positive = globs.filter((glob) => !glob.startsWith('!') && !namePattern.test(glob)).map(compile);
  const negative = globs.filter((glob) => glob.startsWith('!')).map((glob) => compile(glob.slice(1)));
  const mayMatch = joinPatterns(positive);
  return (path) => {
    const folded = foldPath(path);
    const found =
      named(folded) ?? (mayMatch(folded) ? positive.find(({ matches }) => matches(folded))?.glob : undefined);
    return found !== undefined && !negative.some(({ matches }) => matches(folded)) ? found : undefined;
  };
}

/** A name, or several one below the other, wherever they lie, with all below them: most of what is protected. */
const namePattern = /^\*\*\/([^*?[\]{}\\!]+)\{,\/\*\*\}$/;

/** One pass over a path's names for all globs that {@link namePattern} fits. */
function indexNames(globs: readonly string[]): (folded: string) => string | undefined {
  const byFirst = new Map<string, { readonly glob: string; readonly rest: string }[]>();
  for (const glob of globs) {
    const path = namePattern.exec(glob)?.[1];
    if (path === undefined) continue;
    const [first = '', ...rest] = foldPath(path).split('/');
    const entry = { glob, rest: rest.map((name) => `/${name}`).join('') };
    byFirst.set(first, [...(byFirst.get(first) ?? []), entry]);
  }
  return (folded) => {
    for (let end = 0, from = 0; end < folded.length; from = end + 1) {
      end = folded.indexOf('/', from);
      if (end === -1) end = folded.length;
      if (end === from) continue;
      const found = byFirst.get(folded.slice(from, end))?.find(({ rest }) => {
        const after = end + rest.length;
        return folded.startsWith(rest, end) && (after === folded.length || folded[after] === '/');
      });
      if (found) return found.glob;
    }
    return undefined;
  };
}

let usual: PathProtection | undefined;

/**
 * What is protected when nobody says otherwise: {@link secretPathGlobs}, {@link trustedPathGlobs}, and what git runs or
 * trusts in a folder of its own that has another name (a bare repository, a separate one, that of a worktree) and what the
 * settings of git name: folders of hooks, included files, commands.
 */
export const protectDefaultPaths: PathProtection = (path) => {
  usual ??= compileProtection([...secretPathGlobs, ...trustedPathGlobs]);
  return (
    usual(path) ??
    (isInGitFolder(path) ? 'hooks, config and info of a git folder' : undefined) ??
    (isNamedByGit(path, foldPath) ? 'what the settings of git name' : undefined)
  );
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
  // Characters of ASCII are composed in one way.
  const folded = isAscii.test(path)
    ? path.toLowerCase()
    : path
        .replace(/[\u200C-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g, '')
        .normalize('NFC')
        .toUpperCase()
        .toLowerCase();
  return process.platform === 'win32'
    ? folded.replaceAll('\\', '/').replace(/(?<=\/)git~\d+(?=\/|$)/g, '.git')
    : folded;
}

const isAscii = /^[\0-\x7F]*$/;

/** What git runs, or takes settings from, in a folder of its own: also what is left to do of a rebase. */
const powerful: ReadonlySet<string> = new Set([
  'hooks',
  'config',
  'config.worktree',
  'info',
  'commondir',
  'gitdir',
  'remotes',
  'branches',
  'modules',
  'worktrees',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
]);

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

function looksLikeGit(folder: string, made?: string): boolean {
  return isGitFolder((name) => join(folder, name), made);
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
