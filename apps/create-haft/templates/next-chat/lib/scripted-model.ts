import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { simulateReadableStream } from 'ai';

/** Plays a model that makes the mistakes of small models: it calls the tool with broken JSON. */
export function createScriptedModel(): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'script',
    modelId: 'script',
    supportedUrls: {},
    async doGenerate(options) {
      const content = play(options);
      return { content, finishReason: reasonOf(content), usage, warnings: [] };
    },
    async doStream(options) {
      const content = play(options);
      const parts: LanguageModelV4StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        ...content.flatMap(asStream),
        { type: 'finish', finishReason: reasonOf(content), usage },
      ];
      return { stream: simulateReadableStream({ chunks: parts }) };
    },
  };
}

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** First two calls, then an answer from their results. */
function play({ prompt }: LanguageModelV4CallOptions): LanguageModelV4Content[] {
  const last = prompt.at(-1);
  if (last?.role !== 'tool') {
    return [
      { type: 'tool-call', toolCallId: 'call_1', toolName: 'get_temperature', input: '{"city": "Oslo"}' },
      {
        type: 'tool-call',
        toolCallId: 'call_2',
        toolName: 'get_temperature',
        input: "{city: 'Rome', unit: 'celsius',}",
      },
    ];
  }
  const answers = last.content.flatMap((part) =>
    part.type === 'tool-result' && part.output.type === 'text' ? [part.output.value] : [],
  );
  return [{ type: 'text', text: `Here is what I found. ${answers.join('; ')}.` }];
}

function reasonOf(content: readonly LanguageModelV4Content[]): { unified: 'tool-calls' | 'stop'; raw: undefined } {
  return { unified: content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop', raw: undefined };
}

function asStream(content: LanguageModelV4Content, index: number): LanguageModelV4StreamPart[] {
  const id = String(index);
  if (content.type === 'tool-call') return [content];
  if (content.type !== 'text') return [];
  const words = content.text.split(/(?<= )/);
  return [
    { type: 'text-start', id },
    ...words.map((delta) => ({ type: 'text-delta', id, delta }) as const),
    { type: 'text-end', id },
  ];
}
