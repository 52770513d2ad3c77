import type { LanguageModelV4ToolCall } from '@ai-sdk/provider';
import { decodeArgs, parseArgs, type ModelTool } from '@haft/core';
import type { DecodedArguments } from '@haft/core/dispatch';

/** A call that the AI SDK could not parse. */
export interface ToolCallToRepair {
  readonly toolCall: LanguageModelV4ToolCall;
  readonly inputSchema: (options: { toolName: string }) => PromiseLike<unknown>;
}

/**
 * Repairs arguments that the AI SDK could not use, like Haft's own loop: broken JSON, and values of a near type, such
 * as `"3"` for the integer 3. Pass it to `generateText` or `streamText` as `repairToolCall`. Returns `null` for
 * truncated arguments, for unknown tools, and if nothing can be repaired.
 */
export async function repairToolCall({
  toolCall,
  inputSchema,
}: ToolCallToRepair): Promise<LanguageModelV4ToolCall | null> {
  const schema = await schemaOf(inputSchema, toolCall.toolName);
  if (schema === undefined) return null;
  const decoded = decode(schema, toolCall.input);
  if (decoded === undefined || !decoded.complete) return null;
  const input = JSON.stringify(decoded.value);
  // A text that needed no repair failed for another reason.
  return input === toolCall.input ? null : { ...toolCall, input };
}

/** Decodes and validates. Arguments that do not fit the schema are only repaired, so that the model reads what is wrong. */
function decode(schema: ModelTool['inputSchema'], input: string): DecodedArguments | undefined {
  const call = { arguments: input };
  const parsed = parseArgs(schema, call);
  if (!parsed.ok) return undefined;
  try {
    const valid = decodeArgs(schema, call);
    if (valid.ok && valid.coercions.length > 0) return valid;
  } catch {
    // The AI SDK accepts schemas that Haft does not.
  }
  return parsed.risk === 'none' ? undefined : parsed;
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
