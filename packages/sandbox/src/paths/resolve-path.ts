import { lstatSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, parse, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { objectKind, checkIs, checkText } from '../check-given.ts';
import { appendName } from './append-path-name.ts';

/** A path and the directory that it is relative to. One object, because two strings are easily swapped. */
export interface PathToResolve {
  /** The working directory. */
  readonly cwd: string;
  readonly path: string;
}

const cwdAndPath = { ...objectKind, expected: "an object such as { cwd: '/project', path: 'notes.txt' }" };

/**
 * Removes one leading `@`, as in `@src/index.ts`. A lone `@` remains.
 *
 * @example
 * import { stripMentionPrefix } from '@haft/sandbox';
 * stripMentionPrefix('@src/index.ts'); // => 'src/index.ts'
 */
export function stripMentionPrefix(path: string): string {
  return path.length > 1 && path.startsWith('@') ? path.slice(1) : path;
}

/**
 * Resolves a path from a model to an absolute path, without checking whether it may be used (see `confine`).
 *
 * Removes a leading `@` unless an entry with the literal name exists, expands `~` and `~/…`, and decodes `file:` URLs.
 * Everything else is literal, including `$HOME` and `%2e`. `.` and `..` are collapsed like the system does, so
 * `link/..` is the parent of the link's target. A trailing separator is retained unless the path is an existing
 * directory, so that `notes.txt/` is not mistaken for `notes.txt`.
 *
 * @throws TypeError if the argument is not an object with two strings.
 */
export function resolvePath(given: PathToResolve): string {
  checkIs('resolvePath', given, cwdAndPath);
  const { cwd, path } = given;
  checkText('cwd', cwd, '/project');
  checkText('path', path, 'notes.txt');
  const base = resolve(cwd);
  if (path.includes('\0')) return join(base, path);
  const named = expand(chooseMention(base, path));
  const absolute = collapse(isAbsolute(named) ? named : base + sep + named);
  return endsInSeparator(named) && !isDirectory(absolute) ? absolute + sep : absolute;
}

function chooseMention(base: string, path: string): string {
  const stripped = stripMentionPrefix(path);
  if (stripped === path || exists(resolve(base, path))) return path;
  if (exists(resolve(base, expand(stripped)))) return stripped;
  // A new file in an existing directory named `@scope` belongs to that directory.
  const first = path.split(/[\\/]/, 1)[0] ?? path;
  return first !== path && exists(resolve(base, first)) ? path : stripped;
}

function expand(path: string): string {
  if (path === '~') return homedir();
  if (path.startsWith('~/') || (sep === '\\' && path.startsWith('~\\'))) return join(homedir(), path.slice(2));
  if (!/^file:\//i.test(path)) return path;
  try {
    return fileURLToPath(path);
  } catch {
    return path;
  }
}

function collapse(absolute: string): string {
  const { root } = parse(absolute);
  let current = root;
  for (const name of absolute.slice(root.length).split(sep === '\\' ? /[\\/]+/ : /\/+/)) {
    if (name === '' || name === '.') continue;
    current = name === '..' ? dirname(followLink(current)) : appendName(current, name);
  }
  return current;
}

function followLink(path: string): string {
  try {
    return lstatSync(path).isSymbolicLink() ? realpathSync.native(path) : path;
  } catch {
    return path;
  }
}

function exists(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A trailing dot after a separator denotes the same directory. */
function endsInSeparator(path: string): boolean {
  return sep === '\\' ? /[\\/]\.?$/.test(path) : /\/\.?$/.test(path);
}
