import type { CompletedCall } from './agent-result.ts';

/** A run whose model reports that it is done. */
export interface CompletionCandidate {
  /** The model's answer. */
  readonly text: string;
  /** Every call of the run, in order. */
  readonly calls: readonly CompletedCall[];
  readonly turn: number;
  /** Aborts with the run. */
  readonly signal: AbortSignal | undefined;
}

/** Decides whether a run may end when its model reports that it is done, such as {@link requireWork}. */
export interface CompletionGate {
  readonly name: string;
  /** Number of reminders before the run ends with an error; default 2. */
  readonly maxReminders?: number;
  /**
   * Returns what is missing, as a sentence for the model, or undefined if the run may end. An exception counts as
   * missing work.
   */
  check(candidate: CompletionCandidate): string | undefined | Promise<string | undefined>;
}
