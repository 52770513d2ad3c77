import { HaftError, type Model, type ModelEvent, type ModelRequest } from '@haft/core';
import { dialects, type Dialect, type DialectName } from '@haft/schema';
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
import { createCallMemory } from './call-memory.ts';
import { lowerTools, type LoweredTools } from './lowered-tools.ts';
import { asModelFailure } from './model-failure.ts';
import { retellStream, type StreamPart } from './retell-stream.ts';

/** What {@link aiSdkModel} takes besides the model. */
export interface AiSdkModelOptions {
  /** Default: the model's id. */
  readonly name?: string;
  /** Default: the provider's name up to its first dot. */
  readonly vendor?: string;
  /** Where images and sounds of tool results go; default `follow-up`, a user message after the results. */
  readonly mediaInResults?: 'follow-up' | 'inline';
  /**
   * The dialect of JSON Schema that the vendor takes, such as `openai-strict`. Tools are lowered to it, calls raised from
   * it (`tool-call` events; deltas are as the model wrote them), earlier calls shown in it. Default: schemas as they are.
   */
  readonly dialect?: DialectName | Dialect;
  /** Sent with every request, such as `topP`, `seed`, `headers` or `providerOptions`. */
  readonly settings?: Partial<
    Omit<
      LanguageModelV4CallOptions,
      'prompt' | 'tools' | 'toolChoice' | 'abortSignal' | 'responseFormat' | 'includeRawChunks'
    >
  >;
}

/**
 * Lets a language model of any AI SDK provider drive Haft's loop, by its own `doStream`: no retries and no tool
 * execution of the SDK are in between.
 *
 * The stream throws `ModelFailure` when the provider fails. Signatures that a vendor attaches to reasoning and calls
 * are kept by call id and sent back with the next request of the same model object.
 *
 * @throws HaftError `INVALID_OPTION` for a model of a specification other than v3 and v4, and for an unknown dialect.
 */
export function aiSdkModel(languageModel: LanguageModelV4 | LanguageModelV3, options: AiSdkModelOptions = {}): Model {
  const { specificationVersion, modelId, provider } = languageModel;
  if (specificationVersion !== 'v4' && specificationVersion !== 'v3') {
    throw new HaftError(
      'INVALID_OPTION',
      `the model ${String(modelId)} has specification ${String(specificationVersion)}; v3 and v4 can be used`,
    );
  }
  const { dialect } = options;
  if (typeof dialect === 'string' && !Object.hasOwn(dialects, dialect)) {
    throw new HaftError(
      'INVALID_OPTION',
      `no dialect is called ${dialect}; there are ${Object.keys(dialects).join(', ')}`,
    );
  }
  const memory = createCallMemory();
  return {
    name: options.name ?? modelId,
    vendor: options.vendor ?? provider.split('.')[0]!,
    async *generate(request): AsyncGenerator<ModelEvent> {
      const tools = lowerTools(request.tools, dialect);
      const prompt = toPrompt(tools.lowerCalls(request.messages), {
        recall: (callId) => memory.recall(callId),
        ...(options.mediaInResults && { mediaInResults: options.mediaInResults }),
      });
      const { stream, contentType } = await open(languageModel, prompt, request, tools, options);
      for await (const event of retellStream(stream, memory, contentType)) yield tools.raiseCall(event);
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
  const shared = { ...settings, ...toCallOptions(request, tools) };
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
