import type { StateChange } from './entry-state.ts';

/** Which call something is recorded of. */
export interface CallFacts {
  readonly callId: string;
  readonly tool: string;
  readonly provider: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
}

/** What a call said it would do, or said it did, against what happened. */
export interface Mismatch {
  /**
   * `unreported`: it changed paths that its own report leaves out. `outside-footprint`: it changed paths that its tool did not name
   * beforehand. `read-only`: it changed something although its tool says that it only reads. `not-done`: it reports a change that is not there.
   */
  readonly kind: 'unreported' | 'outside-footprint' | 'read-only' | 'not-done';
  /** Absolute paths, the first 50. */
  readonly paths: readonly string[];
  /** How many there are in all. */
  readonly count: number;
}

export interface BeginRecord {
  readonly type: 'begin';
  readonly sequence: number;
  readonly id: string;
  readonly at: number;
  readonly call: CallFacts;
  /** Absent for a call that may have changed anything. */
  readonly paths?: readonly string[];
  /** The call from inside which it was made. */
  readonly parent?: string;
  /** The calls that it undoes. */
  readonly undoes?: readonly string[];
}

export interface ChangeRecord {
  readonly type: 'change';
  readonly sequence: number;
  readonly at: number;
  /** Whose changes they are: none when nobody's call was at work, several when nobody can tell which it was. */
  readonly ids: readonly string[];
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
