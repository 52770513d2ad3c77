import type { JsonSchema } from '@haft/repair';

/** Which reader a text is for. `growth`: a piece that is repeated, to see how time grows with length. */
export type Target = 'json' | 'calls' | 'growth';

/** One text with all that decides how it is read, so that the same input always takes the same way. */
export interface FuzzInput {
  readonly target: Target;
  readonly text: string;
  readonly schema?: JsonSchema;
  /** Decides the options, where the text is cut into chunks, and where it is cut short. */
  readonly salt: number;
}

/** A law that an input breaks. */
export interface Broken {
  readonly law: string;
  /** What was seen instead. */
  readonly detail: string;
}

/** What came of an input. */
export interface Outcome {
  readonly broken?: Broken;
  /** The ways that reading took, such as which repairs it made: an input with a new one is worth changing further. */
  readonly traits: readonly string[];
}

/** An outcome with the laws still to be asked that take long to check. */
export interface CheapOutcome extends Outcome {
  readonly dear: () => Broken | undefined;
}

/** An input that broke a law, as short as it could be made. */
export interface Failure extends Broken {
  readonly target: Target;
  readonly text: string;
  readonly salt: number;
  readonly schema?: JsonSchema;
  /** What it was found as. */
  readonly original: string;
}
