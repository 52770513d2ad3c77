import type { StateChange } from './entry-state.ts';

/** Identifies the call of a record. */
export interface CallFacts {
  readonly callId: string;
  readonly tool: string;
  readonly provider: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
}

/** A difference between the declared or reported changes of a call and its actual changes. */
export interface Mismatch {
  /**
   * `unreported`: changed paths are missing from the call's report. `outside-footprint`: changed paths are outside the
   * tool's declared footprint. `read-only`: a read-only tool changed files. `not-done`: a reported change did not
   * happen.
   */
  readonly kind: 'unreported' | 'outside-footprint' | 'read-only' | 'not-done';
  /** Absolute paths, limited to the first 50. */
  readonly paths: readonly string[];
  /** Total number of paths. */
  readonly count: number;
}

export interface BeginRecord {
  readonly type: 'begin';
  readonly sequence: number;
  readonly id: string;
  readonly at: number;
  readonly call: CallFacts;
  /** Missing if the call may change any path. */
  readonly paths?: readonly string[];
  /** The enclosing call. */
  readonly parent?: string;
  /** The calls undone by this one. */
  readonly undoes?: readonly string[];
}

export interface ChangeRecord {
  readonly type: 'change';
  readonly sequence: number;
  readonly at: number;
  /** Calls that may have made the changes. Empty if no call was running; several if the author is uncertain. */
  readonly ids: readonly string[];
  /** The calls were interrupted. The user may have made the changes between the crash and the next start. */
  readonly isInferred?: true;
  readonly changes: readonly StateChange[];
}

export interface EndRecord {
  readonly type: 'end';
  readonly sequence: number;
  readonly id: string;
  readonly at: number;
  readonly ok: boolean;
  readonly mismatches: readonly Mismatch[];
}

/** One line of the journal. */
export type JournalRecord = BeginRecord | ChangeRecord | EndRecord;
