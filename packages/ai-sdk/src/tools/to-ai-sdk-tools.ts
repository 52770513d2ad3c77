import { jsonSchema, type ToolSet } from 'ai';
import type { JSONSchema7, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import {
  createDispatcher,
  isToolResult,
  renderForModel,
  type AnyTool,
  type BatchContext,
  type DispatcherOptions,
  type ToolRegistry,
  type ToolResult,
  type ToolSnapshot,
  type ToolSource,
} from '@haft/core';
import { dialects, toDialect, type Dialect, type DialectName } from '@haft/schema';
import { toResultOutput } from '../messages/to-prompt.ts';
import { createCallGate } from './call-gate.ts';

/** What {@link toAiSdkTools} takes besides the tools. */
export interface AiSdkToolsOptions extends Pick<
  DispatcherOptions,
  'permission' | 'workspace' | 'observer' | 'middleware'
> {
  /** Which tools; default: the source's newest. `await source.visibleTo(model)` leaves out what can't be used now. */
  readonly snapshot?: ToolSnapshot;
  /** The dialect of JSON Schema that the vendor takes, such as `openai-strict`; default: schemas go out as they are. */
  readonly dialect?: DialectName | Dialect;
  /** Handed on with every call: session, ids, mode, `onDenied`, time limit. */
  readonly context?: Omit<BatchContext, 'snapshot' | 'signal' | 'onResult'>;
}

/**
 * Makes the tools of a registry, a source or a list usable in `generateText`, `streamText` and agents of the AI SDK.
 *
 * Schemas go out as they are; validation, permission and execution are Haft's: calls that come in together are
 * scheduled by what they touch, each gets one result, nothing is thrown. The program reads the whole `ToolResult` as the
 * tool's output; the model reads the same text, and media, as in Haft's own loop.
 *
 * `permission`, `workspace`, `observer` and `middleware` are for registries and lists; a source has its own.
 */
export function toAiSdkTools(
  tools: ToolSource | ToolRegistry | readonly AnyTool[],
  options: AiSdkToolsOptions = {},
): ToolSet {
  const { snapshot: given, context, dialect, ...dispatcher } = options;
  const source = 'dispatchBatch' in tools ? tools : createDispatcher({ ...dispatcher, registry: tools });
  const snapshot = given ?? source.snapshot();
  const gate = createCallGate(source, { ...context, snapshot });
  const isStrict = (typeof dialect === 'string' ? dialects[dialect] : dialect)?.isStrict === true;
  const toAiSdkTool = ({ name, title, description, input }: AnyTool): ToolSet[string] => {
    const lowered = dialect === undefined ? undefined : toDialect(input.jsonSchema, dialect);
    return {
      title,
      description,
      inputSchema: jsonSchema((lowered?.schema ?? input.jsonSchema) as unknown as JSONSchema7),
      ...(isStrict && { strict: true }),
      execute: async (
        answer: unknown,
        { toolCallId, abortSignal }: { toolCallId: string; abortSignal?: AbortSignal },
      ) => {
        const args = lowered === undefined ? answer : lowered.raise(answer);
        return forOutside(await gate.run({ id: toolCallId, name, arguments: args }, abortSignal));
      },
      toModelOutput: ({ output }: { output: unknown }) => toModelOutput(output),
    };
  };
  return Object.fromEntries(snapshot.tools.map((tool) => [tool.name, toAiSdkTool(tool)]));
}

/** Outputs travel on to user interfaces: of what broke inside, they say no more than the model is told. */
function forOutside(result: ToolResult): ToolResult {
  if (result.ok) return result;
  const { code, fault, retryable } = result.error;
  if (fault === 'host')
    return { ...result, error: { code, fault, retryable, message: `${result.name} failed inside` } };
  const { cause: _, ...error } = result.error;
  return { ...result, error };
}

function toModelOutput(output: unknown): LanguageModelV4ToolResultOutput {
  if (!isToolResult(output))
    return { type: 'text', value: typeof output === 'string' ? output : (JSON.stringify(output) ?? '') };
  const media = output.content.filter((part) => part.type === 'image' || part.type === 'audio');
  return toResultOutput([{ type: 'text', text: renderForModel(output) || '(no output)' }, ...media], !output.ok, true);
}
