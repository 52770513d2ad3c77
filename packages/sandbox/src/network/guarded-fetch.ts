import { validateHeaderName, validateHeaderValue } from 'node:http';
import {
  abortSignal,
  aFunction,
  amount,
  anObject,
  aText,
  checkIs,
  checkOptions,
  oneOf,
  textOrBytes,
} from '../check-given.ts';
import { createTimeoutSignal } from '../timeout-signal.ts';
import type { SandboxFailure } from '../sandbox-failure.ts';
import { FetchProblem, toFetchFailure } from './fetch-problem.ts';
import type { GuardedTarget, NetworkGuard } from './network-guard.ts';
import { createByteBudget } from './metered-connection.ts';
import { nextHop, type Hop } from './next-hop.ts';
import { readBody } from './read-body.ts';
import { requestOnce, type Dial, type RequestOptions } from './request-once.ts';

/** What to fetch, and within which limits. */
export interface GuardedFetchOptions {
  readonly guard: NetworkGuard;
  /** Default `GET`. */
  readonly method?: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** By any case; those that belong to the connection can't be given. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
  /** For everything, redirects and body included. A fetch that is not done by then fails. Default 30,000 milliseconds. */
  readonly timeoutMs?: number;
  /** For each connection. Default 10,000 milliseconds. */
  readonly connectTimeoutMs?: number;
  /** How long nothing may come. Default 10,000 milliseconds. */
  readonly idleTimeoutMs?: number;
  /**
   * The most bytes of a body, after it was decompressed. Default 10,000,000. All that the connections receive is counted
   * too: 256 kB for each request, informational answers and head included, and twice this for what comes with a body.
   */
  readonly maxBytes?: number;
  /** How many redirects are followed. Default 5. */
  readonly maxRedirects?: number;
  /** Certificates in PEM that are trusted instead of the usual ones. */
  readonly ca?: string;
  /** Opens connections, for a proxy or a test; gets addresses that were checked. */
  readonly dial?: Dial;
}

/** What was fetched, whatever its status. */
export interface FetchedResponse {
  readonly ok: true;
  /** Where it was in the end. */
  readonly url: string;
  readonly status: number;
  /** By lower-case names; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Decompressed. */
  readonly body: Uint8Array;
  /** The URLs that led there by redirects, in order. */
  readonly redirects: readonly string[];
}

const ofConnection: ReadonlySet<string> = new Set([
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
const aGuard = {
  expected: 'a guard such as createNetworkGuard() makes',
  fits: (value: unknown): boolean =>
    typeof value === 'object' && value !== null && 'check' in value && typeof value.check === 'function',
};
const members = {
  method: oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
  headers: anObject,
  body: textOrBytes,
  signal: abortSignal,
  timeoutMs: amount,
  connectTimeoutMs: amount,
  idleTimeoutMs: amount,
  maxBytes: amount,
  maxRedirects: amount,
  ca: aText,
  dial: aFunction,
};
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a URL from addresses that the guard has checked, each redirect checked anew. Failure is data: `URL_REFUSED` and
 * `HOST_NOT_FOUND` of the guard (also for a redirect that is not followed), `TOO_MANY_REDIRECTS`, `RESPONSE_TOO_LARGE`,
 * `FETCH_TIMEOUT`, `FETCH_ABORTED`, `FETCH_FAILED`.
 *
 * @throws TypeError for headers that can't be sent, and for arguments of another type.
 */
export async function guardedFetch(
  url: string | URL,
  options: GuardedFetchOptions,
): Promise<FetchedResponse | SandboxFailure> {
  checkIs('the URL', url, aUrl);
  checkOptions(options, '{ guard: createNetworkGuard() }', members, 'the options', ['guard']);
  checkIs('guard', options.guard, aGuard);
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
        throw new FetchProblem('TOO_MANY_REDIRECTS', `It redirects more than ${maxRedirects} times`);
      const following = nextHop(hop, outcome.status, outcome.location);
      if (typeof following === 'string') throw new FetchProblem('URL_REFUSED', `The URL is refused: ${following}`);
      next = { given: following.url, hop: following };
    }
  } catch (error) {
    if (deadline.timedOut)
      return toFetchFailure(new FetchProblem('FETCH_TIMEOUT', `It took more than ${timeoutMs} ms`));
    if (deadline.signal.aborted) return toFetchFailure(new FetchProblem('FETCH_ABORTED', 'The fetch was cancelled'));
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
    if (ofConnection.has(name.toLowerCase())) throw new TypeError(`The header ${name} belongs to the connection`);
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
