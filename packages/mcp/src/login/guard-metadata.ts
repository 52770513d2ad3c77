import { createNetworkGuard } from '@haft/sandbox';
import type { FetchLike } from '@modelcontextprotocol/client';
import { cutBody } from '../http/cut-http-body.ts';
import { createGuardedStreamFetch } from '../http/guarded-stream-fetch.ts';

/** Host names common in private networks. */
const privateNames = ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home', 'corp', 'home.arpa'];

/** Addresses at which clouds hand out credentials without authentication. */
const cloudMetadataHosts = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::/32',
  '100.100.100.200',
  '168.63.129.16',
  'metadata.google.internal',
  'metadata.goog',
];

const maxRedirects = 3;
/** Maximum size of metadata and tokens. A longer response is cut, so that it can't be parsed. */
const maxBytes = 1024 * 1024;
/** Milliseconds that one request of a login may take. The user's own time is not part of it. */
const defaultRequestMs = 30_000;

/**
 * Creates the fetch for a login's metadata and tokens, whose URLs the server chooses. For a public server, only public
 * addresses are allowed. For a local or private server, private addresses are allowed as well, but never the metadata
 * services of clouds. Redirects are checked too, and POST requests follow none. The size and the time of each response are
 * limited.
 */
export async function guardMetadata(
  serverUrl: URL,
  next: FetchLike,
  requestMs: number = defaultRequestMs,
): Promise<FetchLike> {
  const guarded = await guardAddresses(serverUrl, next);
  return async (input, init) => {
    const limit = AbortSignal.timeout(requestMs);
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    return cutBody(await guarded(input, { ...init, signal }), maxBytes);
  };
}

async function guardAddresses(serverUrl: URL, next: FetchLike): Promise<FetchLike> {
  const publicGuard = createNetworkGuard();
  if ((await publicGuard.check(serverUrl)).ok) return createGuardedStreamFetch(publicGuard);
  const privateGuard = createNetworkGuard({
    allow: ['0.0.0.0/0', '::/0', ...privateNames.flatMap((name) => [name, `*.${name}`])],
    deny: cloudMetadataHosts,
  });
  return async (input, init) => {
    let at: string | URL = input;
    for (let redirects = 0; ; redirects += 1) {
      const target = await privateGuard.check(at);
      // A custom fetch may resolve hosts that this machine can't.
      if (!target.ok && target.code !== 'HOST_NOT_FOUND') throw new Error(target.message);
      // Redirects are followed here, so that every target is checked.
      const response = await next(at, { ...init, redirect: 'manual' });
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.body?.cancel();
      // A POST body holds codes, assertions and secrets for this endpoint only.
      if ((init?.method ?? 'GET') !== 'GET' || redirects >= maxRedirects)
        throw new Error('refused to follow a redirect during the login');
      at = new URL(location, at);
    }
  };
}
