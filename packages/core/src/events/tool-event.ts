import type { ToolError } from '../contracts/results/error.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import type { ProgressUpdate } from '../contracts/tools/progress.ts';

/** Identifies the call of an event and its position in the conversation. */
export interface ToolEventData {
  readonly callId: string;
  readonly name: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly messageId: string;
  readonly inferenceId: string;
  /** ID of the call that makes this call, such as the call of a script. Absent for calls by a model or a program. */
  readonly parentCallId?: string;
  /** The arguments with secrets masked. Computed lazily, so that unread events cost nothing. */
  readonly args: unknown;
  /** Present on `execute_progress`. */
  readonly progress?: ProgressUpdate;
  /** Present on `execute_end` and `execute_cancelled`. Data about the arguments is masked like the arguments. */
  readonly result?: ToolResult | undefined;
}

/**
 * Members that all events share. Events of one call share `data.callId`. Calls of one answer share `data.inferenceId`,
 * `turn` and `runId`.
 */
export interface ToolEventBase {
  readonly layer: 'tool';
  /** Version of the event format. Increases when a member is removed or changes its meaning. */
  readonly version: 1;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly data: ToolEventData;
}

/** A call arrived. */
export interface ToolStartEvent extends ToolEventBase {
  readonly action: 'execute_start';
  readonly duration?: undefined;
  readonly error?: undefined;
}

/** A running call reported progress. */
export interface ToolProgressEvent extends ToolEventBase {
  readonly action: 'execute_progress';
  /** Milliseconds since `execute_start`. */
  readonly duration: number;
  readonly error?: undefined;
  readonly data: ToolEventData & { readonly progress: ProgressUpdate };
}

/** A call ended with a success or a failure. */
export interface ToolEndEvent extends ToolEventBase {
  readonly action: 'execute_end';
  /** Milliseconds since `execute_start`. */
  readonly duration: number;
  /** The error of a failed call. */
  readonly error?: ToolError;
  readonly data: ToolEventData & { readonly result: ToolResult };
}

/** A call was cancelled before it ended. */
export interface ToolCancelledEvent extends ToolEventBase {
  readonly action: 'execute_cancelled';
  /** Milliseconds since `execute_start`. */
  readonly duration: number;
  readonly error: ToolError;
  readonly data: ToolEventData & { readonly result: ToolResult };
}

/** An event of a call. Every call has one `execute_start` and one `execute_end` or `execute_cancelled`. */
export type ToolEvent = ToolStartEvent | ToolProgressEvent | ToolEndEvent | ToolCancelledEvent;

/** The action of an event. */
export type ToolEventAction = ToolEvent['action'];

/**
 * Receives events. A failing observer never affects a call: its first failure is logged to the workspace's logger, and
 * later ones are ignored.
 */
export type ToolObserver = (event: ToolEvent) => void;
