import { validateHeaderName, validateHeaderValue } from 'node:http';
import {
  abortSignalKind,
  functionKind,
  amountKind,
  objectKind,
  stringKind,
  checkIs,
  checkOptions,
  oneOf,
  stringOrBytesKind,
} from '../check-given.ts';
import { createTimeoutSignal } from '../timeout-signal.ts';
import type { SandboxFailure } from '../sandbox-failure.ts';
import { FetchProblem, toFetchFailure } from './fetch-problem.ts';
import type { GuardedTarget, NetworkGuard } from './network-guard.ts';
import { createByteBudget } from './meter-connection.ts';
import { nextHop, type Hop } from './next-redirect.ts';
import { readBody } from './read-response-body.ts';
import { requestOnce, type Dial, type RequestOptions } from './request-once.ts';

/** Options of {@link guardedFetch}. */
export interface GuardedFetchOptions {
  readonly guard: NetworkGuard;
  /** Default `GET`. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Headers in any case. Connection headers such as `host` are not allowed. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** Deadline for everything, including redirects and body, in milliseconds. Default 30,000. */
  readonly timeoutMs?: number;
  /** Timeout per connection in milliseconds. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** Maximum time without data in milliseconds. Default 10,000. */
  readonly idleTimeoutMs?: number;
  /**
   * Maximum size of the decompressed body in bytes. Default 10,000,000. All received bytes are limited as well: 256 kB
   * per request for headers and informational responses, plus twice this value for a body.
   */
  readonly maxBytes?: number;
  /** Maximum number of redirects. Default 5. */
  readonly maxRedirects?: number;
  /** PEM certificates to trust instead of the default ones. */
  readonly ca?: string;
  /** Opens connections to checked addresses, for a proxy or a test. */
  readonly dial?: Dial;
}

/** A response with any status. */
export interface FetchedResponse {
  readonly ok: true;
  /** The final URL. */
  readonly url: string;
  readonly status: number;
  /** Headers by lower-case name. Several values are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** The decompressed body. */
  readonly body: Uint8Array;
  /** The URLs that redirected here, in order. */
  readonly redirects: readonly string[];
}

const connectionHeaders: ReadonlySet<string> = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'upgrade',
  'te',
  'trailer',
  'keep-alive',
  'expect',
]);
const aUrl = {
  expected: 'a string or a URL',
  fits: (value: unknown): boolean => typeof value === 'string' || value instanceof URL,
};
const guardKind = {
  expected: 'a guard such as createNetworkGuard() returns',
  fits: (value: unknown): boolean =>
    typeof value === 'object' && value !== null && 'check' in value && typeof value.check === 'function',
};
const members = {
  method: oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
  headers: objectKind,
  body: stringOrBytesKind,
  signal: abortSignalKind,
  timeoutMs: amountKind,
  connectTimeoutMs: amountKind,
  idleTimeoutMs: amountKind,
  maxBytes: amountKind,
  maxRedirects: amountKind,
  ca: stringKind,
  dial: functionKind,
};
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a URL from addresses that the guard has checked. Every redirect is checked again. Codes: `URL_REFUSED` and
 * `HOST_NOT_FOUND` of the guard (also for a refused redirect), `TOO_MANY_REDIRECTS`, `RESPONSE_TOO_LARGE`,
 * `FETCH_TIMEOUT`, `FETCH_ABORTED`, `FETCH_FAILED`.
 *
 * @throws TypeError if a header is invalid or an argument has the wrong type.
 * @example
 * import { createNetworkGuard, guardedFetch } from '@haft/sandbox';
 * const response = await guardedFetch('http://169.254.169.254/', { guard: createNetworkGuard() });
 * 'code' in response && response.code; // => 'URL_REFUSED'
 */
export async function guardedFetch(
  url: string | URL,
  options: GuardedFetchOptions,
): Promise<FetchedResponse | SandboxFailure> {
  checkIs('URL', url, aUrl);
  checkOptions(options, '{ guard: createNetworkGuard() }', members, 'options', ['guard']);
  checkIs('guard', options.guard, guardKind);
  const { guard, method = 'GET', timeoutMs = 30_000, maxBytes = 10_000_000, maxRedirects = 5 } = options;
  const headers = checkHeaders(options.headers ?? {});
  const body = typeof options.body === 'string' ? Buffer.from(options.body) : options.body;
  const deadline = createTimeoutSignal(options.signal, timeoutMs);
  const how: RequestOptions = {
    dial: options.dial,
    ca: options.ca,
    connectTimeoutMs: options.connectTimeoutMs ?? 10_000,
    idleTimeoutMs: options.idleTimeoutMs ?? 10_000,
    maxBytes,
    budget: createByteBudget(),
    signal: deadline.signal,
  };
  const redirects: string[] = [];
  try {
    let next: { readonly given: string | URL; readonly hop?: Hop } = { given: url };
    for (;;) {
      const target = await untilAborted(guard.check(next.given), deadline.signal);
      if (!target.ok) return target;
      const hop: Hop = { ...(next.hop ?? { method, headers, body }), url: target.url };
      const outcome = await untilAborted(take(hop, target, how), deadline.signal);
      if (!('location' in outcome)) return { ...outcome, redirects };
      redirects.push(target.url.href);
      if (redirects.length > maxRedirects)
        throw new FetchProblem('TOO_MANY_REDIRECTS', `the URL redirects more than ${maxRedirects} times`);
      const nextRequest = nextHop(hop, outcome.status, outcome.location);
      if (typeof nextRequest === 'string') throw new FetchProblem('URL_REFUSED', `the URL is refused: ${nextRequest}`);
      next = { given: nextRequest.url, hop: nextRequest };
    }
  } catch (error) {
    if (deadline.timedOut)
      return toFetchFailure(new FetchProblem('FETCH_TIMEOUT', `the fetch took more than ${timeoutMs} ms`));
    if (deadline.signal.aborted) return toFetchFailure(new FetchProblem('FETCH_ABORTED', 'the fetch was cancelled'));
    return toFetchFailure(error);
  } finally {
    deadline.dispose();
  }
}

async function take(
  hop: Hop,
  target: GuardedTarget,
  how: RequestOptions,
): Promise<Omit<FetchedResponse, 'redirects'> | { readonly status: number; readonly location: string }> {
  const exchange = await requestOnce(hop, target, how);
  try {
    const { response } = exchange;
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (location !== undefined && redirecting.has(status)) return { status, location };
    const headers = Object.fromEntries(
      Object.entries(response.headersDistinct).map(([name, values]) => [name, (values ?? []).join(', ')]),
    );
    const body = hop.method === 'HEAD' ? new Uint8Array() : await readBody(exchange, how.maxBytes);
    return { ok: true, url: target.url.href, status, headers, body };
  } finally {
    exchange.close();
  }
}

function checkHeaders(given: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const headers = Object.entries(given).map(([name, value]) => {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    if (connectionHeaders.has(name.toLowerCase()))
      throw new TypeError(`headers: ${name} is a connection header and not allowed`);
    return [name.toLowerCase(), value] as const;
  });
  return Object.fromEntries(headers);
}

function untilAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
