/** Headers of responses that scripts of an allowed page may read. */
const exposedHeaders = 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after';
const allowedMethods = 'GET, POST, DELETE';
const maxAgeSeconds = 600;
const headerList = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/;

/**
 * Answers the preflight request of a browser (CORS). Returns undefined for any other request. Check the origin before.
 * Cookies are not allowed: pages send their credentials in `Authorization`.
 */
export function answerPreflight({ method, headers }: Request): Response | undefined {
  const origin = headers.get('origin');
  if (method !== 'OPTIONS' || origin === null || headers.get('access-control-request-method') === null)
    return undefined;
  const asked = headers.get('access-control-request-headers') ?? '';
  const isLocal = headers.get('access-control-request-private-network') === 'true';
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-origin': origin,
      'access-control-allow-methods': allowedMethods,
      ...(headerList.test(asked) ? { 'access-control-allow-headers': asked } : {}),
      ...(isLocal ? { 'access-control-allow-private-network': 'true' } : {}),
      'access-control-max-age': String(maxAgeSeconds),
      vary: 'origin, access-control-request-headers',
    },
  });
}

/** Lets the page that sent a request read the response. Check the origin before. */
export function allowOrigin({ headers }: Request, response: Response): Response {
  const origin = headers.get('origin');
  if (origin === null) return response;
  const { status, statusText } = response;
  // The headers of some responses are immutable, so these are copied.
  const allowed = new Headers(response.headers);
  allowed.set('access-control-allow-origin', origin);
  allowed.set('access-control-expose-headers', exposedHeaders);
  allowed.append('vary', 'origin');
  return new Response(response.body, { status, statusText, headers: allowed });
}
