import type { FinishReason, Message, MessageToolCall, ToolError, ToolResult, Usage } from '@haft/core';
import type { LimitKind } from '../limits/run-limits.ts';
import type { Diagnostic } from '../diagnostic.ts';

/**
 * Why a run ended: the model answered; a limit was reached (see `limit`); its signal aborted; the model failed; a
 * required tool was unavailable; a call was denied (only with `onDenied: 'stop'`) or a hook refused.
 */
export type StopReason = 'finished' | 'limit' | 'aborted' | 'error' | 'tool-unavailable' | 'denied';

/** One call of a model with its answer. */
export interface CompletedCall {
  /** Starts at 1. */
  readonly turn: number;
  /**
   * The call in the conversation, with a unique id and repaired arguments (`{}` if unreadable). They are not converted to
   * the types of the schema: `result.arguments.value` holds what the tool received, if that differs.
   */
  readonly call: MessageToolCall;
  /** The arguments as the model wrote them; a value if the call was found in text. */
  readonly written: unknown;
  /** Whether the call was structured or found in the model's text. */
  readonly origin: 'structured' | 'text';
  /** Textual format, such as `hermes`. Only for calls found in text. */
  readonly envelope?: string;
  readonly result: ToolResult;
}

/** The result of a run. Complete whatever the reason for the end. */
export interface AgentResult {
  readonly stopReason: StopReason;
  /** The limit that ended the run; only for `limit`. */
  readonly limit?: LimitKind;
  /** The model's last answer, possibly partial if the run ended early. */
  readonly text: string;
  /** The structured answer, if the options request one and the model gave it. */
  readonly output?: unknown;
  /** The whole conversation, with every call answered. Pass it to the next run as `messages`. */
  readonly messages: readonly Message[];
  /** Number of requests that the model answered. */
  readonly turns: number;
  /** Every call, in order. */
  readonly calls: readonly CompletedCall[];
  /** Sum of the vendor's reports over all requests, including failed ones. */
  readonly usage: Usage;
  /** Why the model stopped its last answer. `length` means that the text is truncated. */
  readonly finishReason: FinishReason | undefined;
  /** Problems during the run and how they were handled. */
  readonly diagnostics: readonly Diagnostic[];
  /**
   * Set for `error`, `tool-unavailable`, `denied`, and for `limit` with `onLimit: 'error'` or without the requested
   * `output`.
   */
  readonly error?: ToolError;
}
