import { createHash } from 'node:crypto';
import {
  hostHeaderValidationResponse,
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  originValidationResponse,
  type AuthInfo,
} from '@modelcontextprotocol/server';

/** Who may send requests, and how many. */
export interface HttpGuardOptions {
  /**
   * Host names by which the server may be asked for, without port; default `localhost` and the loopback addresses. A request
   * for another is refused: a web page may have pointed its own name here.
   */
  readonly hosts?: readonly string[];
  /** Host names of web pages that may send requests; default those of `hosts`' default. Programs send no `Origin`. */
  readonly origins?: readonly string[];
  /**
   * Tells who sends a request, or answers it with a refusal; `requireBearerAuth` of the SDK makes one that checks tokens and
   * their audience. An answer without a `clientId` that is no `Response` is refused with 401. Default: everybody who gets
   * past `hosts` and `origins` may use the server, under one name.
   */
  readonly authenticate?: (request: Request) => Promise<AuthInfo | Response>;
  /**
   * Requests that one caller may send a minute; default 600. So many requests of one address may fail to authenticate, too: then
   * those are refused without asking `authenticate` whose credentials were not accepted in the last ten minutes.
   */
  readonly requestsPerMinute?: number;
}

/** A request that may be answered, or its refusal. */
export type GuardedRequest = { readonly caller: AuthInfo | undefined } | { readonly refusal: Response };

/** Callers whose requests are counted at once; the one that was heard longest ago is forgotten first. */
const maxCallers = 10_000;
const windowMs = 60_000;
/** How long accepted credentials are let through where others of the same address fail. */
const acceptedMs = 10 * 60_000;

/** What looks at each request. */
export interface HttpGuard {
  /** The refusal of a request that came by a wrong name or from a foreign web page; nothing of it has to be read for that. */
  refuse(request: Request): Response | undefined;
  /**
   * Finds out who sends it, and whether they may send another.
   *
   * @param address where it came from, by which failed logins are counted; empty where that is not known.
   */
  admit(request: Request, address: string): Promise<GuardedRequest>;
}

/** Makes what looks at each request before it is answered. */
export function createHttpGuard(options: HttpGuardOptions, now: () => number = Date.now): HttpGuard {
  const hosts = [...(options.hosts ?? localhostAllowedHostnames())];
  const origins = [...(options.origins ?? localhostAllowedOrigins())];
  const { authenticate, requestsPerMinute = 600 } = options;
  const callers = createRequestCounts(requestsPerMinute, now);
  const failures = createRequestCounts(requestsPerMinute, now);
  const accepted = new Map<string, number>();

  const findCaller = async (request: Request, address: string): Promise<AuthInfo | Response | undefined> => {
    if (!authenticate) return undefined;
    const credentialsHash = hashCredentials(request);
    const isKnown = credentialsHash !== undefined && now() - (accepted.get(credentialsHash) ?? -Infinity) < acceptedMs;
    // A request counts as failed until it has not: many at once are no more than one after another.
    const waitMs = isKnown ? 0 : failures.add(address);
    if (waitMs > 0) return tooMany(Math.ceil(waitMs / 1_000));
    const caller = await authenticate(request);
    if (isKnown && (caller instanceof Response || typeof caller?.clientId !== 'string')) {
      accepted.delete(credentialsHash);
      failures.add(address);
    }
    if (caller instanceof Response) return caller;
    // What is neither a caller nor a refusal, as an answer of nothing by which a program means "nobody", lets nobody in.
    if (typeof caller?.clientId !== 'string') return unknownCaller();
    if (!isKnown) failures.subtract(address);
    if (credentialsHash !== undefined) {
      accepted.delete(credentialsHash);
      accepted.set(credentialsHash, now());
      if (accepted.size > maxCallers) accepted.delete(accepted.keys().next().value ?? '');
    }
    return caller;
  };

  return {
    refuse: (request) => hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins),
    async admit(request, address) {
      const caller = await findCaller(request, address);
      if (caller instanceof Response) return { refusal: caller };
      const waitMs = callers.add(caller ? `caller ${caller.clientId}` : `address ${address}`);
      if (waitMs > 0) return { refusal: tooMany(Math.ceil(waitMs / 1_000)) };
      return { caller };
    },
  };
}

/** How often something was counted in the last minute. */
interface RequestCounts {
  /** Milliseconds until another is admitted, 0 if this one is. */
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

/** What tells credentials apart without keeping them; nothing where there are none that are usual. */
function hashCredentials({ headers }: Request): string | undefined {
  const given = ['authorization', 'cookie', 'x-api-key'].map((name) => headers.get(name));
  if (given.every((value) => value === null)) return undefined;
  return createHash('sha256').update(JSON.stringify(given)).digest('base64');
}

function unknownCaller(): Response {
  const error = { code: -32_000, message: 'unauthorized' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 401 });
}

function tooMany(seconds: number): Response {
  const error = { code: -32_000, message: `too many requests; send the next in ${seconds} s` };
  return Response.json(
    { jsonrpc: '2.0', id: null, error },
    { status: 429, headers: { 'retry-after': String(seconds) } },
  );
}
