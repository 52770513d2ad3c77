import { closeSync, constants, lstatSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEntry } from '../files/confined-directory.ts';

/** A file of an unfinished git operation that contains commands git runs when the operation continues. */
interface StateFile {
  readonly folder: string;
  readonly name: string;
  /** Returns the lines, or the whole text, that would make git run a program. */
  readonly findCommands: (text: string) => readonly string[];
  /** Whether git accepts the remaining lines. Otherwise the whole file is removed, and git continues without it. */
  readonly isListOfLines?: boolean;
}

const maxBytes = 4_000_000;
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Instructions that run no program. Every other instruction counts as a command. */
const harmless =
  /^(?:pick|p|reword|r|edit|e|squash|s|fixup|f|drop|d|break|b|label|l|reset|t|merge|m|noop|update-ref|u)(?:\s|$)/;

// Git runs `git-merge-<strategy>`, which is a file of the work tree if the name contains a slash.
const stateFiles: readonly StateFile[] = [
  {
    folder: 'rebase-merge',
    name: 'git-rebase-todo',
    findCommands: (text) => text.split('\n').filter(isCommand),
    isListOfLines: true,
  },
  { folder: 'rebase-merge', name: 'strategy', findCommands: (text) => (text.includes('/') ? [text] : []) },
  {
    folder: 'sequencer',
    name: 'opts',
    findCommands: (text) => (/strategy/i.test(text) && text.includes('/') ? [text] : []),
  },
];

/** Returns the commands that git would run when an interrupted rebase, cherry-pick or revert continues. */
export function listRebaseCommands(gitFolder: string): ReadonlySet<string> {
  return new Set(
    stateFiles.flatMap((file) => withState(gitFolder, file, (_path, text) => file.findCommands(text)) ?? []),
  );
}

/**
 * Removes commands that git would run when a rebase, cherry-pick or revert continues, except those that existed before.
 * Entries that are not regular files of bounded size are removed, because git never creates them.
 */
export function disarmRebase(gitFolder: string, before: ReadonlySet<string>): void {
  for (const file of stateFiles)
    withState(gitFolder, file, (path, text) => {
      const added = new Set(file.findCommands(text).filter((command) => !before.has(command)));
      if (added.size === 0) return;
      unlinkSync(path);
      if (file.isListOfLines !== true) return;
      const kept = text.split('\n').map((line) => (added.has(line) ? `# ${line}` : line));
      writeFileSync(path, kept.join('\n'), { flag: 'wx', mode: 0o644 });
    });
}

function isCommand(line: string): boolean {
  const trimmed = line.trim();
  return trimmed !== '' && !trimmed.startsWith('#') && !harmless.test(trimmed);
}

function withState<Result>(
  gitFolder: string,
  file: StateFile,
  use: (path: string, text: string) => Result,
): Result | undefined {
  const folder = join(gitFolder, file.folder);
  try {
    const own = lstatSync(folder, { throwIfNoEntry: false });
    if (own === undefined) return undefined;
    if (own.isSymbolicLink()) unlinkSync(folder);
    if (!own.isDirectory()) return undefined;
    const entry = openEntry([gitFolder], join(folder, file.name), { followLast: false });
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
