import { toolError, type AnyTool, type ToolError } from '@haft/core';
import { compileSchema, type CompiledSchema, type Issue, type JsonSchema } from '@haft/schema';
import type { RunAgentOptions } from '../options/agent-options.ts';
import type { OutputStrategy } from '../options/output-options.ts';
import { createOutputTool } from './output-tool.ts';

/** Progress of a run toward its structured answer. */
export interface RunOutput {
  readonly strategy: OutputStrategy;
  readonly schema: CompiledSchema;
  /** Sent with requests if the vendor supports schemas. */
  readonly jsonSchema: JsonSchema;
  /** Only for the strategy `tool`. */
  readonly tool: AnyTool | undefined;
  /** In the phase `answer`, the model only formats its answer and cannot call tools. */
  phase: 'work' | 'answer';
  answersLeft: number;
  /** Issues of the latest answer. */
  issues: readonly Issue[];
  /** The answer, once found. */
  found: { readonly value: unknown } | undefined;
}

/**
 * Prepares the requested output.
 * @throws HaftError or SchemaError for an invalid schema.
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

/** Returns the error of a run without a valid answer. */
export function noOutput({ issues }: RunOutput): ToolError {
  const extras = { fault: 'model', ...(issues.length > 0 && { issues }) } as const;
  return toolError('OUTPUT_INVALID', 'the model gave no answer that fits the schema', extras);
}
