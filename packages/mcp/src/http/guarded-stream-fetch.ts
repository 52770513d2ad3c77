import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { Readable } from 'node:stream';
import type { NetworkGuard } from '@haft/sandbox';
import type { FetchLike } from '@modelcontextprotocol/client';

/** Statuses without a body. */
const bodiless: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Creates a fetch that connects only to addresses checked by the guard. It follows no redirects and returns streaming
 * bodies.
 */
export function createGuardedStreamFetch(guard: NetworkGuard): FetchLike {
  return async (input, init) => {
    const target = await guard.check(input);
    if (!target.ok) throw new Error(target.message);
    const { url, addresses } = target;
    const found = addresses.map((address) => ({ address, family: isIP(address) }));
    // Use the checked addresses: a second lookup could return other ones.
    const lookup: LookupFunction = (_host, options, done) =>
      options.all ? done(null, found) : done(null, found[0]?.address ?? '', found[0]?.family);
    const { method = 'GET', body, signal } = init ?? {};
    const headers = Object.fromEntries(new Headers(init?.headers));
    const request = url.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const sent = request(url, { method, headers, lookup, agent: false, ...(signal ? { signal } : {}) }, (answer) => {
        try {
          resolve(toResponse(answer));
        } catch (cause) {
          sent.destroy();
          reject(new Error(`the server answered with an invalid head (status ${answer.statusCode})`, { cause }));
        }
      });
      sent.on('error', reject);
      sent.end(
        typeof body === 'string' || body instanceof Uint8Array ? body : body ? String(body as unknown) : undefined,
      );
    });
  };
}

/** @throws RangeError for a status that HTTP does not define, such as 999, and TypeError for an invalid header. */
function toResponse(answer: IncomingMessage): Response {
  const { statusCode: status = 502 } = answer;
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers))
    for (const one of [value ?? []].flat()) headers.append(name, one);
  if (bodiless.has(status)) {
    answer.resume();
    return new Response(null, { status, headers });
  }
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers });
}
