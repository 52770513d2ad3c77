/** A replacement of one text by another. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

/** Edits of one file as a model might send them, and the expected bytes. */
export interface EditCase {
  readonly category: string;
  readonly file: Uint8Array;
  readonly edits: readonly Replacement[];
  /** Whether every occurrence is meant. */
  readonly all: boolean;
  /** Null if the edits must be refused. */
  readonly expected: Uint8Array | null;
}

/** The outcome of an editor for a case: the right bytes, other bytes although it reported success, or a refusal. */
export type EditOutcome = 'right' | 'wrong' | 'refused';
