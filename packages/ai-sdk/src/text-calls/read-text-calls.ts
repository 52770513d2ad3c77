import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Middleware,
} from '@ai-sdk/provider';
import { extractToolCalls } from '@haft/repair/calls';
import { readStreamedCalls } from './read-streamed-calls.ts';
import { createTextCallReader, stoppedBy, withCalls, type TextCallReader } from './text-call-reader.ts';

/**
 * Finds the tool calls that a model writes as text and makes them calls of the AI SDK. Pass it to `wrapLanguageModel` as
 * `middleware`. Text around the calls is kept, and text is streamed while it cannot be part of a call.
 *
 * A response with structured calls is not changed. Cut calls, calls that repeat text of a user or a tool, and mentions of
 * calls remain text.
 */
export const readTextCalls: LanguageModelV4Middleware = {
  specificationVersion: 'v4',
  async wrapGenerate({ doGenerate, params }) {
    const result = await doGenerate();
    const reader = createTextCallReader(params);
    return reader === undefined ? result : readResult(result, reader);
  },
  async wrapStream({ doStream, params }) {
    const result = await doStream();
    const reader = createTextCallReader(params);
    return reader === undefined ? result : { ...result, stream: readStreamedCalls(result.stream, reader) };
  },
};

function readResult(result: LanguageModelV4GenerateResult, reader: TextCallReader): LanguageModelV4GenerateResult {
  const stopped = stoppedBy(result.finishReason);
  if (stopped === undefined || result.content.some(({ type }) => type === 'tool-call')) return result;
  const content = result.content.flatMap((part): readonly LanguageModelV4Content[] => {
    if (part.type !== 'text') return [part];
    const { calls } = extractToolCalls(part.text, { ...reader.options, stopped });
    const segments = reader.split(part.text, 0, calls, stopped) ?? [part];
    return segments.map((segment) => (segment.type === 'text' ? { ...part, text: segment.text } : segment));
  });
  return content.some(({ type }) => type === 'tool-call')
    ? { ...result, content, finishReason: withCalls(result.finishReason) }
    : result;
}
