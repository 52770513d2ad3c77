import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { type Workspace } from '@haft/core';
import { describeCause } from '@haft/core/results';
import { createJournal, JournalError, type Journal } from '@haft/journal';
import { showableLine } from '../show/showable.ts';
import { stateFolder } from './state-folder.ts';

/** What {@link keepJournal} takes. */
export interface KeepJournalOptions {
  readonly workspace: Pick<Workspace, 'cwd' | 'writeRoots' | 'logger'>;
  /** Is told one line when it takes long, and one when there will be no journal. */
  readonly note: (line: string) => void;
  /** Ends the first look at the folder, and the journal with it. */
  readonly signal: AbortSignal;
  /** Where the program keeps what it remembers; the journal has a folder of its own in it for each folder that is worked in. */
  readonly state?: string;
  /** Opens the journal that earlier runs kept, and begins none. */
  readonly onlyKept?: boolean;
  /** How long the first look at the folder may take; default 15 seconds. */
  readonly patienceMs?: number;
}

/** Contents of one folder's journal; the oldest calls are forgotten for room. */
const mostBytes = 512 * 1_024 * 1_024;
const noticeAfterMs = 1_500;

/**
 * Opens the journal of the folder that is worked in, and looks at all of it once, so that no call has to wait for that. Where none can be
 * had (the folder is too large, another program keeps it, nothing can be written) one line says why and the run goes on without.
 */
export async function keepJournal(options: KeepJournalOptions): Promise<Journal | undefined> {
  const { workspace, note, signal, patienceMs = 15_000 } = options;
  try {
    const cwd = realpathSync(workspace.cwd);
    mkdirSync(options.state ?? stateFolder(), { recursive: true, mode: 0o700 });
    const state = realpathSync(options.state ?? stateFolder());
    if (`${state}${sep}`.startsWith(cwd.endsWith(sep) ? cwd : `${cwd}${sep}`))
      throw new Error('what it would keep lies in this folder itself, open to the tools');
    const directory = join(state, 'journals', createHash('sha256').update(cwd).digest('hex').slice(0, 24));
    if (options.onlyKept === true && !existsSync(directory)) {
      note('haft: nothing to undo: no run has recorded what it changed in this folder');
      return undefined;
    }
    const journal = await createJournal({ workspace, directory, maxStoreBytes: mostBytes });
    const patience = AbortSignal.timeout(patienceMs);
    const waiting = setTimeout(() => note('haft: looking at the folder, so that changes can be undone'), noticeAfterMs);
    try {
      await journal.refresh({ signal: AbortSignal.any([patience, signal]) });
      return journal;
    } catch (error) {
      const isNew = journal.calls().length === 0;
      await journal.close();
      // Nobody could undo anything with it, and it may be large.
      if (isNew) await rm(directory, { recursive: true, force: true });
      if (patience.aborted)
        throw new Error(`a look at all of this folder takes longer than ${patienceMs / 1_000} s`, { cause: error });
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
    return 'another run works in this folder and keeps its journal';
  return describeCause(error);
}
