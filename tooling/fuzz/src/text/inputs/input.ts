import type { JsonSchema } from '@haft/repair';

/** The reader that a text is for. `growth`: a piece that is repeated, to measure how time grows with length. */
export type Target = 'json' | 'calls' | 'growth';

/** A text with all options, so that the same input is always read in the same way. */
export interface FuzzInput {
  readonly target: Target;
  readonly text: string;
  readonly schema?: JsonSchema;
  /** Determines the options, and where the text is split into chunks and cut. */
  readonly salt: number;
}

/** A law that an input breaks. */
export interface Broken {
  readonly law: string;
  /** The observed result. */
  readonly detail: string;
}

/** The outcome of an input. */
export interface Outcome {
  readonly broken?: Broken;
  /** Features of the reading, such as the kinds of repairs. An input with a new feature is worth further mutation. */
  readonly traits: readonly string[];
}

/** An outcome, with the expensive laws still to be checked. */
export interface CheapOutcome extends Outcome {
  readonly dear: () => Broken | undefined;
}

/** An input that broke a law, minimised. */
export interface Failure extends Broken {
  readonly target: Target;
  readonly text: string;
  readonly salt: number;
  readonly schema?: JsonSchema;
  /** The original input. */
  readonly original: string;
}
