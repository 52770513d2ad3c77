import type { FinishReason, Message } from './model.ts';

/** The turn information that hooks receive. A turn is one request to the model plus the calls that the model makes. */
export interface TurnInfo {
  readonly runId: string;
  /** Number of the turn, starting at 1. */
  readonly turn: number;
  readonly modelName: string;
  /** Absent if the run has no session. */
  readonly sessionId?: string;
  /** The conversation so far. Read-only for hooks. */
  readonly messages: readonly Message[];
}

/** The outcome of a turn. */
export interface TurnOutcome {
  /** The model's answer without its calls. */
  readonly text: string;
  readonly finishReason: FinishReason;
  /** The calls of the turn and their outcomes, in call order. `code` is the error code. */
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly ok: boolean;
    readonly code?: string;
  }[];
}

/** Return value of the hook: nothing, a reason to end the run, or a change. */
export type BeforeTurn = undefined | { readonly deny: string } | { readonly note: string };

/** Return value of the hook: nothing, a reason to end the run, or a replacement for the answer. */
export type AfterTurn = undefined | { readonly deny: string } | { readonly text: string };

/** Hooks that run before and after every turn, as `DispatchMiddleware` does for every call. */
export interface TurnHooks {
  readonly name: string;
  /**
   * Runs before the request. `deny` ends the run with `stopReason: 'denied'`. `note` adds a user message to the
   * conversation that is marked as a note. A thrown error ends the run as a `host` fault.
   */
  beforeTurn?(turn: TurnInfo): BeforeTurn | Promise<BeforeTurn>;
  /**
   * Runs after the answer and its calls, before they are added to the conversation. `deny` ends the run and discards
   * the text. `text` replaces the text of the answer. Deltas have already been emitted at this point.
   */
  afterTurn?(turn: TurnInfo, outcome: TurnOutcome): AfterTurn | Promise<AfterTurn>;
}
