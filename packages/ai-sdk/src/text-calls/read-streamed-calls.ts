import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { StreamedText } from './streamed-text.ts';
import { stoppedBy, withCalls, type TextCallReader } from './text-call-reader.ts';

type Stream = ReadableStream<LanguageModelV4StreamPart>;

/**
 * Reads calls in the texts of a stream. Calls are sent when the response has ended, because only the finish reason tells
 * whether they were cut, and because structured calls may follow.
 */
export function readStreamedCalls(stream: Stream, reader: TextCallReader): Stream {
  const texts = new Map<string, StreamedText>();
  let isReading = true;
  const release = (emit: (part: LanguageModelV4StreamPart) => void): void => {
    for (const text of texts.values()) text.release(emit);
    texts.clear();
    isReading = false;
  };
  return stream.pipeThrough(
    new TransformStream<LanguageModelV4StreamPart, LanguageModelV4StreamPart>({
      transform(part, controller) {
        const emit = (sent: LanguageModelV4StreamPart): void => controller.enqueue(sent);
        if (!isReading) return emit(part);
        if (part.type === 'text-start') texts.set(part.id, new StreamedText(part, reader));
        else if (part.type === 'text-delta' && texts.has(part.id)) texts.get(part.id)!.push(part, emit);
        else if (part.type === 'text-end' && texts.has(part.id)) texts.get(part.id)!.hold(part);
        else if (part.type === 'finish') {
          const stopped = stoppedBy(part.finishReason);
          let hasCalls = false;
          if (stopped !== undefined)
            for (const [id, text] of texts)
              if (text.finish(stopped, emit)) {
                hasCalls = true;
                texts.delete(id);
              }
          release(emit);
          emit(hasCalls ? { ...part, finishReason: withCalls(part.finishReason) } : part);
        } else {
          if (part.type === 'tool-call' || part.type === 'tool-input-start' || part.type === 'error') release(emit);
          emit(part);
        }
      },
      flush: (controller) => release((part) => controller.enqueue(part)),
    }),
  );
}
