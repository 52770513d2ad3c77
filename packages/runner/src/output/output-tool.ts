import { defineTool, success, type AnyTool } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import type { SchemaInput } from '@haft/schema';

/** The name of the tool by which a model hands in its answer. Reserved: in a run with an output no other tool has it. */
export const outputToolName = 'submit_output';

/** What a model has to be told when it answers by that tool; `runAgent` adds it to the system prompt by itself. */
export const outputToolInstruction: string = `When you have what you need, hand in your answer by calling the tool ${outputToolName}, once, with arguments that fit its schema. Text outside of that call is not read. Do not call it before you are done.`;

/**
 * Makes the tool whose arguments are the answer: they are repaired and validated as those of any call, and come back as
 * the result's `structured`. It does nothing else, and needs no permission but that of a pure tool.
 *
 * @param schema a zod schema, any Standard Schema or a JSON Schema; its root has to be an object.
 * @throws HaftError `INVALID_TOOL` for a schema that can't be a tool's input.
 */
export function createOutputTool(schema: SchemaInput): AnyTool {
  const tool = defineTool<SchemaInput>({
    name: outputToolName,
    title: 'hand in the answer',
    description: 'Hands in your final answer. Call it once, when you are done; its arguments are the answer.',
    input: schema,
    traits: { pure: true, sideEffects: 'none', readOnly: true, idempotent: true, openWorld: false },
    execute: (args, { callId }) => success(callId, 'The answer is handed in.', { structured: args }),
  });
  return eraseTool(tool);
}
