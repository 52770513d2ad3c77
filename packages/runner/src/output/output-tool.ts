import { defineTool, success, type AnyTool } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import type { SchemaInput } from '@haft/schema';

/** Name of the tool with which a model submits its answer. Reserved: in a run with an output, no other tool has it. */
export const outputToolName = 'submit_output';

/** Instruction for a model that answers with this tool. `runAgent` adds it to the system prompt. */
export const outputToolInstruction: string = `When you have what you need, submit your answer by calling the tool ${outputToolName}, once, with arguments that fit its schema. Text outside of that call is not read. Do not call it before you are done.`;

/**
 * Creates the tool whose arguments are the answer. They are repaired and validated like all arguments, and returned as
 * the result's `structured`. The tool is pure.
 *
 * @param schema a zod schema, any Standard Schema or a JSON Schema; its root must be an object.
 * @throws HaftError `INVALID_TOOL` if the schema cannot be a tool's input.
 * @example
 * import { createOutputTool } from '@haft/runner';
 * createOutputTool({ type: 'object', properties: { total: { type: 'number' } } }).name; // => 'submit_output'
 */
export function createOutputTool(schema: SchemaInput): AnyTool {
  const tool = defineTool<SchemaInput>({
    name: outputToolName,
    title: 'submit the answer',
    description: 'Submits your final answer. Call it once, when you are done; its arguments are the answer.',
    input: schema,
    traits: { pure: true, sideEffects: 'none', readOnly: true, idempotent: true, openWorld: false },
    execute: (args, { callId }) => success(callId, 'The answer is submitted.', { structured: args }),
  });
  return eraseTool(tool);
}
