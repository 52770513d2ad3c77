import type { ToolResult } from '../contracts/results/result.ts';
import { failure, success } from '../results/tool-result.ts';

/**
 * Replaces the content of a result with a text. All other content is removed, because it may contain what the text
 * omits. A failure remains a failure with the same code.
 */
export function replaceText(result: ToolResult, text: string): ToolResult {
  const { callId, name, effects, startedAt, durationMs } = result;
  const kept = { name, effects, startedAt, durationMs };
  if (result.ok) return success(callId, text, kept);
  const { code, fault, retryable } = result.error;
  return failure(callId, { code, fault, retryable, message: text }, kept);
}
