import { asSchema, type ToolSet } from 'ai';
import { defineTool, failure, validation, type AnyTool, type ToolContext, type ToolTraits } from '@haft/core';
import {
  functionKind,
  checkOption,
  checkOptions,
  custom,
  isRecord,
  millisecondsKind,
  type OptionTable,
} from '@haft/core/options';
import type { JSONObject } from '@ai-sdk/provider';
import { fromOutput } from '../messages/ai-sdk-messages.ts';

/** Options of {@link fromAiSdkTools}. */
export interface FromAiSdkToolsOptions {
  /** Returns the traits of a tool, which the AI SDK can't express. Default: the most restrictive traits. */
  readonly traits?: (name: string) => Partial<ToolTraits> | undefined;
  /** Milliseconds that a call may take. Default 120,000. */
  readonly timeoutMs?: number;
}

const toolsKind = custom<ToolSet>('an object of tools by their names', isRecord);
const table: OptionTable<FromAiSdkToolsOptions> = { traits: functionKind, timeoutMs: millisecondsKind };

type AiSdkTool = ToolSet[string];

/**
 * Converts AI SDK tools, so that they can be registered and run with permission, deadline and repair. Tools without
 * `execute`, which run elsewhere, are skipped. Intermediate outputs become progress.
 *
 * @throws HaftError `INVALID_TOOL` for an invalid name or schema.
 * @example
 * import { fromAiSdkTools } from '@haft/ai-sdk';
 * import { tool } from 'ai';
 * import { z } from 'zod';
 * const ping = tool({ description: 'Answers.', inputSchema: z.object({}), execute: async () => 'pong' });
 * (await fromAiSdkTools({ ping })).map(({ name }) => name); // => ['ping']
 */
export async function fromAiSdkTools(tools: ToolSet, options: FromAiSdkToolsOptions = {}): Promise<readonly AnyTool[]> {
  checkOption('fromAiSdkTools', 'its first argument', tools, toolsKind);
  checkOptions('fromAiSdkTools', options, table, '{ timeoutMs: 30_000 }');
  const runnable = Object.entries(tools).filter(([, tool]) => typeof tool.execute === 'function');
  return Promise.all(runnable.map(([name, tool]) => fromAiSdkTool(name, tool, options)));
}

async function fromAiSdkTool(
  name: string,
  tool: AiSdkTool,
  { traits, timeoutMs }: FromAiSdkToolsOptions,
): Promise<AnyTool> {
  const schema = asSchema<unknown>(tool.inputSchema);
  const description =
    typeof tool.description === 'string' && tool.description.trim() !== '' ? tool.description : `Runs ${name}.`;
  const declared = traits?.(name);
  return defineTool({
    name,
    naming: 'wire',
    description,
    // Copied, because zod attaches its validator to converted schemas, and arguments must not be transformed twice.
    input: { ...((await schema.jsonSchema) as JSONObject) },
    ...(tool.title !== undefined && { title: tool.title }),
    ...(declared && { traits: declared }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute: async (args: unknown, context: ToolContext) => {
      // The tool's own schema may transform the arguments.
      const checked = (await schema.validate?.(args)) ?? { success: true, value: args };
      if (!checked.success) return failure(context.callId, validation(name, checked.error.message));
      return run(tool, checked.value, context);
    },
  });
}

async function run(tool: AiSdkTool, input: unknown, context: ToolContext): Promise<unknown> {
  const { callId: toolCallId, signal: abortSignal } = context;
  const returned: unknown = tool.execute!(input as never, {
    toolCallId,
    messages: [],
    abortSignal,
    context: undefined,
  });
  const output = isAsyncIterable(returned) ? await lastOf(returned, context) : await returned;
  if (!tool.toModelOutput) return output;
  return fromOutput(await tool.toModelOutput({ toolCallId, input: input as never, output: output as never }));
}

async function lastOf(outputs: AsyncIterable<unknown>, context: ToolContext): Promise<unknown> {
  let last: unknown;
  for await (const output of outputs) {
    last = output;
    context.progress(typeof output === 'string' ? output : (JSON.stringify(output) ?? ''));
  }
  return last;
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}
