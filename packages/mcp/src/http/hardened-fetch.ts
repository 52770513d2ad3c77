import { setTimeout as delay } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { cleanLine } from '../untrusted/clean-text.ts';

/** What a careful fetch goes by. */
export interface HardenedFetchOptions {
  readonly fetch: FetchLike;
  /** One message beyond this many bytes fails its request. */
  readonly maxMessageBytes: number;
  /** A number from 0 to 1 that spreads repeated requests in time. */
  readonly random: () => number;
  /** What to wait for before more of a stream is read, while the server leaves replies unread. */
  readonly room?: () => Promise<void> | undefined;
  /** Hears, once until it is better, why the server gives no stream to listen on. */
  readonly onNoStream: (reason: string) => void;
}

/** Waits that a server asks for are kept up to here; beyond, the request fails. */
const maxRetryAfterMs = 30_000;
const maxRetries = 2;
const maxShownCharacters = 200;
/** A stream that lasted so long was healthy: the next one is opened at once. */
const healthyMs = 10_000;
const initialBackoffMs = 500;
const maxBackoffMs = 30_000;

/**
 * Puts around a fetch what the transport of the SDK leaves to servers being good: an answer that is no message of the
 * protocol fails with its status and its beginning; 429 and 503 are asked again when the server says when (a request that was
 * turned away has had no effect); a message may not grow beyond a limit; and a stream that a server ends as soon as it is
 * opened, or can't open just now, is opened again ever more rarely, with full jitter.
 */
export function createHardenedFetch(options: HardenedFetchOptions): FetchLike {
  const { fetch, maxMessageBytes, random, onNoStream, room = () => undefined } = options;
  let shortStreams = 0;
  let isReported = false;

  const listen: FetchLike = async (url, init) => {
    for (;;) {
      const response = await open(url, init);
      // What has nothing to do with the request may pass; all else would be the same the next time.
      if (response.status < 500 && response.status !== 429) {
        if (response.ok) isReported = false;
        return response;
      }
      if (!isReported) onNoStream(`the server answers status ${response.status} where it is asked for a stream`);
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
      // 405 is how a server says that it has no such stream.
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

/** Milliseconds to wait, when the server says so and they are bearable. */
function waitOf(response: Response): number | undefined {
  const given = response.headers.get('retry-after');
  if (given === null) return undefined;
  const seconds = Number(given);
  const wait = Number.isFinite(seconds) ? seconds * 1_000 : Date.parse(given) - Date.now();
  return wait >= 0 && wait <= maxRetryAfterMs ? wait : undefined;
}

function notAMessage(status: number, what: string, text: string): Error {
  const shown = text === '' ? 'nothing' : JSON.stringify(cleanLine(text.slice(0, 2_000), maxShownCharacters));
  return new Error(
    `the server answered status ${status} with ${what} where a message of the protocol belongs: ${shown}`,
  );
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
  return new Error(`an answer of the server is larger than the limit of ${maxBytes} bytes`);
}

/** Our types know no `cancel`, which tells that nobody reads any more. */
type LimitedStream = NonNullable<ConstructorParameters<typeof TransformStream<Uint8Array, Uint8Array>>[0]> & {
  readonly cancel: () => void;
};

/** Lets events through, none of which may be larger than the limit; `ended` is called once, however it ends. */
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
      // An event ends with an empty line: two line breaks with nothing but a carriage return between them.
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
