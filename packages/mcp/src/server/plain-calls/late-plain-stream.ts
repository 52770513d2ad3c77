import { limitEventStream } from '../../flow/limit-event-stream.ts';

/** A response with its complete text. */
export interface PlainResponse {
  readonly mediaType: 'application/json' | 'text/event-stream';
  readonly text: string;
}

/** The response to one request, which becomes a stream only if the request takes long or sends notifications. */
export interface LateStream {
  /** Sends a notification, in a stream. */
  send(message: object): void;
  /** Sends the last message. */
  end(message: object): void;
  /** Resolves when the response begins. */
  readonly response: Promise<Response | PlainResponse>;
}

/** Headers of event streams. They keep proxies from holding events back. */
const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
} as const;

/** Milliseconds until a response becomes a stream. */
const openAfterMs = 1_000;
/** Milliseconds between comments, which show proxies that the stream is alive. */
const keepAliveMs = 15_000;

/**
 * Creates the response to a request. Legacy clients expect an event stream, so theirs also becomes one when it takes
 * more than a second.
 *
 * @param mediaType type of a response that is not a stream.
 * @param onStalled called with the reason when the client does not read the stream.
 */
export function createLateStream(
  mediaType: PlainResponse['mediaType'],
  onStalled: (reason: Error) => void,
): LateStream {
  let begin!: (response: Response | PlainResponse) => void;
  const response = new Promise<Response | PlainResponse>((resolve) => (begin = resolve));
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let keepAlive: NodeJS.Timeout | undefined;
  let isOpen = false;
  let isEnded = false;

  const stop = (): void => {
    clearTimeout(opening);
    clearInterval(keepAlive);
    isEnded = true;
  };
  const write = (text: string): void => controller?.enqueue(encoder.encode(text));
  const open = (): void => {
    if (isOpen || isEnded) return;
    isOpen = true;
    clearTimeout(opening);
    const body = new ReadableStream<Uint8Array>({
      start: (started) => void (controller = started),
      cancel() {
        controller = undefined;
        stop();
      },
    });
    keepAlive = setInterval(() => write(': keepalive\n\n'), keepAliveMs).unref();
    begin(limitEventStream(new Response(body, { headers }), onStalled));
  };
  const opening = mediaType === 'text/event-stream' ? setTimeout(open, openAfterMs).unref() : undefined;

  return {
    response,
    send(message) {
      if (isEnded) return;
      open();
      write(eventOf(message));
    },
    end(message) {
      if (isEnded) return;
      const text = mediaType === 'text/event-stream' || isOpen ? eventOf(message) : JSON.stringify(message);
      stop();
      if (!isOpen) return begin({ mediaType, text });
      write(text);
      controller?.close();
    },
  };
}

const encoder = new TextEncoder();

function eventOf(message: object): string {
  return `event: message\ndata: ${JSON.stringify(message)}\n\n`;
}
