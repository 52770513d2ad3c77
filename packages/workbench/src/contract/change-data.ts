/** A recorded call in the list of changes. */
export interface ChangeSummary {
  /** ID in the journal. */
  readonly id: string;
  readonly tool: string;
  readonly provider: string;
  readonly callId: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** `undo`: this entry is an undo. `undone`: a later undo restored its files. */
  readonly state: 'running' | 'changed' | 'undone' | 'undo' | 'unchanged';
  readonly files: readonly { readonly op: string; readonly path: string }[];
  /** Number of files; `files` holds at most 20. */
  readonly count: number;
}

/** The effects that an undo would have now. */
export interface UndoPlanView {
  /** `isInferred`: the user or another program may have changed the path while a call ran, or after a crash. */
  readonly changes: readonly { readonly op: string; readonly path: string; readonly isInferred?: boolean }[];
  readonly conflicts: readonly { readonly path: string; readonly reason: string; readonly message: string }[];
  /** Why nothing can be undone. */
  readonly message?: string;
  /** Number of calls that the undo covers. */
  readonly calls: number;
}

/** A recorded call with its diffs and both ways to undo it. */
export interface ChangeDetails extends ChangeSummary {
  readonly diffs: readonly {
    readonly path: string;
    readonly patch: string;
    readonly additions: number;
    readonly deletions: number;
  }[];
  /** Differences between the changes that the call declared or reported and its actual changes. */
  readonly mismatches: readonly string[];
  readonly undoCall: UndoPlanView;
  /** Undoes the call and everything after it. */
  readonly undoSince: UndoPlanView;
}

/** The recorded calls, and whether the program has a journal. */
export interface ChangeList {
  readonly state: 'connected' | 'starting' | 'missing';
  readonly calls: readonly ChangeSummary[];
}

/** Result of an undo. */
export interface UndoView {
  readonly isOk: boolean;
  readonly message: string;
}
