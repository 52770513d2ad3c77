/** The parts of a request that redirects change. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  /** Headers by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** Headers that another origin may receive, because they do not identify a user. */
const harmlessHeaders: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent', 'range']);
const bodyHeaders: ReadonlySet<string> = new Set(['content-type', 'content-language', 'content-encoding']);

/**
 * Returns the next request after a redirect, or the reason why it is not followed. A POST becomes a GET like in
 * browsers. Another origin receives only harmless headers and no body. A redirect from https to http is refused.
 */
export function nextHop(from: Hop, status: number, location: string): Hop | string {
  const url = URL.parse(location, from.url.href);
  if (!url) return 'it redirects to an invalid URL';
  if (from.url.protocol === 'https:' && url.protocol === 'http:') return 'it redirects from https to http';
  const becomesGet = (status === 303 && from.method !== 'HEAD') || (status <= 302 && from.method === 'POST');
  const method = becomesGet ? 'GET' : from.method;
  const body = becomesGet ? undefined : from.body;
  const isSameOrigin = url.origin === from.url.origin;
  if (!isSameOrigin && body !== undefined) return 'it redirects the request body to another origin';
  const headers = Object.fromEntries(
    Object.entries(from.headers).filter(
      ([name]) => (isSameOrigin || harmlessHeaders.has(name)) && !(becomesGet && bodyHeaders.has(name)),
    ),
  );
  return { url, method, headers, body };
}
