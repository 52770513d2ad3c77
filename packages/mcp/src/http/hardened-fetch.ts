import { setTimeout as delay } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { cleanLine } from '../untrusted/clean-text.ts';

/** Options of {@link createHardenedFetch}. */
export interface HardenedFetchOptions {
  readonly fetch: FetchLike;
  /** Maximum size of one message in bytes. A larger message fails its request. */
  readonly maxMessageBytes: number;
  /** Returns a number from 0 to 1, to spread retries in time. */
  readonly random: () => number;
  /** Returns a promise to await before reading more of a stream, while the server leaves replies unread. */
  readonly room?: () => Promise<void> | undefined;
  /** Called when the server offers no stream to listen on, once until a stream opens again. */
  readonly onNoStream: (reason: string) => void;
}

/** Maximum `Retry-After` delay. With a longer one the request fails. */
const maxRetryAfterMs = 30_000;
const maxRetries = 2;
const maxShownCharacters = 200;
/** A stream that lasted this long was healthy, so the next one is opened at once. */
const healthyMs = 10_000;
const initialBackoffMs = 500;
const maxBackoffMs = 30_000;

/**
 * Wraps a fetch with checks that the SDK's transport omits:
 *
 * - a response that is not a protocol message fails with its status and its beginning;
 * - 429 and 503 are retried after `Retry-After` (a refused request has had no effect);
 * - messages are limited in size;
 * - streams that the server closes early or can't open are reopened with exponential backoff and full jitter.
 */
export function createHardenedFetch(options: HardenedFetchOptions): FetchLike {
  const { fetch, maxMessageBytes, random, onNoStream, room = () => undefined } = options;
  let shortStreams = 0;
  let isReported = false;

  const listen: FetchLike = async (url, init) => {
    for (;;) {
      const response = await open(url, init);
      // Retry only failures that may be temporary. Any other status would repeat.
      if (response.status < 500 && response.status !== 429) {
        if (response.ok) isReported = false;
        return response;
      }
      if (!isReported) onNoStream(`the server answered status ${response.status} to the request for a stream`);
      isReported = true;
      await response.body?.cancel();
    }
  };
  const open: FetchLike = async (url, init) => {
    if (shortStreams > 0) {
      const maxDelay = Math.min(maxBackoffMs, initialBackoffMs * 2 ** (shortStreams - 1));
      await delay(random() * maxDelay, undefined, { ref: false, ...(init?.signal ? { signal: init.signal } : {}) });
    }
    const opened = performance.now();
    const ended = (): void => {
      shortStreams = performance.now() - opened < healthyMs ? shortStreams + 1 : 0;
    };
    const response = await fetch(url, init).catch((error: unknown) => {
      ended();
      throw error;
    });
    if (!response.ok || response.body === null) {
      // 405 means that the server offers no such stream.
      if (response.status !== 405) ended();
      return response;
    }
    return withBody(response, response.body.pipeThrough(limitEvents(maxMessageBytes, ended, room)));
  };

  const send: FetchLike = async (url, init) => {
    for (let retry = 0; ; retry += 1) {
      const response = await fetch(url, init);
      const wait = response.status === 429 || response.status === 503 ? waitOf(response) : undefined;
      if (wait === undefined || retry === maxRetries) return check(response);
      await response.body?.cancel();
      await delay(wait, undefined, { ref: false, ...(init?.signal ? { signal: init.signal } : {}) });
    }
  };

  const check = async (response: Response): Promise<Response> => {
    if (!response.ok || response.status === 202 || response.status === 204) return response;
    const type = response.headers.get('content-type') ?? '';
    if (/^text\/event-stream\b/i.test(type))
      return response.body === null
        ? response
        : withBody(response, response.body.pipeThrough(limitEvents(maxMessageBytes, () => undefined, room)));
    const text = await readText(response, maxMessageBytes);
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
      throw notAMessage(response.status, type === '' ? 'no type' : cleanLine(type, 60), text);
    try {
      JSON.parse(text);
    } catch {
      throw notAMessage(response.status, 'broken JSON', text);
    }
    return withBody(response, text);
  };

  return async (url, init) => {
    const method = init?.method?.toUpperCase() ?? 'GET';
    if (method === 'GET' && accepts(init?.headers, 'text/event-stream')) return listen(url, init);
    return method === 'POST' ? send(url, init) : fetch(url, init);
  };
}

function accepts(headers: ConstructorParameters<typeof Headers>[0], type: string): boolean {
  return new Headers(headers).get('accept')?.includes(type) ?? false;
}

/** Returns the `Retry-After` delay in milliseconds if it is within the limit. */
function waitOf(response: Response): number | undefined {
  const given = response.headers.get('retry-after');
  if (given === null) return undefined;
  const seconds = Number(given);
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(given) - Date.now();
  return wait >= 0 && wait <= maxRetryAfterMs ? wait : undefined;
}

function notAMessage(status: number, what: string, text: string): Error {
  const shown = text === '' ? 'nothing' : JSON.stringify(cleanLine(text.slice(0, 2_000), maxShownCharacters));
  return new Error(`the server answered status ${status} with ${what} instead of a protocol message: ${shown}`);
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function tooLarge(maxBytes: number): Error {
  return new Error(`a response of the server exceeds the limit of ${maxBytes} bytes`);
}

/** The type declarations of `Transformer` lack `cancel`. */
type LimitedStream = NonNullable<ConstructorParameters<typeof TransformStream<Uint8Array, Uint8Array>>[0]> & {
  readonly cancel: () => void;
};

/** Passes events on and fails if one exceeds the limit. Calls `ended` exactly once. */
function limitEvents(
  maxBytes: number,
  ended: () => void,
  room: () => Promise<void> | undefined,
): TransformStream<Uint8Array, Uint8Array> {
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
      // An event ends with an empty line: two line breaks with only carriage returns between them.
      for (const byte of chunk) {
        if (byte === 10) {
          bytes = lastIsBreak ? 0 : bytes + 1;
          lastIsBreak = true;
        } else if (byte !== 13) {
          bytes += 1;
          lastIsBreak = false;
        }
        if (bytes > maxBytes) {
          finish();
          return controller.error(tooLarge(maxBytes));
        }
      }
      controller.enqueue(chunk);
      return room();
    },
    flush: finish,
    cancel: finish,
  };
  return new TransformStream(limit);
}

function withBody(response: Response, body: ConstructorParameters<typeof Response>[0]): Response {
  const copy = new Response(body, {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
  });
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}
