import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type Workspace } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { createJournal, JournalError, type Journal } from '@haft/journal';
import { showableLine } from '../show/showable.ts';
import { stateFolder } from './state-folder.ts';

/** Options of {@link keepJournal}. */
export interface KeepJournalOptions {
  readonly workspace: Pick<Workspace, 'cwd' | 'writeRoots' | 'logger'>;
  /** Receives one line if scanning takes long, and one if there will be no journal. */
  readonly note: (line: string) => void;
  /** Aborts the first scan of the folder, and closes the journal. */
  readonly signal: AbortSignal;
  /** Folder for the program's state. The journal has its own folder in it for each working folder. */
  readonly state?: string;
  /** Opens an existing journal only. */
  readonly onlyKept?: boolean;
  /** Maximum duration of the first scan, in milliseconds. Default 15,000. */
  readonly patienceMs?: number;
}

/** Maximum size of one folder's journal. The oldest calls are dropped first. */
const maxBytes = 512 * 1_024 * 1_024;
const noticeAfterMs = 1_500;

/**
 * Opens the journal of the working folder and scans it once, so that no call has to wait for that. If no journal is
 * possible (the folder is too large, another program uses it, nothing can be written), prints one line and continues
 * without.
 */
export async function keepJournal(options: KeepJournalOptions): Promise<Journal | undefined> {
  const { workspace, note, signal, patienceMs = 15_000 } = options;
  try {
    const cwd = realpathSync(workspace.cwd);
    mkdirSync(options.state ?? stateFolder(), { recursive: true, mode: 0o700 });
    const state = realpathSync(options.state ?? stateFolder());
    if (`${state}${sep}`.startsWith(cwd.endsWith(sep) ? cwd : `${cwd}${sep}`))
      throw new Error('its files would be inside this folder, where tools can change them');
    const directory = join(state, 'journals', createHash('sha256').update(cwd).digest('hex').slice(0, 24));
    if (options.onlyKept === true && !existsSync(directory)) {
      note('haft: nothing to undo: no run has recorded changes in this folder');
      return undefined;
    }
    const journal = await createJournal({ workspace, directory, maxStoreBytes: maxBytes });
    const patience = AbortSignal.timeout(patienceMs);
    const waiting = setTimeout(() => note('haft: scanning the folder, so that changes can be undone'), noticeAfterMs);
    try {
      await journal.refresh({ signal: AbortSignal.any([patience, signal]) });
      return journal;
    } catch (error) {
      const isNew = journal.calls().length === 0;
      await journal.close();
      // Removes the incomplete journal, which is useless and can be large.
      if (isNew) await rm(directory, { recursive: true, force: true });
      if (patience.aborted)
        throw new Error(`scanning this folder takes longer than ${patienceMs / 1_000} s`, { cause: error });
      throw error;
    } finally {
      clearTimeout(waiting);
    }
  } catch (error) {
    if (!signal.aborted) note(`haft: changes can't be undone in this run: ${showableLine(reasonOf(error), 400)}`);
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof JournalError && error.code === 'JOURNAL_IN_USE')
    return 'another run uses the journal of this folder; end that run first';
  return describeCause(error);
}
