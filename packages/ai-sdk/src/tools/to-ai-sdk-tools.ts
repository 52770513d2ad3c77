import { jsonSchema, type ToolSet } from 'ai';
import type { JSONSchema7, JSONValue, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
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
import { renderPart } from '@haft/core/results';
import { dialects, toDialect, type Dialect, type DialectName } from '@haft/schema';
import { toResultOutput } from '../messages/to-prompt.ts';
import { createCallGate } from './call-gate.ts';
import { readFiles } from './read-files.ts';

/** What {@link toAiSdkTools} takes besides the tools. */
export interface AiSdkToolsOptions extends Pick<
  DispatcherOptions,
  'permission' | 'workspace' | 'observer' | 'middleware'
> {
  /** Which tools; default: the source's newest. `await source.visibleTo(model)` leaves out what can't be used now. */
  readonly snapshot?: ToolSnapshot;
  /** The dialect of JSON Schema that the vendor takes, such as `openai-strict`; default: schemas go out as they are. */
  readonly dialect?: DialectName | Dialect;
  /**
   * Media types, such as `text/*`, of the resources in a result that are read and handed to the model as files, up to 10 MiB each;
   * default `['application/pdf']`. Others, and what can't be read, are named in the text. `[]` for vendors that take no files there.
   */
  readonly files?: readonly string[];
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
  const { snapshot: given, context, dialect, files = ['application/pdf'], ...dispatcher } = options;
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
      toModelOutput: ({ output }: { output: unknown }) => toModelOutput(output, files),
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

/** What the model is given of a result: one JSON value as such, else the text, with media and files after it. */
async function toModelOutput(output: unknown, types: readonly string[]): Promise<LanguageModelV4ToolResultOutput> {
  if (!isToolResult(output))
    return { type: 'text', value: typeof output === 'string' ? output : (JSON.stringify(output) ?? '') };
  const { ok, content, advisories } = output;
  const [only] = content;
  if (ok && only?.type === 'json' && content.length === 1 && advisories.length === 0) {
    const value = jsonOf(renderPart(only));
    if (value !== undefined) return { type: 'json', value };
  }
  const media = content.filter((part) => part.type === 'image' || part.type === 'audio');
  const text = { type: 'text', text: renderForModel(output) || '(no output)' } as const;
  const told = toResultOutput([text, ...media], !ok, true);
  const files = await readFiles(content, types);
  if (files.length === 0) return told;
  return { type: 'content', value: [...(told.type === 'content' ? told.value : [text]), ...files] };
}

/** The value as it travels, whatever it was made of. */
function jsonOf(text: string): JSONValue | undefined {
  try {
    return JSON.parse(text) as JSONValue;
  } catch {
    return undefined;
  }
}
