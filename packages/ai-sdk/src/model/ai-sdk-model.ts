import { HaftError, type Model, type ModelEvent, type ModelRequest } from '@haft/core';
import {
  stringKind,
  checkOption,
  checkOptions,
  custom,
  hasMethods,
  isRecord,
  nonEmptyStringKind,
  oneOf,
  type OptionTable,
} from '@haft/core/options';
import type { Dialect, DialectName } from '@haft/schema';
import type {
  JSONSchema7,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { toPrompt } from '../messages/to-prompt.ts';
import { toV3Prompt } from '../messages/to-v3-prompt.ts';
import { dialectKind } from '../options/dialect-kind.ts';
import { createCallMemory } from './call-memory.ts';
import { lowerTools, type LoweredTools } from './lower-tools.ts';
import { asModelFailure } from './as-model-failure.ts';
import { thinkingSupport, toThinkingOptions } from './thinking-options.ts';
import { toModelEvents, type StreamPart } from './to-model-events.ts';

/** Options of {@link aiSdkModel}. */
export interface AiSdkModelOptions {
  /** Name of the model. Default: its id. */
  readonly name?: string;
  /** Name of the vendor. Default: the provider's name up to its first dot. */
  readonly vendor?: string;
  /** Where to put images and audio of tool results. Default `follow-up`: in a user message after the results. */
  readonly mediaInResults?: 'follow-up' | 'inline';
  /**
   * The vendor's dialect of JSON Schema, such as `openai-strict`. Tools and earlier calls are lowered to it, and new
   * calls are raised from it (`tool-call` events; deltas stay unchanged). Default: schemas are sent unchanged.
   */
  readonly dialect?: DialectName | Dialect;
  /** Settings to send with every request, such as `topP`, `seed`, `headers` or `providerOptions`. */
  readonly settings?: Partial<
    Omit<
      LanguageModelV4CallOptions,
      'prompt' | 'tools' | 'toolChoice' | 'abortSignal' | 'responseFormat' | 'includeRawChunks'
    >
  >;
}

const modelKind = custom<LanguageModelV4 | LanguageModelV3>(
  'a language model of an AI SDK provider, such as openai("gpt-5")',
  (value) => hasMethods(value, 'doStream'),
);
const table: OptionTable<AiSdkModelOptions> = {
  name: nonEmptyStringKind,
  vendor: stringKind,
  mediaInResults: oneOf('follow-up', 'inline'),
  dialect: dialectKind,
  settings: custom('an object such as { topP: 0.9 }', isRecord),
};

/**
 * Converts a language model of any AI SDK provider to a Haft `Model`. It calls the provider's `doStream` directly,
 * without retries or tool execution by the SDK.
 *
 * The stream throws `ModelFailure` when the provider fails. Signatures that a vendor attaches to reasoning and calls
 * are stored by call id and sent back with the next request of the same object.
 *
 * @throws HaftError `INVALID_OPTION` for a model with a specification other than v3 and v4, and for an unknown or invalid
 * option.
 */
export function aiSdkModel(languageModel: LanguageModelV4 | LanguageModelV3, options: AiSdkModelOptions = {}): Model {
  checkOption('aiSdkModel', 'its first argument', languageModel, modelKind);
  checkOptions('aiSdkModel', options, table, '{ name: "my-model" }');
  const { specificationVersion, modelId, provider } = languageModel;
  if (specificationVersion !== 'v4' && specificationVersion !== 'v3') {
    throw new HaftError(
      'INVALID_OPTION',
      `model ${String(modelId)}: unsupported specification (expected v3 or v4, got ${String(specificationVersion)})`,
    );
  }
  const { dialect } = options;
  const memory = createCallMemory();
  return {
    name: options.name ?? modelId,
    vendor: options.vendor ?? provider.split('.')[0]!,
    supports: thinkingSupport(specificationVersion, provider.split('.')[0]!),
    async *generate(request): AsyncGenerator<ModelEvent> {
      const tools = lowerTools(request.tools, dialect);
      const prompt = toPrompt(tools.lowerCalls(request.messages), {
        recall: (callId) => memory.recall(callId),
        ...(options.mediaInResults && { mediaInResults: options.mediaInResults }),
      });
      const { stream, contentType } = await open(languageModel, prompt, request, tools, options);
      for await (const event of toModelEvents(stream, memory, contentType)) yield tools.raiseCall(event);
    },
  };
}

interface OpenedStream {
  readonly stream: ReadableStream<StreamPart>;
  readonly contentType: string | undefined;
}

async function open(
  model: LanguageModelV4 | LanguageModelV3,
  prompt: LanguageModelV4Prompt,
  request: ModelRequest,
  tools: LoweredTools,
  { settings }: AiSdkModelOptions,
): Promise<OpenedStream> {
  const vendor = model.provider.split('.')[0]!;
  const shared = {
    ...settings,
    ...toThinkingOptions(request, model.specificationVersion, vendor, settings?.providerOptions),
    ...toCallOptions(request, tools),
  };
  try {
    const { stream, response } =
      model.specificationVersion === 'v4'
        ? await model.doStream({ ...shared, prompt })
        : await model.doStream({
            ...(shared as Omit<LanguageModelV3CallOptions, 'prompt'>),
            prompt: toV3Prompt(prompt),
          });
    return { stream, contentType: response?.headers?.['content-type'] };
  } catch (error) {
    throw asModelFailure(error);
  }
}

function toCallOptions(
  request: ModelRequest,
  { schemaOf, isStrict }: LoweredTools,
): Omit<LanguageModelV4CallOptions, 'prompt'> {
  const { toolChoice, temperature, maxOutputTokens, responseSchema, signal } = request;
  const tools = request.tools.map((tool) => ({
    type: 'function' as const,
    name: tool.name,
    description: tool.description,
    inputSchema: schemaOf(tool) as unknown as JSONSchema7,
    ...(isStrict && { strict: true }),
  }));
  return {
    ...(tools.length > 0 && { tools, toolChoice: toToolChoice(toolChoice) }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(responseSchema !== undefined && {
      responseFormat: { type: 'json', schema: responseSchema as unknown as JSONSchema7 },
    }),
    ...(signal && { abortSignal: signal }),
  };
}

function toToolChoice(
  choice: ModelRequest['toolChoice'] = 'auto',
): NonNullable<LanguageModelV4CallOptions['toolChoice']> {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name };
}
