import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { compileGlob } from '../globs/glob.ts';
import { isNamedByGit } from '../git/git-named-paths.ts';
import { isGitDirectory } from '../git/git-repository.ts';
import { secretPathGlobs, trustedPathGlobs } from './protected-globs.ts';

/** Returns the pattern that protects a real absolute path, or undefined. */
export type PathProtection = (path: string) => string | undefined;

interface Pattern {
  readonly glob: string;
  readonly folded: string;
  readonly matches: (path: string) => boolean;
}

/**
 * Compiles globs for absolute paths, with `~/` for the home directory and `!` for exceptions. Comparison ignores
 * differences that some file system ignores, so `.GIT` is protected like `.git`, whether or not it exists.
 *
 * @throws TypeError if a glob is invalid.
 * @example
 * import { compileProtection } from '@haft/sandbox';
 * const isProtected = compileProtection(['/project/.env*', '!/project/.env.example']);
 * [isProtected('/project/.env'), isProtected('/project/.env.example')]; // => ['/project/.env*', undefined]
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
  const matchesAny = joinPatterns(positive);
  return (path) => {
    const folded = foldPath(path);
    const found =
      named(folded) ?? (matchesAny(folded) ? positive.find(({ matches }) => matches(folded))?.glob : undefined);
    return found !== undefined && !negative.some(({ matches }) => matches(folded)) ? found : undefined;
  };
}

/** A name, or several nested ones, at any depth, with everything below: the form of most protected paths. */
const namePattern = /^\*\*\/([^*?[\]{}\\!]+)\{,\/\*\*\}$/;

/** Checks a path in one pass against all globs of the form {@link namePattern}. */
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

let defaultProtection: PathProtection | undefined;

/**
 * The default protection: {@link secretPathGlobs}, {@link trustedPathGlobs}, the hooks and settings of git directories
 * with other names (bare, separate or of a work tree), and paths that git settings name: hooks directories, included
 * files and commands.
 *
 * @example
 * import { protectDefaultPaths } from '@haft/sandbox';
 * protectDefaultPaths('/project/.git/hooks/pre-commit') !== undefined; // => true
 * protectDefaultPaths('/project/readme.md'); // => undefined
 */
export const protectDefaultPaths: PathProtection = (path) => {
  defaultProtection ??= compileProtection([...secretPathGlobs, ...trustedPathGlobs]);
  return (
    defaultProtection(path) ??
    (isInGitFolder(path) ? 'hooks, config or info of a git directory' : undefined) ??
    (isNamedByGit(path, foldPath) ? 'named by git settings' : undefined)
  );
};

/** Combines patterns into one check, because almost no path is protected. */
function joinPatterns(patterns: readonly Pattern[]): (path: string) => boolean {
  const joined = compileGlob(`{${patterns.map(({ folded }) => folded).join(',')}}`);
  return joined.ok ? (path) => joined.matches(path) : () => true;
}

/**
 * Folds a path like the most lenient file system: `.ENV`, other compositions of the same letters, and invisible
 * characters (which HFS+ ignores) all give `.env`. On Windows, `git~1` is the short name of `.git`.
 */
export function foldPath(path: string): string {
  // ASCII characters have only one composition.
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

/** Entries of a git directory that git executes or reads settings from, including pending rebase steps. */
const trustedEntries: ReadonlySet<string> = new Set([
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
    if (trustedEntries.has(name) && hasGitLayout(folder)) return true;
    // The new entry completes a git directory whose trusted content already exists.
    if (
      requiredEntries.has(name) &&
      !hasGitLayout(folder) &&
      hasGitLayout(folder, name) &&
      hasTrustedEntry(folder, name)
    )
      return true;
  }
  return false;
}

const requiredEntries: ReadonlySet<string> = new Set(['head', 'objects', 'commondir']);

function hasGitLayout(folder: string, newEntry?: string): boolean {
  return isGitDirectory((name) => join(folder, name), newEntry);
}

function hasTrustedEntry(folder: string, newEntry: string): boolean {
  return trustedEntries.has(newEntry) || [...trustedEntries].some((name) => has(folder, name));
}

function has(folder: string, name: string): boolean {
  try {
    return lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
