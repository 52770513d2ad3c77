import { lstatSync, mkdirSync, readdirSync, rmdirSync, rmSync, writeFileSync, type Stats } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { UsageError } from '../program/usage-error.ts';

/**
 * Checks that a project can be written into a folder.
 *
 * @throws UsageError if the folder is a file, if it contains files and `merge` is not set, or if one of the files exists.
 */
export function checkFolder(
  folder: string,
  files: Iterable<string>,
  { merge, shown }: { readonly merge: boolean; readonly shown: string },
): void {
  const existing = kindOf(folder);
  if (existing === undefined) return;
  if (existing !== 'folder') throw new UsageError(`${shown}: it exists and is not a folder; choose another name`);
  const present = entriesOf(folder, shown).filter((name) => !harmless.has(name));
  if (present.length === 0) return;
  if (!merge) {
    throw new UsageError(
      `${shown}: the folder is not empty (it contains ${listed(present)}); choose another name, or add --merge to create the project in it`,
    );
  }
  const taken = [...files].filter((path) => kindOf(join(folder, path)) !== undefined);
  if (taken.length > 0) {
    throw new UsageError(`${shown}: ${listed(taken)} would be overwritten; move it away, or choose another folder`);
  }
}

/**
 * Writes all files, or none: a failure removes those that were written. Never overwrites a file.
 *
 * @throws UsageError if the system refuses.
 */
export function writeProject(folder: string, files: ReadonlyMap<string, string>): void {
  const folders: string[] = [];
  const written: string[] = [];
  try {
    for (const [path, text] of files) {
      const file = join(folder, path);
      makeFolder(dirname(file), folders);
      writeFileSync(file, text, { flag: 'wx' });
      written.push(file);
    }
  } catch (error) {
    for (const file of written) rmSync(file, { force: true });
    for (const made of folders.toReversed()) removeEmpty(made);
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(
      `${relative(process.cwd(), folder) || '.'}: it can't be written (${code}), so nothing was created; choose a folder that you may write to`,
    );
  }
}

/**
 * Creates parents one by one, because Node's `recursive` option never returns where no folder can be
 * created (/proc).
 */
function makeFolder(path: string, made: string[]): void {
  const kind = kindOf(path);
  if (kind === 'folder') return;
  if (kind === 'file') throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR' });
  if (dirname(path) !== path) makeFolder(dirname(path), made);
  mkdirSync(path);
  made.push(path);
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Another program has put a file into it.
  }
}

/** Files that git or a desktop creates in a new folder. */
const harmless: ReadonlySet<string> = new Set(['.git', '.DS_Store', 'Thumbs.db', '.idea', '.vscode']);

function entriesOf(folder: string, shown: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new UsageError(`${shown}: the folder can't be read (${code}); choose another one`);
  }
}

/** Follows a link to a folder, and regards every other link as a file. */
function kindOf(path: string): 'folder' | 'file' | undefined {
  const stats = statsOf(path);
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return 'folder';
  return stats.isSymbolicLink() && isFolderBehindLink(path) ? 'folder' : 'file';
}

/** A path below a file or in an unreadable folder counts as missing; writing to it reports the reason. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isFolderBehindLink(path: string): boolean {
  try {
    readdirSync(path);
    return true;
  } catch {
    return false;
  }
}

function listed(names: readonly string[]): string {
  const [first, second] = names;
  const rest = names.length > 3 ? ` and ${names.length - 2} more` : '';
  return rest === '' ? names.join(', ') : `${first}, ${second}${rest}`;
}
