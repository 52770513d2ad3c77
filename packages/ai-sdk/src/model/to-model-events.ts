import type { FinishReason, ModelEvent, Usage } from '@haft/core';
import type {
  LanguageModelV3StreamPart,
  LanguageModelV4ReasoningPart,
  LanguageModelV4StreamPart,
  SharedV4ProviderMetadata,
} from '@ai-sdk/provider';
import type { CallMemory } from './call-memory.ts';
import { asModelFailure, explainContentType } from './as-model-failure.ts';
import { ModelFailure } from './model-failure.ts';

/** A stream part of either specification. */
export type StreamPart = LanguageModelV4StreamPart | LanguageModelV3StreamPart;

/**
 * Converts a provider's stream to model events. Calls that the vendor executes itself are skipped. Throws {@link
 * ModelFailure} at the first error, or if the stream ends without a `finish` part. The content type explains a stream
 * without any events.
 */
export async function* toModelEvents(
  stream: ReadableStream<StreamPart>,
  memory: CallMemory,
  contentType?: string,
): AsyncGenerator<ModelEvent> {
  const reader = stream.getReader();
  const state = new StreamState();
  let isEmpty = true;
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw asModelFailure(error);
      });
      if (done) throw new ModelFailure('the stream ended without a finish part', { retryable: true }, undefined);
      for (const event of state.convert(value)) {
        isEmpty = false;
        yield event;
      }
      if (value.type !== 'finish') continue;
      memory.remember(state.calls, state.reasoning);
      return;
    }
  } catch (error) {
    throw isEmpty ? explainContentType(error, contentType) : error;
  } finally {
    reader.cancel().catch(() => {});
  }
}

/** State collected from earlier parts. */
class StreamState {
  readonly calls: { readonly id: string; readonly metadata: SharedV4ProviderMetadata | undefined }[] = [];
  readonly #thoughts = new Map<string, { text: string; metadata: SharedV4ProviderMetadata | undefined }>();
  readonly #executedByVendor = new Set<string>();

  get reasoning(): LanguageModelV4ReasoningPart[] {
    return [...this.#thoughts.values()].map(({ text, metadata }) => ({
      type: 'reasoning',
      text,
      ...(metadata && { providerOptions: metadata }),
    }));
  }

  *convert(part: StreamPart): Generator<ModelEvent> {
    switch (part.type) {
      case 'text-delta':
        if (part.delta !== '') yield { type: 'text', text: part.delta };
        break;
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        this.#think(part.id, part.type === 'reasoning-delta' ? part.delta : '', part.providerMetadata);
        if (part.type === 'reasoning-delta' && part.delta !== '') yield { type: 'reasoning', text: part.delta };
        break;
      case 'tool-input-start':
        if (part.providerExecuted) this.#executedByVendor.add(part.id);
        else yield { type: 'tool-call-start', id: part.id, name: part.toolName };
        break;
      case 'tool-input-delta':
        if (!this.#executedByVendor.has(part.id)) yield { type: 'tool-call-delta', id: part.id, text: part.delta };
        break;
      case 'tool-call':
        if (part.providerExecuted) break;
        this.calls.push({ id: part.toolCallId, metadata: part.providerMetadata });
        yield { type: 'tool-call', id: part.toolCallId, name: part.toolName, arguments: part.input };
        break;
      case 'error':
        throw asModelFailure(part.error);
      case 'finish':
        yield { type: 'usage', usage: toUsage(part.usage) };
        yield { type: 'finish', reason: finishReasons[part.finishReason.unified] ?? 'unknown' };
        break;
      default:
    }
  }

  #think(id: string, text: string, metadata: SharedV4ProviderMetadata | undefined): void {
    const thought = this.#thoughts.get(id) ?? { text: '', metadata: undefined };
    thought.text += text;
    thought.metadata = metadata ?? thought.metadata;
    this.#thoughts.set(id, thought);
  }
}

const finishReasons: Readonly<Record<string, FinishReason>> = {
  stop: 'stop',
  'tool-calls': 'tool-calls',
  length: 'length',
  'content-filter': 'content-filter',
  error: 'error',
};

function toUsage({ inputTokens, outputTokens }: Extract<StreamPart, { readonly type: 'finish' }>['usage']): Usage {
  const input = inputTokens.total;
  const output = outputTokens.total;
  return {
    ...(input !== undefined && { inputTokens: input }),
    ...(output !== undefined && { outputTokens: output }),
    ...(input !== undefined && output !== undefined && { totalTokens: input + output }),
  };
}
