import type { CallInfo, Workspace } from '@haft/core';
import {
  booleanKind,
  absolutePathKind,
  functionKind,
  numberKind,
  checkOptions,
  custom,
  described,
  isRecord,
  required,
  type OptionTable,
} from '@haft/core/options';
import type { JournalCall } from '../record/history.ts';
import { JournalError } from '../journal-error.ts';
import type { Mismatch } from '../journal-record.ts';
import type { WorkspaceChange } from '../record/net-changes.ts';
import type { Watch } from '../record/plan-watch.ts';

/** An event reported by the journal. */
export type JournalEvent =
  | { readonly type: 'recorded'; readonly call: JournalCall }
  /** The actual changes of a call differ from its declaration or report. */
  | { readonly type: 'mismatch'; readonly call: JournalCall; readonly mismatches: readonly Mismatch[] }
  /** Files changed while no call was running, for example by the user, an editor or a background process. */
  | { readonly type: 'outside'; readonly changes: readonly WorkspaceChange[] }
  /** The journal failed to do something. The call ran anyway. */
  | { readonly type: 'problem'; readonly message: string; readonly cause?: unknown };

/** Options of {@link createJournal}. */
export interface JournalOptions {
  /**
   * The journal watches the write roots. If writing is unrestricted, it watches the working directory and every path
   * that a call names.
   */
  readonly workspace: Pick<Workspace, 'cwd' | 'writeRoots'> & Partial<Pick<Workspace, 'logger' | 'now'>>;
  /**
   * Absolute path of the journal's directory. Created if missing. Choose a directory outside the write roots that
   * nothing else uses. It holds file contents and is readable only by the current user.
   */
  readonly directory: string;
  /** Selects how closely a call is watched. Return `undefined` for the default of `chooseWatch`. */
  readonly watch?: (info: CallInfo) => Watch | undefined;
  /** Excludes further absolute paths, in addition to ignore files. */
  readonly ignore?: (path: string, isDirectory: boolean) => boolean;
  /** Contents of larger files are not stored, so their changes cannot be undone. Default 10 MB. */
  readonly maxFileBytes?: number;
  /**
   * Limit of the stored contents. The oldest calls are dropped first; changes whose contents do not fit cannot be
   * undone. Default 1 GiB.
   */
  readonly maxStoreBytes?: number;
  /** Number of recorded calls. Default 1,000. */
  readonly maxCalls?: number;
  /** Adds mismatches to the advisories and unreported files to the effects of a result. Default true. */
  readonly amendResults?: boolean;
  /** Receives every event. Exceptions are ignored. */
  readonly onEvent?: (event: JournalEvent) => void;
}

const table: OptionTable<JournalOptions> = {
  workspace: required(
    custom<JournalOptions['workspace']>(
      'a Workspace such as createWorkspace({ cwd }) returns',
      (value) => isRecord(value) && typeof value['cwd'] === 'string',
    ),
  ),
  directory: required(described('the absolute path of a folder', absolutePathKind)),
  watch: functionKind,
  ignore: functionKind,
  maxFileBytes: numberKind({ min: 1 }),
  maxStoreBytes: numberKind({ min: 1 }),
  maxCalls: numberKind({ min: 1 }),
  amendResults: booleanKind,
  onEvent: functionKind,
};

/** @throws JournalError `INVALID_JOURNAL_OPTION`. */
export function checkJournalOptions(options: JournalOptions): void {
  const fail = (message: string): JournalError => new JournalError('INVALID_JOURNAL_OPTION', message);
  checkOptions('createJournal', options, table, '{ workspace, directory }', fail);
}
