import type { ToolError } from '../contracts/results/error.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import type { ProgressUpdate } from '../contracts/tools/progress.ts';

/** Which call an event is about, and where in the conversation it belongs. */
export interface ToolEventData {
  readonly callId: string;
  readonly name: string;
  readonly sessionId: string;
  readonly runId: string;
  readonly turn: number;
  readonly messageId: string;
  readonly inferenceId: string;
  /** The call that this one is made for, such as that of a script; absent for what a model or a program called itself. */
  readonly parentCallId?: string;
  /** The arguments with secrets masked; worked out when read, so that unread events cost nothing. */
  readonly args: unknown;
  /** On `execute_progress`. */
  readonly progress?: ProgressUpdate;
  /** On `execute_end` and `execute_cancelled`; what it says about the arguments is masked as they are. */
  readonly result?: ToolResult | undefined;
}

/** What all events have. Those of one call share `data.callId`; calls of one answer `data.inferenceId`, `turn` and `runId`. */
export interface ToolEventBase {
  readonly layer: 'tool';
  /** Of this shape; it grows when a member changes its meaning or goes. */
  readonly version: 1;
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  readonly data: ToolEventData;
}

/** A call came. */
export interface ToolStartEvent extends ToolEventBase {
  readonly action: 'execute_start';
  readonly duration?: undefined;
  readonly error?: undefined;
}

/** A call's body says how far it is. */
export interface ToolProgressEvent extends ToolEventBase {
  readonly action: 'execute_progress';
  /** Milliseconds since `execute_start`. */
  readonly duration: number;
  readonly error?: undefined;
  readonly data: ToolEventData & { readonly progress: ProgressUpdate };
}

/** A call was answered, well or with a failure. */
export interface ToolEndEvent extends ToolEventBase {
  readonly action: 'execute_end';
  /** Milliseconds since `execute_start`. */
  readonly duration: number;
  /** Why it failed. */
  readonly error?: ToolError;
  readonly data: ToolEventData & { readonly result: ToolResult };
}

/** A call was stopped before it was answered. */
export interface ToolCancelledEvent extends ToolEventBase {
  readonly action: 'execute_cancelled';
  /** Milliseconds since `execute_start`. */
  readonly duration: number;
  readonly error: ToolError;
  readonly data: ToolEventData & { readonly result: ToolResult };
}

/** One thing that happened to a call. Every call has one `execute_start` and one `execute_end` or `execute_cancelled`. */
export type ToolEvent = ToolStartEvent | ToolProgressEvent | ToolEndEvent | ToolCancelledEvent;

/** What happened to a call. */
export type ToolEventAction = ToolEvent['action'];

/** Hears events. It can't break a call: its first failure is told to the workspace's logger, and that is all. */
export type ToolObserver = (event: ToolEvent) => void;
