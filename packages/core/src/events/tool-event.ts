import type { ToolError } from '../contracts/error.ts';
import type { ToolResult } from '../contracts/result.ts';
import type { ProgressUpdate } from '../contracts/context.ts';

/** What happened to a call. Every call has one `execute_start` and one `execute_end` or `execute_cancelled`. */
export type ToolEventAction = 'execute_start' | 'execute_progress' | 'execute_end' | 'execute_cancelled';

/** Which call an event is about, and where in the conversation it belongs. */
export interface ToolEventData {
  readonly callId: string;
  readonly name: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly messageId: string;
  readonly inferenceId: string;
  /** The arguments with secrets masked; worked out when read, so that unread events cost nothing. */
  readonly args: unknown;
  readonly progress?: ProgressUpdate;
  /** On `execute_end` and `execute_cancelled`; what it says about the arguments is masked as they are. */
  readonly result?: ToolResult | undefined;
}

/** One thing that happened to a call. */
export interface ToolEvent {
  readonly layer: 'tool';
  readonly action: ToolEventAction;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly data: ToolEventData;
  /** Milliseconds since `execute_start`. */
  readonly duration?: number;
  readonly error?: ToolError;
}

/** Hears events. What it throws is dropped: an observer can't break a call. */
export type ToolObserver = (event: ToolEvent) => void;
