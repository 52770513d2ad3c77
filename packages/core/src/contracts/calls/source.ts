import type { ToolResult } from '../results/result.ts';
import type { ToolSnapshot } from '../tools/tool.ts';
import type { BatchContext, CallContext, ToolCall } from './call.ts';

/** What loops, servers and adapters consume: tools that can be shown and called. */
export interface ToolSource {
  snapshot(): ToolSnapshot;
  /** What this model may be shown now: enabled, supported and available. */
  visibleTo(model: { readonly name: string; readonly vendor?: string }): Promise<ToolSnapshot>;
  /** Runs one call. Never throws; resolves to exactly one result. */
  dispatch(call: ToolCall, context?: CallContext): Promise<ToolResult>;
  /** Runs the calls of one turn; results in call order, one each. Never throws. */
  dispatchBatch(calls: readonly ToolCall[], context?: BatchContext): Promise<readonly ToolResult[]>;
  /** Lets middleware forget what it keeps for a task, named by its `runId`, or else `sessionId`: the task is over. */
  forgetTask?(taskId: string): void;
}
