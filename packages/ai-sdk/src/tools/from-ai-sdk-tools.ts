import { asSchema, type ToolSet } from 'ai';
import {
  defineTool,
  failure,
  toolError,
  validation,
  type AnyTool,
  type ToolContext,
  type ToolFailure,
  type ToolTraits,
} from '@haft/core';
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
import type { ConvertedTools } from './converted-tools.ts';
import { loopOptionsOf } from './loop-options.ts';

/** Options of {@link fromAiSdkTools}. */
export interface FromAiSdkToolsOptions {
  /**
   * Returns traits of a tool, which the AI SDK can't express. Default: the most restrictive ones, with `needsApproval` if
   * the tool has it.
   */
  readonly traits?: (name: string) => Partial<ToolTraits> | undefined;
  /** Returns one line that says what a call is about to do, for questions. Default: the title or name of the tool. */
  readonly initialTitle?: (name: string, args: unknown) => string | undefined;
  /**
   * The contexts of the tools by their names, for loops that give none. The `toolsContext` of `generateText` and
   * `streamText` takes precedence. Default: no contexts.
   */
  readonly toolsContext?: Readonly<Record<string, unknown>>;
  /** Milliseconds that a call may take. Default 120,000. */
  readonly timeoutMs?: number;
}

const toolsKind = custom<ToolSet>('an object of tools by their names', isRecord);
const table: OptionTable<FromAiSdkToolsOptions> = {
  traits: functionKind,
  initialTitle: functionKind,
  toolsContext: custom('an object of contexts by the names of tools', isRecord),
  timeoutMs: millisecondsKind,
};

type AiSdkTool = ToolSet[string];

/**
 * Converts AI SDK tools, so that they can be registered and run with permission, deadline and repair. Intermediate
 * outputs become progress. Tools without `execute`, which run elsewhere, are skipped.
 *
 * A tool with `needsApproval` gets the trait `needsApproval`, so that a permission engine asks about every call; a
 * function counts as true. Bodies get the context and messages that the AI SDK's loop gives.
 *
 * @throws HaftError `INVALID_TOOL` for an invalid name or schema, `INVALID_OPTION` for an unknown option.
 * @example
 * import { fromAiSdkTools } from '@haft/ai-sdk';
 * import { tool } from 'ai';
 * import { z } from 'zod';
 * const ping = tool({ description: 'Answers.', inputSchema: z.object({}), execute: async () => 'pong' });
 * (await fromAiSdkTools({ ping })).map(({ name }) => name); // => ['ping']
 */
export async function fromAiSdkTools<Tools extends ToolSet>(
  tools: Tools,
  options: FromAiSdkToolsOptions = {},
): Promise<ConvertedTools<Tools>> {
  checkOption('fromAiSdkTools', 'its first argument', tools, toolsKind);
  checkOptions('fromAiSdkTools', options, table, '{ timeoutMs: 30_000 }');
  const runnable = Object.entries(tools).filter(([, tool]) => typeof tool.execute === 'function');
  return Promise.all(runnable.map(([name, tool]) => fromAiSdkTool(name, tool, options)));
}

async function fromAiSdkTool(
  name: string,
  tool: AiSdkTool,
  { traits, initialTitle, toolsContext, timeoutMs }: FromAiSdkToolsOptions,
): Promise<AnyTool> {
  const schema = asSchema<unknown>(tool.inputSchema);
  const description =
    typeof tool.description === 'string' && tool.description.trim() !== '' ? tool.description : `Runs ${name}.`;
  const needsApproval = (tool.needsApproval ?? false) !== false;
  const title = tool.title ?? name.replaceAll('_', ' ');
  return defineTool({
    name,
    naming: 'wire',
    description,
    // Copied, because zod attaches its validator to converted schemas, and arguments must not be transformed twice.
    input: { ...((await schema.jsonSchema) as JSONObject) },
    title,
    traits: { ...(needsApproval && { needsApproval }), ...traits?.(name) },
    ...(initialTitle && { initialTitle: (args: unknown) => initialTitle(name, args) ?? title }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    execute: async (args: unknown, context: ToolContext) => {
      // The tool's own schema may transform the arguments.
      const checked = (await schema.validate?.(args)) ?? { success: true, value: args };
      if (!checked.success) return failure(context.callId, validation(name, checked.error.message));
      const given = await readToolContext(name, tool, context, toolsContext);
      return 'error' in given ? given : run(name, tool, checked.value, given.value, context);
    },
  });
}

/** Reads the context of a tool and validates it, as the AI SDK does before each call. */
async function readToolContext(
  name: string,
  { contextSchema }: AiSdkTool,
  context: ToolContext,
  toolsContext: FromAiSdkToolsOptions['toolsContext'],
): Promise<{ readonly value: unknown } | ToolFailure> {
  const own = toolsContext !== undefined && Object.hasOwn(toolsContext, name) ? toolsContext[name] : undefined;
  const value = loopOptionsOf(name, context)?.context ?? own;
  if (contextSchema === undefined) return { value };
  const checked = (await asSchema<unknown>(contextSchema).validate?.(value)) ?? { success: true, value };
  if (checked.success) return checked;
  const where = 'pass `toolsContext` to generateText, streamText or fromAiSdkTools';
  const message = `${name}: its context does not match its contextSchema (${where}): ${checked.error.message}`;
  return failure(context.callId, toolError('EXECUTION_ERROR', message, { cause: checked.error }));
}

async function run(
  name: string,
  tool: AiSdkTool,
  input: unknown,
  toolContext: unknown,
  context: ToolContext,
): Promise<unknown> {
  const { callId: toolCallId, signal: abortSignal } = context;
  const given = loopOptionsOf(name, context) ?? { messages: [] };
  const options = { ...given, toolCallId, abortSignal, context: toolContext };
  const returned: unknown = tool.execute!(input as never, options);
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
