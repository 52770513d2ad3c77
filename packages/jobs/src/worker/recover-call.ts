import { decodeArgs, isToolResult, success, type AnyTool, type ToolCall, type ToolResult } from '@haft/core';
import { describeCause } from '@haft/core/results';

/** The answer of a tool about an interrupted call. */
export type Recovered =
  | { readonly as: 'done'; readonly result: ToolResult }
  | { readonly as: 'not-done' }
  | { readonly as: 'unknown'; readonly reason: string };

/** Asks the tool whether an interrupted call had its effect. Waits until the signal aborts. */
export async function recoverCall(tool: AnyTool, call: ToolCall, key: string, signal: AbortSignal): Promise<Recovered> {
  if (tool.recover === undefined) return { as: 'unknown', reason: 'the tool no longer has recover' };
  const decoded = decodeArgs(tool.input.jsonSchema, call);
  if (!decoded.ok) return { as: 'unknown', reason: 'its arguments no longer fit the schema' };
  try {
    signal.throwIfAborted();
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    });
    const answer: unknown = await Promise.race([tool.recover(decoded.value, { key, signal }), aborted]);
    if (answer === 'not-done') return { as: 'not-done' };
    if (answer === 'done') {
      const text = `${tool.name} had its effect before its worker was lost.`;
      return { as: 'done', result: { ...success(call.id, text), name: tool.name } };
    }
    if (typeof answer === 'object' && answer !== null && 'done' in answer) {
      return { as: 'done', result: { ...toResult(call.id, answer.done), name: tool.name } };
    }
    return { as: 'unknown', reason: 'recover could not find out' };
  } catch (error) {
    return { as: 'unknown', reason: `recover failed: ${storable(describeCause(error))}` };
  }
}

/** Replaces what the database can't store as text. */
function storable(text: string): string {
  return text.replaceAll(/[\0\p{Cs}]/gu, '\uFFFD');
}

function toResult(callId: string, value: unknown): ToolResult {
  if (isToolResult(value)) return { ...value, callId };
  if (value === undefined || value === null || typeof value === 'string') return success(callId, value ?? '');
  return success(callId, { type: 'json', value }, { structured: value });
}
