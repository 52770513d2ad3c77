import { HaftError, type Model, type ModelEvent, type ModelRequest, type ModelTool } from '@haft/core';
import type {
  JSONSchema7,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
} from '@ai-sdk/provider';
import { toPrompt } from './messages/to-prompt.ts';
import { toV3Prompt } from './messages/to-v3-prompt.ts';
import { createCallMemory } from './model/call-memory.ts';
import { asModelFailure } from './model/model-failure.ts';
import { retellStream, type StreamPart } from './model/retell-stream.ts';

/** What {@link aiSdkModel} takes besides the model. */
export interface AiSdkModelOptions {
  /** Default: the model's id. */
  readonly name?: string;
  /** Default: the provider's name up to its first dot. */
  readonly vendor?: string;
  /** Where images and sounds of tool results go; default `follow-up`, a user message after the results. */
  readonly mediaInResults?: 'follow-up' | 'inline';
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
 * @throws HaftError `INVALID_OPTION` for a model of a specification other than v3 and v4.
 */
export function aiSdkModel(languageModel: LanguageModelV4 | LanguageModelV3, options: AiSdkModelOptions = {}): Model {
  const { specificationVersion, modelId, provider } = languageModel;
  if (specificationVersion !== 'v4' && specificationVersion !== 'v3') {
    throw new HaftError(
      'INVALID_OPTION',
      `the model ${String(modelId)} has specification ${String(specificationVersion)}; v3 and v4 can be used`,
    );
  }
  const memory = createCallMemory();
  return {
    name: options.name ?? modelId,
    vendor: options.vendor ?? provider.split('.')[0]!,
    async *generate(request): AsyncGenerator<ModelEvent> {
      const prompt = toPrompt(request.messages, {
        recall: (callId) => memory.recall(callId),
        ...(options.mediaInResults && { mediaInResults: options.mediaInResults }),
      });
      const { stream, contentType } = await open(languageModel, prompt, request, options);
      yield* retellStream(stream, memory, contentType);
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
  { settings }: AiSdkModelOptions,
): Promise<OpenedStream> {
  const shared = { ...settings, ...toCallOptions(request) };
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

function toCallOptions(request: ModelRequest): Omit<LanguageModelV4CallOptions, 'prompt'> {
  const { tools, toolChoice, temperature, maxOutputTokens, responseSchema, signal } = request;
  return {
    ...(tools.length > 0 && { tools: tools.map(toFunctionTool), toolChoice: toToolChoice(toolChoice) }),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
    ...(responseSchema !== undefined && { responseFormat: { type: 'json', schema: responseSchema as JSONSchema7 } }),
    ...(signal && { abortSignal: signal }),
  };
}

function toFunctionTool({ name, description, inputSchema }: ModelTool): LanguageModelV4FunctionTool {
  return { type: 'function', name, description, inputSchema: inputSchema as JSONSchema7 };
}

function toToolChoice(
  choice: ModelRequest['toolChoice'] = 'auto',
): NonNullable<LanguageModelV4CallOptions['toolChoice']> {
  return typeof choice === 'string' ? { type: choice } : { type: 'tool', toolName: choice.name };
}
