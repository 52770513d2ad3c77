/** A text to be replaced by another. */
export interface Replacement {
  readonly oldText: string;
  readonly newText: string;
}

/** Edits of one file as a model might send them, and the bytes that should come of it. */
export interface EditCase {
  readonly category: string;
  readonly file: Uint8Array;
  readonly edits: readonly Replacement[];
  /** Every occurrence is meant. */
  readonly all: boolean;
  /** Null: they must be refused. */
  readonly expected: Uint8Array | null;
}

/** What an editor did with a case: the right bytes, other bytes while it said that it was done, or nothing. */
export type EditOutcome = 'right' | 'wrong' | 'refused';
