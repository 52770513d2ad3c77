import { functionKind, stringKind, objectWith, type OptionTable } from '@haft/core/options';
import { guardedFetch, type Dial, type NetworkGuard } from '@haft/sandbox';
import type { SearchAnswer, SearchRequest } from './search-provider.ts';

/** Network options of a provider, for a proxy or a test. */
export interface SearchConnection {
  /** Addresses that may be contacted. Default: the provider's address and the public network. */
  readonly guard?: NetworkGuard;
  readonly dial?: Dial;
  /** Certificates in PEM to trust instead of the default ones. */
  readonly ca?: string;
}

/** The kind of each option. */
export const connectionKinds: OptionTable<SearchConnection> = {
  guard: objectWith<NetworkGuard>('a NetworkGuard of createNetworkGuard() of @haft/sandbox', 'check'),
  dial: functionKind,
  ca: stringKind,
};

/** The JSON value of a provider, or why the request failed. */
type Answered = { readonly ok: true; readonly value: unknown } | (SearchAnswer & { readonly ok: false });

const maxBytes = 2_000_000;

/** Requests JSON from a provider. */
export async function fetchJson(
  url: URL,
  guard: NetworkGuard,
  headers: Readonly<Record<string, string>>,
  { signal, timeoutMs }: SearchRequest,
  { dial, ca }: SearchConnection,
): Promise<Answered> {
  const response = await guardedFetch(url, {
    guard,
    headers: { accept: 'application/json', 'user-agent': 'haft', ...headers },
    signal,
    timeoutMs,
    maxBytes,
    maxRedirects: 1,
    ...(dial ? { dial } : {}),
    ...(ca === undefined ? {} : { ca }),
  });
  if (!response.ok) {
    const problem = response.code === 'FETCH_TIMEOUT' ? 'timeout' : 'unreachable';
    return { ok: false, problem, message: `${response.code}: ${response.message}` };
  }
  const { status, body } = response;
  if (status === 429) {
    const seconds = Number(response.headers['retry-after']);
    const retryAfterMs = seconds > 0 ? seconds * 1_000 : undefined;
    const message = 'it accepts no more requests now';
    return { ok: false, problem: 'rate-limited', message, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) };
  }
  if (status === 401 || status === 402 || status === 403 || status === 422)
    return { ok: false, problem: 'refused', message: `it answered with status ${status}: check its key and settings` };
  if (status !== 200) return { ok: false, problem: 'unreachable', message: `it answered with status ${status}` };
  try {
    return { ok: true, value: JSON.parse(Buffer.from(body).toString('utf8')) as unknown };
  } catch {
    return { ok: false, problem: 'malformed', message: 'it answered with something other than JSON' };
  }
}

/** Returns a member of a value that may be an object. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}

/** Returns a string member, or an empty string if it is not a string. */
export function textOf(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : '';
}
