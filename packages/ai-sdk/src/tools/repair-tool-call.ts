import type { LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { decodeArgs, type ModelTool } from '@haft/core';

/** What the AI SDK asks when it could not parse a call. */
export interface ToolCallToRepair {
  readonly toolCall: LanguageModelV4ToolCall;
  readonly inputSchema: (options: { toolName: string }) => PromiseLike<unknown>;
}

/**
 * Reads arguments that the AI SDK could not parse, as Haft's own loop would: give it to `generateText` or `streamText`
 * as `repairToolCall`. Arguments that were cut, and calls of tools that don't exist, are left as they are (`null`).
 */
export async function repairToolCall({
  toolCall,
  inputSchema,
}: ToolCallToRepair): Promise<LanguageModelV4ToolCall | null> {
  const schema = await schemaOf(inputSchema, toolCall.toolName);
  if (schema === undefined) return null;
  const decoded = decodeArgs(schema, { arguments: toolCall.input });
  // Without a repair the text was fine, and something else is wrong with the call.
  if (!decoded.ok || !decoded.complete || decoded.risk === 'none') return null;
  return { ...toolCall, input: JSON.stringify(decoded.value) };
}

async function schemaOf(
  inputSchema: ToolCallToRepair['inputSchema'],
  toolName: string,
): Promise<ModelTool['inputSchema'] | undefined> {
  try {
    const schema = await inputSchema({ toolName });
    return typeof schema === 'object' && schema !== null ? (schema as ModelTool['inputSchema']) : undefined;
  } catch {
    return undefined;
  }
}
