/** Selects one call, or a call and everything after it. */
export type ChangeScope = { readonly id: string } | { readonly since: string };

/** A change of one file. */
export interface JournaledChange {
  readonly op: string;
  readonly path: string;
  /** The former path, for `rename`. */
  readonly from?: string;
  /** The user or another program may have changed the path. */
  readonly isInferred?: boolean;
}

/** A call that the journal recorded. */
export interface JournaledCall {
  readonly id: string;
  readonly callId: string;
  readonly tool: string;
  readonly provider: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly ok?: boolean;
  readonly undoes?: readonly string[];
  readonly changes: readonly JournaledChange[];
  readonly mismatches: readonly { readonly kind: string; readonly paths: readonly string[]; readonly count: number }[];
}

/** A path that an undo can't restore. */
export interface JournalConflict {
  readonly path: string;
  readonly reason: string;
  readonly message: string;
}

/** The members of a journal that the page uses. `Journal` of `@haft/journal` has all of them. */
export interface WorkbenchJournal {
  /** The working directory. Paths below it are shown relative to it. */
  readonly cwd?: string;
  calls(): readonly JournaledCall[];
  diff(scope: ChangeScope): readonly {
    readonly path: string;
    readonly patch: string;
    readonly additions: number;
    readonly deletions: number;
  }[];
  previewUndo(scope: ChangeScope): Promise<{
    readonly changes: readonly JournaledChange[];
    readonly conflicts: readonly JournalConflict[];
    readonly message?: string;
  }>;
  undo(
    scope: ChangeScope,
    options: { readonly onConflict: 'refuse' | 'skip' },
  ): Promise<
    | {
        readonly ok: true;
        readonly changes: readonly JournaledChange[];
        readonly conflicts: readonly JournalConflict[];
      }
    | { readonly ok: false; readonly message: string }
  >;
}
