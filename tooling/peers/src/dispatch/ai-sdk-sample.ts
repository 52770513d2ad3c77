import type { LanguageModelV4GenerateResult } from '@ai-sdk/provider';
import { jsonSchema, tool } from 'ai';
import type { ToolSet } from 'ai';
import { z } from 'zod';

import { sampleArguments, sampleBody, sampleInput, sampleName } from './sample-tool.ts';

/** Sample tools of the AI SDK, with zod schemas or with JSON Schema, which is faster there. */
export function makeAiSdkTools(count: number, schemas: 'zod' | 'json'): ToolSet {
  const inputSchema = schemas === 'zod' ? sampleInput : asJsonSchema();
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      sampleName(index),
      tool({ description: `Sample ${index}.`, inputSchema, execute: sampleBody }),
    ]),
  );
}

function asJsonSchema(): ReturnType<typeof jsonSchema<z.infer<typeof sampleInput>>> {
  return jsonSchema(z.toJSONSchema(sampleInput) as Parameters<typeof jsonSchema>[0], {
    validate: (value) => {
      const checked = sampleInput.safeParse(value);
      return checked.success ? { success: true, value: checked.data } : { success: false, error: checked.error };
    },
  });
}

/** The answer of an AI SDK model: calls of a tool, or a text. */
export function answerWith(toolName: string, calls: number, idPrefix = 'call_'): LanguageModelV4GenerateResult {
  return {
    content:
      calls === 0
        ? [{ type: 'text', text: 'Done.' }]
        : Array.from({ length: calls }, (_, index) => ({
            type: 'tool-call' as const,
            toolCallId: `${idPrefix}${index}`,
            toolName,
            input: sampleArguments,
          })),
    finishReason: { unified: calls === 0 ? 'stop' : 'tool-calls', raw: undefined },
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: 1, text: 1, reasoning: undefined },
    },
    warnings: [],
  };
}
