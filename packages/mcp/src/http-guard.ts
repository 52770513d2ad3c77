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
  /** Requests that one caller may send a minute; default 600. */
  readonly requestsPerMinute?: number;
}

/** A request that may be answered, or its refusal. */
export type GuardedRequest = { readonly caller: AuthInfo | undefined } | { readonly refusal: Response };

/** Callers whose requests are counted at once; the one that was heard longest ago is forgotten first. */
const maxCallers = 10_000;
const windowMs = 60_000;

/** What looks at each request. */
export interface HttpGuard {
  /** The refusal of a request that came by a wrong name or from a foreign web page; nothing of it has to be read for that. */
  refuse(request: Request): Response | undefined;
  /** Finds out who sends it, and whether they may send another. */
  admit(request: Request): Promise<GuardedRequest>;
}

/** Makes what looks at each request before it is answered. */
export function createHttpGuard(options: HttpGuardOptions, now: () => number = Date.now): HttpGuard {
  const hosts = [...(options.hosts ?? localhostAllowedHostnames())];
  const origins = [...(options.origins ?? localhostAllowedOrigins())];
  const { authenticate, requestsPerMinute = 600 } = options;
  const counts = new Map<string, { readonly since: number; requests: number }>();

  const waitOf = (caller: string): number => {
    const time = now();
    const known = counts.get(caller);
    const count = known && time - known.since < windowMs ? known : { since: time, requests: 0 };
    count.requests += 1;
    counts.delete(caller);
    counts.set(caller, count);
    if (counts.size > maxCallers) counts.delete(counts.keys().next().value ?? '');
    return count.requests > requestsPerMinute ? count.since + windowMs - time : 0;
  };

  return {
    refuse: (request) => hostHeaderValidationResponse(request, hosts) ?? originValidationResponse(request, origins),
    async admit(request) {
      // What is neither a caller nor a refusal, as an answer of nothing by which a program means "nobody", lets nobody in.
      const caller = authenticate && (await authenticate(request));
      if (caller instanceof Response) return { refusal: caller };
      if (authenticate && typeof caller?.clientId !== 'string') return { refusal: unknownCaller() };
      const waitMs = waitOf(caller?.clientId ?? '');
      if (waitMs > 0) return { refusal: tooMany(Math.ceil(waitMs / 1_000)) };
      return { caller };
    },
  };
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
