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
import { joinName } from './join-name.ts';
import { mergeInTurns } from './merge-in-turns.ts';
import { takeTurns, type Turns } from './take-turns.ts';

/** One folder of a walk, with the names that are not ignored, sorted. */
export interface WalkedFolder {
  /** Real absolute path. */
  readonly path: string;
  /** From the start of the walk, with `/` at its end; empty for the start itself. */
  readonly below: string;
  readonly files: readonly string[];
  readonly folders: readonly string[];
  /** The folder itself, open until the walk goes on. */
  readonly open: DirectoryHandle;
}

/** A file or folder that ignore rules keep out. */
export interface IgnoredEntry {
  /** Of the folder it is in. */
  readonly folder: string;
  /** From the start of the walk to that folder, as in {@link WalkedFolder}. */
  readonly below: string;
  readonly name: string;
  readonly isDirectory: boolean;
}

/** What a walk left out; filled in while it goes on. */
export interface WalkReport {
  /** Ignored entries, each counted once with all below it; version control's own folder is not counted. */
  ignored: number;
  /** The first of them. */
  readonly ignoredEntries: IgnoredEntry[];
  /** Folders that could not be listed. */
  readonly unreadable: { readonly path: string; readonly failure: SandboxFailure }[];
  /** Folders with more entries than were looked at. */
  readonly cut: string[];
}

/** How a walk goes. */
export interface WalkOptions {
  /** Enters what ignore rules keep out, too. Default false. */
  readonly noIgnore?: boolean;
  /** What the paths below the start begin with. Default nothing. */
  readonly below?: string;
}

/** Version control's own folder: internal data. */
const repositoryFolder = '.git';
const maxEntries = 100_000;
const maxIgnored = 10_000;
/** Names of folders that wait to be entered: more than that are kept in no tree that anybody works on. */
const maxPending = 500_000;
/** Folders held open at once, from the deepest up; one further up is opened again by its path when the walk comes back to it. */
const maxOpen = 64;

/** Makes an empty report. */
export function createWalkReport(): WalkReport {
  return { ignored: 0, ignoredEntries: [], unreadable: [], cut: [] };
}

interface Level {
  readonly path: string;
  readonly below: string;
  /** Undefined while many are open below it. */
  open: DirectoryHandle | undefined;
  readonly rules: IgnoreRules;
  /** What is still to be entered, the next one last. */
  readonly pending: string[];
}

/**
 * Walks a folder and all below it, sorted by name, each folder's files before its folders. Links are never followed,
 * also where one takes a folder's place meanwhile, so everything lies below `start`, a real path. Folders that can't be
 * listed are reported, never taken for empty ones.
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

/** A folder's entries, sorted by name, or why it can't be listed. */
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
