import type { CallInfo, Workspace } from '@haft/core';
import {
  aBoolean,
  absolutePath,
  aFunction,
  aNumber,
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

/** Something that a journal has to tell. */
export type JournalEvent =
  | { readonly type: 'recorded'; readonly call: JournalCall }
  /** What a call declared or reported is not what happened. */
  | { readonly type: 'mismatch'; readonly call: JournalCall; readonly mismatches: readonly Mismatch[] }
  /** Files changed while no call was at work: a person, an editor, a process that a call left running. */
  | { readonly type: 'outside'; readonly changes: readonly WorkspaceChange[] }
  /** The journal itself could not do something; the call it was for ran all the same. */
  | { readonly type: 'problem'; readonly message: string; readonly cause?: unknown };

/** What {@link createJournal} takes. */
export interface JournalOptions {
  /** Its write roots are watched; where writing is not limited, its working directory, and any path that a call names. */
  readonly workspace: Pick<Workspace, 'cwd' | 'writeRoots'> & Partial<Pick<Workspace, 'logger' | 'now'>>;
  /**
   * Absolute folder for what the journal keeps, made where it is missing; best outside the write roots, and nobody else's. It holds the
   * contents of files, readable by this user alone.
   */
  readonly directory: string;
  /** How closely a call is watched; `undefined` leaves it to the default, `chooseWatch`. */
  readonly watch?: (info: CallInfo) => Watch | undefined;
  /** What is left out besides what ignore files name; absolute path. */
  readonly ignore?: (path: string, isDirectory: boolean) => boolean;
  /** The contents of larger files are not kept, and their changes can't be undone. Default 10 MB. */
  readonly maxFileBytes?: number;
  /** How much is kept in all. The oldest calls are forgotten for it; what there is no room for even so can't be undone. Default 1 GiB. */
  readonly maxStoreBytes?: number;
  /** How many calls are remembered. Default 1,000. */
  readonly maxCalls?: number;
  /** Whether a mismatch is also a remark to the model, and whether files that a result does not name are added to its effects. Default true. */
  readonly amendResults?: boolean;
  /** Hears what there is to tell; what it throws is dropped. */
  readonly onEvent?: (event: JournalEvent) => void;
}

const table: OptionTable<JournalOptions> = {
  workspace: required(
    custom<JournalOptions['workspace']>(
      'a Workspace such as createWorkspace({ cwd }) makes',
      (value) => isRecord(value) && typeof value['cwd'] === 'string',
    ),
  ),
  directory: required(described('the absolute path of a folder', absolutePath)),
  watch: aFunction,
  ignore: aFunction,
  maxFileBytes: aNumber({ min: 1 }),
  maxStoreBytes: aNumber({ min: 1 }),
  maxCalls: aNumber({ min: 1 }),
  amendResults: aBoolean,
  onEvent: aFunction,
};

/** @throws JournalError `INVALID_JOURNAL_OPTION`. */
export function checkJournalOptions(options: JournalOptions): void {
  const fail = (message: string): JournalError => new JournalError('INVALID_JOURNAL_OPTION', message);
  checkOptions('createJournal', options, table, '{ workspace, directory }', fail);
}
