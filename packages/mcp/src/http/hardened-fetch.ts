import { setTimeout as delay } from 'node:timers/promises';
import type { FetchLike } from '@modelcontextprotocol/client';
import { cleanLine } from '../untrusted/clean-text.ts';
import { readSentRequest, replaceAnswer, type SentRequest } from './check-http-answers.ts';
import { cutBody, withBody } from './cut-http-body.ts';
import { limitEvents, tooLarge } from './limit-http-events.ts';

/** Options of {@link createHardenedFetch}. */
export interface HardenedFetchOptions {
  readonly fetch: FetchLike;
  /** Maximum size of one message in bytes. A larger message fails its request. */
  readonly maxMessageBytes: number;
  /** Returns a number from 0 to 1, to spread retries in time. */
  readonly random: () => number;
  /** Returns a promise to await before reading more of a stream, while the server leaves replies unread. */
  readonly room?: () => Promise<void> | undefined;
  /** Whether a request is answered in the body of its response. Otherwise the body is ignored. Default: true. */
  readonly hasAnswers?: boolean;
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
 * - a response that is not a protocol message, or does not answer its request, fails at once with the reason;
 * - 429 and 503 are retried after `Retry-After` (a refused request has had no effect), and requests without an effect
 *   once when their connection was closed;
 * - messages are limited in size, and bodies that only explain a status are cut;
 * - streams that the server closes early or can't open are reopened with exponential backoff and full jitter.
 */
export function createHardenedFetch(options: HardenedFetchOptions): FetchLike {
  const { fetch, maxMessageBytes, random, onNoStream, room = () => undefined, hasAnswers = true } = options;
  let shortStreams = 0;
  let isReported = false;

  const listen: FetchLike = async (url, init) => {
    for (;;) {
      const response = await open(url, init);
      // Retry only failures that may be temporary. Any other status would repeat.
      if (response.status < 500 && response.status !== 429) {
        if (response.ok) isReported = false;
        return response.ok ? response : cutBody(response, maxReasonBytes);
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
    const sent = readSentRequest(init?.body);
    for (let retry = 0; ; retry += 1) {
      const response = await fetch(url, init).catch((error: unknown) => {
        // The server has closed an idle connection at the same moment.
        if (sent && repeatable.has(sent.method) && isLostConnection(error)) return fetch(url, init);
        throw error;
      });
      const wait = response.status === 429 || response.status === 503 ? waitOf(response) : undefined;
      if (wait === undefined || retry === maxRetries) return check(response, sent, init?.headers);
      await response.body?.cancel();
      await delay(wait, undefined, { ref: false, ...(init?.signal ? { signal: init.signal } : {}) });
    }
  };

  const check = async (
    response: Response,
    sent: SentRequest | undefined,
    headers: ConstructorParameters<typeof Headers>[0],
  ): Promise<Response> => {
    if (!response.ok || !hasAnswers || response.status === 202 || response.status === 204) {
      // In the modern era, the response is the only place for an answer.
      const isUnanswered =
        hasAnswers && response.status === 202 && sent !== undefined && new Headers(headers).has('mcp-method');
      if (!isUnanswered) return cutBody(response, maxReasonBytes);
      await response.body?.cancel();
      throw new Error('the server answered status 202 without an answer to the request');
    }
    const type = response.headers.get('content-type') ?? '';
    if (/^text\/event-stream\b/i.test(type))
      return response.body === null
        ? response
        : withBody(response, response.body.pipeThrough(limitEvents(maxMessageBytes, () => undefined, room)));
    const text = await readText(response, maxMessageBytes);
    if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(type))
      throw notAMessage(response.status, type === '' ? 'no type' : cleanLine(type, 60), text);
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      throw notAMessage(response.status, 'broken JSON', text);
    }
    const replaced = sent && replaceAnswer(value, sent.id);
    return withBody(response, replaced === undefined ? text : JSON.stringify(replaced));
  };

  return async (url, init) => {
    const method = init?.method?.toUpperCase() ?? 'GET';
    if (method === 'GET' && accepts(init?.headers, 'text/event-stream')) return listen(url, init);
    return method === 'POST' ? send(url, init) : cutBody(await fetch(url, init), maxReasonBytes);
  };
}

/** Requests without an effect. */
const repeatable: ReadonlySet<string> = new Set([
  'server/discover',
  'initialize',
  'ping',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'tasks/get',
]);

/** Whether a request failed because its connection was closed, rather than because no server was found. */
function isLostConnection(error: unknown): boolean {
  const { code } = ((error instanceof Error ? error.cause : undefined) ?? {}) as { readonly code?: unknown };
  return code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET';
}

/** Maximum size of a body that only explains a status. */
const maxReasonBytes = 64 * 1024;

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
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) break;
      text += decoder.decode(chunk, { stream: true });
    }
  } catch (cause) {
    throw new Error(`the response of the server ended after ${bytes} bytes, before it was complete`, { cause });
  }
  if (bytes > maxBytes) throw tooLarge(maxBytes);
  return text + decoder.decode();
}
