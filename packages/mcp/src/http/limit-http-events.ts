import { createEventCheck } from './check-http-answers.ts';

/** Creates the error for a message that exceeds the limit. */
export function tooLarge(maxBytes: number): Error {
  return new Error(`a response of the server exceeds the limit of ${maxBytes} bytes`);
}

/** The type declaration of `Transformer` lacks `cancel`. */
type LimitedStream = NonNullable<ConstructorParameters<typeof TransformStream<Uint8Array, Uint8Array>>[0]> & {
  readonly cancel: () => void;
};

/**
 * Passes events on and fails if one exceeds the limit. A malformed response is followed by one that fails its request.
 * Calls `ended` exactly once.
 */
export function limitEvents(
  maxBytes: number,
  ended: () => void,
  room: () => Promise<void> | undefined,
): TransformStream<Uint8Array, Uint8Array> {
  const check = createEventCheck();
  let bytes = 0;
  let lastIsBreak = false;
  let isFinished = false;
  const finish = (): void => {
    if (isFinished) return;
    isFinished = true;
    ended();
  };
  const limit: LimitedStream = {
    transform(chunk, controller) {
      /** Where the current event, and the part that is not passed on yet, start in this chunk. */
      let eventAt = 0;
      let sentAt = 0;
      for (let at = 0; at < chunk.byteLength; at += 1) {
        const byte = chunk[at];
        if (byte === 10) {
          // An event ends with an empty line: two line breaks with only carriage returns between them.
          const isEnd = lastIsBreak && bytes > 0;
          bytes = lastIsBreak ? 0 : bytes + 1;
          lastIsBreak = true;
          if (!isEnd) continue;
          check.add(chunk.subarray(eventAt, at + 1));
          eventAt = at + 1;
          const more = check.end();
          if (more === undefined) continue;
          controller.enqueue(chunk.subarray(sentAt, eventAt));
          controller.enqueue(more);
          sentAt = eventAt;
        } else if (byte !== 13) {
          bytes += 1;
          lastIsBreak = false;
        }
        if (bytes > maxBytes) {
          finish();
          return controller.error(tooLarge(maxBytes));
        }
      }
      check.add(chunk.subarray(eventAt));
      controller.enqueue(sentAt === 0 ? chunk : chunk.subarray(sentAt));
      return room();
    },
    flush: finish,
    cancel: finish,
  };
  return new TransformStream(limit);
}
