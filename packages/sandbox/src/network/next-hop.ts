/** A request as far as redirects change it. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  /** By lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** What another origin may be told: nothing by which a person is known. */
const harmless: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent', 'range']);
const aboutBody: ReadonlySet<string> = new Set(['content-type', 'content-language', 'content-encoding']);

/**
 * What to request after a redirect, or why it is not followed. A POST becomes a GET as browsers do; of the headers another
 * origin gets the harmless ones, and no body; nothing that came encrypted goes on in the clear.
 */
export function nextHop(from: Hop, status: number, location: string): Hop | string {
  const url = URL.parse(location, from.url.href);
  if (!url) return 'it redirects to what is no URL';
  if (from.url.protocol === 'https:' && url.protocol === 'http:') return 'it redirects from https to http';
  const becomesGet = (status === 303 && from.method !== 'HEAD') || (status <= 302 && from.method === 'POST');
  const method = becomesGet ? 'GET' : from.method;
  const body = becomesGet ? undefined : from.body;
  const isSameOrigin = url.origin === from.url.origin;
  if (!isSameOrigin && body !== undefined) return 'it redirects what was sent to another origin';
  const headers = Object.fromEntries(
    Object.entries(from.headers).filter(
      ([name]) => (isSameOrigin || harmless.has(name)) && !(becomesGet && aboutBody.has(name)),
    ),
  );
  return { url, method, headers, body };
}
