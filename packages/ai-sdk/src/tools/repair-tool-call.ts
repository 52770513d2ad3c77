import type { LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { parseArgs, type ModelTool } from '@haft/core';

/** A call that the AI SDK could not parse. */
export interface ToolCallToRepair {
  readonly toolCall: LanguageModelV4ToolCall;
  readonly inputSchema: (options: { toolName: string }) => PromiseLike<unknown>;
}

/**
 * Repairs arguments that the AI SDK could not parse, like Haft's own loop. Pass it to `generateText` or `streamText` as
 * `repairToolCall`. Returns `null` for truncated arguments and unknown tools.
 */
export async function repairToolCall({
  toolCall,
  inputSchema,
}: ToolCallToRepair): Promise<LanguageModelV4ToolCall | null> {
  const schema = await schemaOf(inputSchema, toolCall.toolName);
  if (schema === undefined) return null;
  const decoded = parseArgs(schema, { arguments: toolCall.input });
  // The text needed no repair, so the failure has another cause.
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
