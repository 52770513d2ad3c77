import { request as requestHttp } from 'node:http';
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
        const { statusCode: status = 502 } = answer;
        const named = new Headers();
        for (const [name, value] of Object.entries(answer.headers))
          for (const one of [value ?? []].flat()) named.append(name, one);
        const stream = bodiless.has(status) ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
        if (stream === null) answer.resume();
        resolve(new Response(stream, { status, headers: named }));
      });
      sent.on('error', reject);
      sent.end(
        typeof body === 'string' || body instanceof Uint8Array ? body : body ? String(body as unknown) : undefined,
      );
    });
  };
}
