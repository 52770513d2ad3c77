import type { CallContext, ToolCall } from './call.ts';
import type { ToolError } from '../results/error.ts';
import type { ToolResult } from '../results/result.ts';
import type { AnyTool } from '../tools/tool.ts';

/** The call information that middleware receives. */
export interface CallInfo {
  readonly call: ToolCall;
  readonly tool: AnyTool;
  readonly provider: string;
  /** The validated arguments. In `around`, all rewrites have been applied. */
  readonly arguments: unknown;
  readonly context: CallContext;
}

/**
 * Return value of `prepare`: nothing, rewritten arguments (which are validated again), or a result that ends the call.
 */
export type Preparation = undefined | { readonly arguments: unknown } | { readonly reject: ToolError };

/**
 * A user-defined stage in the pipeline of every call. `prepare` runs before the permission check and may rewrite
 * arguments. `around` runs after the permission check. It may return a result instead of calling the tool, but may not
 * rewrite arguments.
 */
export interface DispatchMiddleware {
  readonly name: string;
  prepare?(info: CallInfo): Preparation | Promise<Preparation>;
  around?(info: CallInfo, next: () => Promise<ToolResult>): Promise<ToolResult>;
  /**
   * Discards the state of a finished task. The task ID is the `runId` of its calls, or their `sessionId` if they have
   * no `runId`.
   */
  forgetTask?(taskId: string): void;
}
