import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  validateHostHeader,
} from '@modelcontextprotocol/server';
import { showValue } from '@haft/core/options';
import type { AuthInfo } from '../../protocol/auth-info.ts';
import { callerKeyOf } from '../../callers/caller-key.ts';
import { McpError } from '../../mcp-error.ts';
import type { HttpGuardOptions } from '../options/http-guard-options.ts';
import type { ServerOptions } from '../options/server-options.ts';

/** An accepted request, or its refusal. */
export type GuardedRequest = { readonly caller: AuthInfo | undefined } | { readonly refusal: Response };

/** Maximum number of callers with a counter. The least recently used one is dropped first. */
const maxCallers = 10_000;
const windowMs = 60_000;
/** Maximum number of remembered Host headers. */
const maxHosts = 100;
/** Milliseconds that accepted credentials bypass the limit on failures of their address. */
const acceptedMs = 10 * 60_000;

/** Checks incoming requests. */
export interface HttpGuard {
  /** Refuses a request with a wrong host or from a foreign web page, without reading its body. */
  refuse(request: Request): Response | undefined;
  /** Returns true only for requests that `refuse` accepts: sent by a program, to an accepted host. */
  isAccepted(headers: IncomingHttpHeaders): boolean;
  /** Applies the rate limit to a caller without a login. Returns a response that refuses the request. */
  limitAddress(address: string): Response | undefined;
  /**
   * Identifies the sender and applies the rate limit.
   *
   * @param address sender of the request, for counting failed authentications; empty if unknown.
   */
  admit(request: Request, address: string): Promise<GuardedRequest>;
}

/** Creates the checks for incoming requests. */
export function createHttpGuard(
  options: HttpGuardOptions & Pick<ServerOptions, 'onWarning'>,
  now: () => number = Date.now,
): HttpGuard {
  const hosts = [...(options.hosts ?? localhostAllowedHostnames())];
  const origins = [...(options.origins ?? localhostAllowedOrigins())];
  const { authenticate, requestsPerMinute = 600, onWarning = (error) => process.emitWarning(error) } = options;
  let hasWarned = false;
  /** Every later request would have the same fault. */
  const warnOnce = (returned: unknown): void => {
    if (hasWarned) return;
    hasWarned = true;
    const expected = 'a caller such as { clientId: "ada", token, scopes: [] }, or a Response that refuses the request';
    // A string may be a token.
    const got = typeof returned === 'string' ? 'a string' : showValue(returned);
    const message = `authenticate returned ${got} (expected ${expected}), so the request was refused with 401`;
    onWarning(new McpError('INVALID_OPTION', message));
  };
  const callers = createRequestCounts(requestsPerMinute, now);
  const failures = createRequestCounts(requestsPerMinute, now);
  const accepted = new Map<string, number>();
  const acceptedHosts = new Set<string>();

  const findCaller = async (request: Request, address: string): Promise<AuthInfo | Response | undefined> => {
    if (!authenticate) return undefined;
    const credentialsHash = hashCredentials(request);
    const isKnown = credentialsHash !== undefined && now() - (accepted.get(credentialsHash) ?? -Infinity) < acceptedMs;
    // The request counts as failed until it succeeds, so that parallel requests can't exceed the limit.
    const waitMs = isKnown ? 0 : failures.add(address);
    if (waitMs > 0) return tooMany(Math.ceil(waitMs / 1_000));
    const caller = await authenticate(request);
    if (isKnown && (caller instanceof Response || typeof caller?.clientId !== 'string')) {
      accepted.delete(credentialsHash);
      failures.add(address);
    }
    if (caller instanceof Response) return caller;
    // Any other result, such as undefined, is not a caller.
    if (typeof caller?.clientId !== 'string') {
      // A false value may mean a refusal.
      if (caller) warnOnce(caller);
      return unknownCaller();
    }
    if (!isKnown) failures.subtract(address);
    if (credentialsHash !== undefined) {
      accepted.delete(credentialsHash);
      accepted.set(credentialsHash, now());
      if (accepted.size > maxCallers) accepted.delete(accepted.keys().next().value ?? '');
    }
    return caller;
  };

  const limit = (key: string): Response | undefined => {
    const waitMs = callers.add(key);
    return waitMs > 0 ? tooMany(Math.ceil(waitMs / 1_000)) : undefined;
  };

  return {
    refuse: (request) => hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins),
    isAccepted({ host, origin }) {
      if (host === undefined || origin !== undefined) return false;
      if (acceptedHosts.has(host)) return true;
      if (!validateHostHeader(host, hosts).ok) return false;
      if (acceptedHosts.size >= maxHosts) acceptedHosts.clear();
      acceptedHosts.add(host);
      return true;
    },
    limitAddress: (address) => limit(`address ${address}`),
    async admit(request, address) {
      const caller = await findCaller(request, address);
      if (caller instanceof Response) return { refusal: caller };
      const refusal = limit(caller ? `caller ${callerKeyOf(caller)}` : `address ${address}`);
      return refusal ? { refusal } : { caller };
    },
  };
}

/** Counts requests per key within a minute. */
interface RequestCounts {
  /** Counts a request. Returns the milliseconds until the next one is admitted, or 0 if this one is. */
  add(key: string): number;
  subtract(key: string): void;
}

function createRequestCounts(perMinute: number, now: () => number): RequestCounts {
  const counts = new Map<string, { readonly since: number; requests: number }>();
  return {
    add(key) {
      const time = now();
      const known = counts.get(key);
      const count = known && time - known.since < windowMs ? known : { since: time, requests: 0 };
      count.requests += 1;
      counts.delete(key);
      counts.set(key, count);
      if (counts.size > maxCallers) counts.delete(counts.keys().next().value ?? '');
      return count.requests > perMinute ? count.since + windowMs - time : 0;
    },
    subtract(key) {
      const count = counts.get(key);
      if (count) count.requests -= 1;
    },
  };
}

/** Hashes the credentials, so that they are not stored. Returns undefined without credentials. */
function hashCredentials({ headers }: Request): string | undefined {
  const given = ['authorization', 'cookie', 'x-api-key'].map((name) => headers.get(name));
  if (given.every((value) => value === null)) return undefined;
  return createHash('sha256').update(JSON.stringify(given)).digest('base64');
}

function unknownCaller(): Response {
  const error = { code: -32_000, message: 'unauthorized' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 401, headers: { 'www-authenticate': 'Bearer' } });
}

function tooMany(seconds: number): Response {
  const error = { code: -32_000, message: `too many requests; send the next in ${seconds} s` };
  return Response.json(
    { jsonrpc: '2.0', id: null, error },
    { status: 429, headers: { 'retry-after': String(seconds) } },
  );
}
