import type { FinishReason, Message, MessageToolCall, ToolError, ToolResult, Usage } from '@haft/core';
import type { LimitKind } from '../limits/run-limits.ts';
import type { Diagnostic } from '../diagnostic.ts';

/**
 * Why a run ended: with the model's answer; at a limit, which `limit` names; because its signal aborted; because the model
 * failed; because a required tool can't be used; because a call was denied (only with `onDenied: 'stop'`), or a
 * hook said no.
 */
export type StopReason = 'finished' | 'limit' | 'aborted' | 'error' | 'tool-unavailable' | 'denied';

/** One call that a model made, and its answer. */
export interface CompletedCall {
  /** Counts from 1. */
  readonly turn: number;
  /** As it stands in the conversation: unique id, repaired arguments (`{}` where they could not be read). */
  readonly call: MessageToolCall;
  /** The arguments as the model wrote them; a value when the call was read from text. */
  readonly written: unknown;
  /** Whether it came over the model's structured channel or was found in its text. */
  readonly origin: 'structured' | 'text';
  /** The textual form it had, such as `hermes`; only for calls found in text. */
  readonly envelope?: string;
  readonly result: ToolResult;
}

/** What became of a run. It is complete whatever the reason for its end. */
export interface AgentResult {
  readonly stopReason: StopReason;
  /** Which limit ended the run; only for `limit`. */
  readonly limit?: LimitKind;
  /** The model's last answer; what there was of it when the run ended early. */
  readonly text: string;
  /** The answer in its shape, where the options ask for one and the model gave it. */
  readonly output?: unknown;
  /** The whole conversation, every call answered: what the next run takes as `messages`. */
  readonly messages: readonly Message[];
  /** Requests that the model answered. */
  readonly turns: number;
  /** Every call, in order. */
  readonly calls: readonly CompletedCall[];
  /** Sums over all requests, also failed ones, of what the vendor reported. */
  readonly usage: Usage;
  /** Why the model stopped in its last answer; `length` means that the text is cut. */
  readonly finishReason: FinishReason | undefined;
  /** What was not as it should be, and what was done about it. */
  readonly diagnostics: readonly Diagnostic[];
  /** Set for `error`, `tool-unavailable`, `denied`, and for `limit` with `onLimit: 'error'` or without the `output` asked for. */
  readonly error?: ToolError;
}
