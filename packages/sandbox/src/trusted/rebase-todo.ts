import { closeSync, constants, lstatSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEntry } from '../files/confined-directory.ts';

const folderName = 'rebase-merge';
const todoName = 'git-rebase-todo';
const maxBytes = 4_000_000;
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Instructions that run no program that the list names; everything else counts as one that does. */
const harmless =
  /^(?:pick|p|reword|r|edit|e|squash|s|fixup|f|drop|d|break|b|label|l|reset|t|merge|m|noop|update-ref|u)(?:\s|$)/;

/** The lines of a rebase that has stopped by which git would run commands when it goes on. */
export function listRebaseCommands(gitFolder: string): ReadonlySet<string> {
  return new Set(withTodo(gitFolder, (_path, text) => text.split('\n').filter(isCommand)) ?? []);
}

/**
 * Makes comments of the lines by which git would run commands when a rebase goes on, but for those that were there before. What is
 * not a plain file of a bounded size is removed: git itself makes no other.
 */
export function disarmRebase(gitFolder: string, before: ReadonlySet<string>): void {
  withTodo(gitFolder, (path, text) => {
    const lines = text.split('\n');
    if (!lines.some((line) => isCommand(line) && !before.has(line))) return;
    const kept = lines.map((line) => (isCommand(line) && !before.has(line) ? `# ${line}` : line));
    unlinkSync(path);
    writeFileSync(path, kept.join('\n'), { flag: 'wx', mode: 0o644 });
  });
}

function isCommand(line: string): boolean {
  const plain = line.trim();
  return plain !== '' && !plain.startsWith('#') && !harmless.test(plain);
}

function withTodo<Result>(gitFolder: string, use: (path: string, text: string) => Result): Result | undefined {
  const folder = join(gitFolder, folderName);
  try {
    const own = lstatSync(folder, { throwIfNoEntry: false });
    if (own === undefined) return undefined;
    if (own.isSymbolicLink()) unlinkSync(folder);
    if (!own.isDirectory()) return undefined;
    const entry = openEntry([gitFolder], join(folder, todoName), { followLast: false });
    if (!entry.ok) return undefined;
    try {
      const path = entry.directory.at(entry.name);
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats === undefined) return undefined;
      if (!stats.isFile() || stats.size > maxBytes) {
        if (!stats.isDirectory()) unlinkSync(path);
        return undefined;
      }
      const descriptor = openSync(path, readFlags);
      try {
        return use(path, readFileSync(descriptor, 'utf8'));
      } finally {
        closeSync(descriptor);
      }
    } finally {
      entry.directory.close();
    }
  } catch {
    return undefined;
  }
}
