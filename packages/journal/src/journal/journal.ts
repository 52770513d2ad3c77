import type { DispatchMiddleware, FileDiff } from '@haft/core';
import type { JournalCall, JournalScope } from '../record/history.ts';
import type { WorkspaceChange } from '../record/net-changes.ts';
import type { UndoOptions, UndoResult } from '../undo/undo.ts';

/** What really changed in a workspace, and the way back. */
export interface Journal extends AsyncDisposable {
  /** Looks at the workspace around every call that may write. The last in the list of a dispatcher's middleware, so that it stands nearest to the tool. */
  readonly middleware: DispatchMiddleware;
  /** The calls that were watched, oldest first, with what each changed; those of a scope, or all. */
  calls(scope?: JournalScope): readonly JournalCall[];
  /** What the calls of a scope came to together, sorted by path; nothing for a scope that has none. */
  changes(scope: JournalScope): readonly WorkspaceChange[];
  /** The same as unified diffs, with paths as seen from the working directory. */
  diff(scope: JournalScope): readonly FileDiff[];
  /**
   * Makes the files that the calls of a scope changed what they were before: contents, permission bits, links, folders. All of it or
   * nothing, unless conflicts are to be skipped. A path that has changed since is never touched.
   */
  undo(scope: JournalScope, options?: UndoOptions): Promise<UndoResult>;
  /**
   * Looks at the whole workspace now: what changed since the last look belongs to no call. The first look reads every file;
   * do it ahead of the first call where that is not to wait. Rejects with the signal's reason when that aborts; what has been looked at
   * by then is known, and the next look goes on from there.
   */
  refresh(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Writes down what is known, so that nothing has to be read again next time, and gives the folder back. */
  close(): Promise<void>;
}
