import type { DispatchMiddleware, FileDiff } from '@haft/core';
import type { JournalCall, JournalScope } from '../record/history.ts';
import type { WorkspaceChange } from '../record/net-changes.ts';
import type { UndoOptions, UndoPreview, UndoResult } from '../undo/undo.ts';

/** Records the actual changes in a workspace and undoes them. */
export interface Journal extends AsyncDisposable {
  /** The working directory of the workspace. The paths of `diff` are relative to it. */
  readonly cwd: string;
  /**
   * Scans the workspace around every call that may write. Put it last in the dispatcher's middleware, next to the tool.
   */
  readonly middleware: DispatchMiddleware;
  /** Returns the watched calls with their changes, oldest first. Without a scope, returns all calls. */
  calls(scope?: JournalScope): readonly JournalCall[];
  /** Returns the net changes of all calls in a scope, sorted by path. Empty if the scope matches no call. */
  changes(scope: JournalScope): readonly WorkspaceChange[];
  /** Returns the same changes as unified diffs with paths relative to the working directory. */
  diff(scope: JournalScope): readonly FileDiff[];
  /**
   * Restores the files that the calls of a scope changed: contents, permission bits, links and folders. Undoes
   * everything or nothing, unless `onConflict` is `'skip'`. Never touches a path that has changed since.
   */
  undo(scope: JournalScope, options?: UndoOptions): Promise<UndoResult>;
  /** Returns what `undo` would do now, with its conflicts. Changes no file. */
  previewUndo(scope: JournalScope): Promise<UndoPreview>;
  /**
   * Scans the whole workspace now. Changes since the last scan belong to no call. The first scan reads every file, so
   * run it before the first call to avoid the wait there. Rejects with the signal's reason on abort; the next scan
   * continues from the progress so far.
   */
  refresh(options?: { readonly signal?: AbortSignal }): Promise<void>;
  /** Saves the index, so that the next start reads no files again, and releases the directory. */
  close(): Promise<void>;
}
