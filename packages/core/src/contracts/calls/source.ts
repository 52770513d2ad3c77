import type { ToolResult } from '../results/result.ts';
import type { ToolSnapshot } from '../tools/tool.ts';
import type { BatchContext, CallContext, ToolCall } from './call.ts';

/** A source of tools for loops, servers and adapters. */
export interface ToolSource {
  snapshot(): ToolSnapshot;
  /** Returns the tools that this model can be shown now: enabled, supported and available. */
  visibleTo(model: { readonly name: string; readonly vendor?: string }): Promise<ToolSnapshot>;
  /** Runs one call. Never rejects and resolves to exactly one result. */
  dispatch(call: ToolCall, context?: CallContext): Promise<ToolResult>;
  /** Runs the calls of one turn. Resolves to one result per call, in call order. Never rejects. */
  dispatchBatch(calls: readonly ToolCall[], context?: BatchContext): Promise<readonly ToolResult[]>;
  /**
   * Lets middleware discard the state of a finished task. The task ID is the `runId` of its calls, or their `sessionId`
   * if they have no `runId`.
   */
  forgetTask?(taskId: string): void;
}
