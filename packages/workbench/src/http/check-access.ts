import { createHash, timingSafeEqual } from 'node:crypto';

/** Why a request is refused. */
export interface Refusal {
  readonly status: number;
  readonly message: string;
}

/** The conditions under which requests may use the workbench. */
export interface AccessRules {
  /** Names that a request may give as its host, without the port. */
  readonly allowedHosts: readonly string[];
  readonly token: string;
}

/**
 * Checks that a request names this server as its host. Without this check, a page of another
 * site could reach the server through its own host name, pointed at this machine (DNS rebinding).
 */
export function checkHost(request: Request, { allowedHosts }: AccessRules): Refusal | undefined {
  const host = request.headers.get('host') ?? new URL(request.url).host;
  const name = host.replace(/:\d+$/, '').toLowerCase();
  if (allowedHosts.includes(name)) return undefined;
  return { status: 421, message: 'host: this name is not served (add it to allowedHosts to serve it)' };
}

/** Checks that a request for data comes from the page itself and holds the token. */
export function checkCaller(request: Request, { token }: AccessRules): Refusal | undefined {
  const { headers } = request;
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none')
    return { status: 403, message: 'origin: requests of other sites are refused' };
  const origin = headers.get('origin');
  const host = headers.get('host') ?? new URL(request.url).host;
  if (origin !== null && !/^https?:\/\//.test(origin))
    return { status: 403, message: 'origin: requests of other sites are refused' };
  if (origin !== null && new URL(origin).host !== host)
    return { status: 403, message: 'origin: requests of other sites are refused' };
  const given = /^Bearer (\S{1,200})$/.exec(headers.get('authorization') ?? '')?.[1];
  if (given !== undefined && isSame(given, token)) return undefined;
  return {
    status: 401,
    message: 'authorization: the token is missing or wrong (open the URL that the program printed)',
  };
}

/** Compares in constant time, so that the time does not show how much of a token is correct. */
function isSame(given: string, token: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
