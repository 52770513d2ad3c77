import {
  loadIgnoreRules,
  noIgnoreRules,
  openConfinedDirectory,
  isIgnoreFile,
  type DirectoryHandle,
  type DirectoryEntry,
  type IgnoreRules,
  type Roots,
  type SandboxFailure,
} from '@haft/sandbox';
import { joinName } from './join-walked-name.ts';
import { mergeInTurns } from './merge-walks.ts';
import { takeTurns, type Turns } from './take-walk-turns.ts';

/** A directory of a walk, with the sorted names of its entries that are not ignored. */
export interface WalkedFolder {
  /** The real absolute path. */
  readonly path: string;
  /** The path from the start of the walk, with a final `/`; empty for the start itself. */
  readonly below: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** The handle of the directory, open until the walk continues. */
  readonly open: DirectoryHandle;
}

/** An ignored file or directory. */
export interface IgnoredEntry {
  /** The path of its parent directory. */
  readonly folder: string;
  /** The path from the start of the walk to the parent directory, as in {@link WalkedFolder}. */
  readonly below: string;
  readonly name: string;
  readonly isDirectory: boolean;
}

/** What a walk omitted. Updated during the walk. */
export interface WalkReport {
  /** Number of ignored entries. Each counts once, with everything below it. `.git` does not count. */
  ignored: number;
  /** The first ignored entries. */
  readonly ignoredEntries: IgnoredEntry[];
  /** Directories that could not be listed. */
  readonly unreadable: { readonly path: string; readonly failure: SandboxFailure }[];
  /** Directories with more entries than the walk reads. */
  readonly cut: string[];
}

/** Options of a walk. */
export interface WalkOptions {
  /** Also enters ignored directories. Default false. */
  readonly noIgnore?: boolean;
  /** Prefix of the paths below the start. Default: empty. */
  readonly below?: string;
}

/** The internal directory of Git, which is never searched. */
const repositoryFolder = '.git';
const maxEntries = 100_000;
const maxIgnored = 10_000;
/** Maximum number of directory names that wait to be entered, more than any real tree needs. */
const maxPending = 500_000;
/** Maximum number of open directories, from the deepest one up. The walk reopens other directories by their path. */
const maxOpen = 64;

/** Creates an empty report. */
export function createWalkReport(): WalkReport {
  return { ignored: 0, ignoredEntries: [], unreadable: [], cut: [] };
}

interface Level {
  readonly path: string;
  readonly below: string;
  /** The handle. Undefined while too many directories below it are open. */
  open: DirectoryHandle | undefined;
  readonly rules: IgnoreRules;
  /** The names of the directories still to be entered, the next one last. */
  readonly pending: string[];
}

/**
 * Walks a directory tree, sorted by name. The files of each directory come before its subdirectories. Never follows
 * links, even if a link replaces a directory during the walk, so all results are below `start`, a real path.
 * Directories that can't be listed are reported and never treated as empty.
 */
export async function* walkFolders(
  roots: Roots,
  start: string,
  report: WalkReport,
  signal: AbortSignal,
  options: WalkOptions = {},
): AsyncGenerator<WalkedFolder> {
  const turns = takeTurns();
  const levels: Level[] = [];
  let pending = 0;
  let next = openConfinedDirectory(roots, start, { expectedPath: start });
  let path = start;
  let below = options.below ?? '';
  const startRules = options.noIgnore === true ? noIgnoreRules : await loadIgnoreRules(roots, start);
  let rules = (_sources: readonly string[]): IgnoreRules | Promise<IgnoreRules> => startRules;
  try {
    for (;;) {
      signal.throwIfAborted();
      if (next.ok) {
        const open: DirectoryHandle = next;
        try {
          const listing = await listFolder(open, report, turns);
          if (!('ok' in listing)) {
            const own = await rules(listing.flatMap(({ name }) => (isIgnoreFile(name) ? [name] : [])));
            const leaveOut = ({ name, kind }: DirectoryEntry): void => {
              report.ignored += 1;
              if (report.ignoredEntries.length < maxIgnored)
                report.ignoredEntries.push({ folder: path, below, name, isDirectory: kind === 'directory' });
            };
            const { files, folders } = await sortOut(listing, own, turns, leaveOut);
            yield { path, below, files, folders, open };
            const room = maxPending - pending;
            if (folders.length > room) report.cut.push(path);
            const waiting = folders.slice(0, room).toReversed();
            pending += waiting.length;
            if (waiting.length > 0) {
              levels.push({ path, below, open, rules: own, pending: waiting });
              const far = levels.at(-maxOpen - 1);
              far?.open?.close();
              if (far) far.open = undefined;
            }
          } else report.unreadable.push({ path, failure: listing });
        } finally {
          if (levels.at(-1)?.open !== open) open.close();
        }
      } else report.unreadable.push({ path, failure: next });

      while (levels.at(-1)?.pending.length === 0) levels.pop()!.open?.close();
      const level = levels.at(-1);
      if (level === undefined) break;
      const name = level.pending.pop()!;
      pending -= 1;
      path = joinName(level.path, name);
      const entering = path;
      below = `${level.below}${name}/`;
      const holder = level.open ?? openConfinedDirectory(roots, level.path, { expectedPath: level.path });
      if (holder.ok) level.open = holder;
      next = holder.ok ? holder.enter(name) : holder;
      rules = (sources) => level.rules.enter(name, { path: entering, sources });
    }
  } finally {
    for (const { open } of levels) open?.close();
  }
}

/** Returns the entries of a directory, sorted by name, or why it can't be listed. */
async function listFolder(
  folder: DirectoryHandle,
  report: WalkReport,
  turns: Turns,
): Promise<readonly DirectoryEntry[] | SandboxFailure> {
  const pieces: (readonly DirectoryEntry[])[] = [];
  let entries = 0;
  const list = folder.list();
  for (let piece = list.next(); ; piece = list.next()) {
    if (piece.done === true) {
      if (piece.value !== undefined) return piece.value;
      break;
    }
    entries += piece.value.length;
    if (entries > maxEntries) {
      report.cut.push(folder.path);
      list.return(undefined);
      break;
    }
    pieces.push(piece.value.toSorted((left, right) => (left.name < right.name ? -1 : 1)));
    const turn = turns.next();
    if (turn !== undefined) await turn;
  }
  return mergeInTurns(pieces, (left, right) => left.name < right.name, turns);
}

async function sortOut(
  entries: readonly DirectoryEntry[],
  rules: IgnoreRules,
  turns: Turns,
  leaveOut: (entry: DirectoryEntry) => void,
): Promise<Pick<WalkedFolder, 'files' | 'folders'>> {
  const files: string[] = [];
  const folders: string[] = [];
  for (const entry of entries) {
    const turn = turns.next();
    if (turn !== undefined) await turn;
    const { name, kind } = entry;
    if ((kind !== 'file' && kind !== 'directory') || name === repositoryFolder) continue;
    if (rules.ignores(name, kind === 'directory')) leaveOut(entry);
    else if (kind === 'file') files.push(name);
    else folders.push(name);
  }
  return { files, folders };
}
