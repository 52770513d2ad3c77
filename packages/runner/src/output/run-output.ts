import { toolError, type AnyTool, type ToolError } from '@haft/core';
import { compileSchema, type CompiledSchema, type Issue, type JsonSchema } from '@haft/schema';
import type { RunAgentOptions } from '../contracts/agent-options.ts';
import type { OutputStrategy } from '../contracts/output-options.ts';
import { createOutputTool } from './output-tool.ts';

/** The answer that a run is after, while it goes on. */
export interface RunOutput {
  readonly strategy: OutputStrategy;
  readonly schema: CompiledSchema;
  /** What requests carry where the vendor keeps to a schema. */
  readonly jsonSchema: JsonSchema;
  /** Only for the strategy `tool`. */
  readonly tool: AnyTool | undefined;
  /** `answer`: all that is left is to put the answer into its shape; no tool can be called. */
  phase: 'work' | 'answer';
  answersLeft: number;
  /** What was wrong with the latest answer. */
  issues: readonly Issue[];
  /** The answer, once there is one. */
  found: { readonly value: unknown } | undefined;
}

/**
 * Prepares what the options ask for.
 * @throws HaftError or SchemaError for a schema that can't be used.
 */
export function createRunOutput({ output, model, tools = [] }: RunAgentOptions): RunOutput | undefined {
  if (!output) return undefined;
  const hasTools = !Array.isArray(tools) || tools.length > 0;
  const { strategy = hasTools ? 'tool' : 'native', maxAnswers = 3 } = output;
  const chosen = typeof strategy === 'function' ? strategy(model) : strategy;
  const tool = chosen === 'tool' ? createOutputTool(output.schema) : undefined;
  const schema = tool?.input ?? compileSchema(output.schema);
  return {
    strategy: chosen,
    schema,
    jsonSchema: schema.jsonSchema,
    tool,
    phase: chosen === 'two-phase' && !hasTools ? 'answer' : 'work',
    answersLeft: maxAnswers,
    issues: [],
    found: undefined,
  };
}

/** What a run ends with that came to no answer of the shape. */
export function noOutput({ issues }: RunOutput): ToolError {
  const extras = { fault: 'model', ...(issues.length > 0 && { issues }) } as const;
  return toolError('OUTPUT_INVALID', 'the model gave no answer that fits the schema', extras);
}
