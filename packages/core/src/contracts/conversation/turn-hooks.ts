import type { FinishReason, Message } from './model.ts';

/** What hooks see of a turn: one request to the model and the calls it makes. */
export interface TurnInfo {
  readonly runId: string;
  /** Counts from 1. */
  readonly turn: number;
  readonly modelName: string;
  /** Absent where the run belongs to no session. */
  readonly sessionId?: string;
  /** The conversation so far, which hooks only read. */
  readonly messages: readonly Message[];
}

/** What came of a turn. */
export interface TurnOutcome {
  /** The model's answer without the calls in it. */
  readonly text: string;
  readonly finishReason: FinishReason;
  /** The calls of the turn and how they ended, in call order; `code` is the error's. */
  readonly calls: readonly {
    readonly id: string;
    readonly name: string;
    readonly ok: boolean;
    readonly code?: string;
  }[];
}

/** What a hook answers: nothing, or why the run ends here, or what is changed. */
export type BeforeTurn = undefined | { readonly deny: string } | { readonly note: string };

/** What a hook answers: nothing, or why the run ends here, or the text that takes the answer's place. */
export type AfterTurn = undefined | { readonly deny: string } | { readonly text: string };

/** Something that stands before and after every turn of a run, as `DispatchMiddleware` stands around every call. */
export interface TurnHooks {
  readonly name: string;
  /**
   * Before the request. `deny` ends the run with `stopReason: 'denied'`; `note` goes into the conversation, as a message of
   * the user's that says it is a note. What it throws ends the run as a failure of the host.
   */
  beforeTurn?(turn: TurnInfo): BeforeTurn | Promise<BeforeTurn>;
  /**
   * After the answer and its calls, before they are written into the conversation. `deny` ends the run and keeps the text out
   * of it; `text` takes the place of the answer's. Deltas were told as they came.
   */
  afterTurn?(turn: TurnInfo, outcome: TurnOutcome): AfterTurn | Promise<AfterTurn>;
}
