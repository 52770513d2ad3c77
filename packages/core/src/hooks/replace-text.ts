import type { ToolResult } from '../contracts/results/result.ts';
import { failure, success } from '../results/tool-result.ts';

/**
 * A result of which the model, and everybody else, reads this text alone: what else it held may say what the text leaves
 * out. A failure stays one, with its code.
 */
export function replaceText(result: ToolResult, text: string): ToolResult {
  const { callId, name, effects, startedAt, durationMs } = result;
  const kept = { name, effects, startedAt, durationMs };
  if (result.ok) return success(callId, text, kept);
  const { code, fault, retryable } = result.error;
  return failure(callId, { code, fault, retryable, message: text }, kept);
}
