import type { FinishReason, MessageToolCall, ToolError, Usage } from '@haft/core';
import type { CompletedCall, StopReason } from './agent-result.ts';
import type { LimitKind } from '../limits/run-limits.ts';
import type { Diagnostic } from '../diagnostic.ts';
import type { SteerMessage } from '../steer-queue.ts';

/** Events of a run, in order. Deltas arrive as the model writes them, before parsing. */
export type AgentEvent =
  | { readonly type: 'turn-start'; readonly turn: number; readonly tools: readonly string[] }
  | { readonly type: 'steer'; readonly turn: number; readonly messages: readonly SteerMessage[] }
  | { readonly type: 'text'; readonly turn: number; readonly text: string }
  | { readonly type: 'reasoning'; readonly turn: number; readonly text: string }
  | { readonly type: 'tool-call-start'; readonly turn: number; readonly id: string; readonly name: string }
  | { readonly type: 'tool-call-delta'; readonly turn: number; readonly id: string; readonly text: string }
  /** The request failed and is repeated. Discard the deltas of this turn. */
  | {
      readonly type: 'retry';
      readonly turn: number;
      readonly attempt: number;
      readonly delayMs: number;
      readonly error: ToolError;
    }
  /** The calls of the turn, before they run. */
  | {
      readonly type: 'calls';
      readonly turn: number;
      readonly calls: readonly MessageToolCall[];
      readonly origin: 'structured' | 'text';
      /** The model's answer without textual calls. */
      readonly text: string;
    }
  /** A call was answered. In order of completion. */
  | { readonly type: 'result'; readonly turn: number; readonly call: CompletedCall }
  | { readonly type: 'diagnostic'; readonly diagnostic: Diagnostic }
  /** The model's answer of this turn, without textual calls. */
  | {
      readonly type: 'turn-end';
      readonly turn: number;
      readonly text: string;
      readonly finishReason: FinishReason;
      readonly usage: Usage;
    }
  | {
      readonly type: 'run-end';
      readonly stopReason: StopReason;
      readonly limit?: LimitKind;
      readonly error?: ToolError;
    };
