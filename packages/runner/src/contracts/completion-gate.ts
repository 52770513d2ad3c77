import type { CompletedCall } from './agent-result.ts';

/** A run whose model says that it is done. */
export interface CompletionCandidate {
  /** What it answers. */
  readonly text: string;
  /** Every call of the run, in order. */
  readonly calls: readonly CompletedCall[];
  readonly turn: number;
  /** Aborts with the run. */
  readonly signal: AbortSignal | undefined;
}

/** Looks whether a run may end when its model says that it is done; such as {@link requireWork} makes. */
export interface CompletionGate {
  readonly name: string;
  /** How often the model is sent back before the run ends with an error; default 2. */
  readonly attempts?: number;
  /** What is missing, in a sentence for the model; nothing when the run may end. What it throws counts as missing. */
  check(candidate: CompletionCandidate): string | undefined | Promise<string | undefined>;
}
