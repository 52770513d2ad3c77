import type { CallContext, ToolCall } from './call.ts';
import type { ToolError } from '../results/error.ts';
import type { ToolResult } from '../results/result.ts';
import type { AnyTool } from '../tools/tool.ts';

/** What middleware sees of a call. */
export interface CallInfo {
  readonly call: ToolCall;
  readonly tool: AnyTool;
  readonly provider: string;
  /** The arguments after validation (and, in `around`, after every rewriting). */
  readonly arguments: unknown;
  readonly context: CallContext;
}

/** What `prepare` may answer: nothing, other arguments (validated again), or an end to the call. */
export type Preparation = undefined | { readonly arguments: unknown } | { readonly reject: ToolError };

/**
 * A part of the pipeline of every call that a program adds.
 * `prepare` comes before permission and may rewrite arguments; `around` comes after it, may answer instead of the
 * tool, and may not rewrite.
 */
export interface DispatchMiddleware {
  readonly name: string;
  prepare?(info: CallInfo): Preparation | Promise<Preparation>;
  around?(info: CallInfo, next: () => Promise<ToolResult>): Promise<ToolResult>;
  /** Forgets what it keeps for a task, named by `runId` or else `sessionId` of the calls: the task is over. */
  forgetTask?(taskId: string): void;
}
