import { createNetworkGuard } from '@haft/sandbox';
import type { FetchLike } from '@modelcontextprotocol/client';
import { createGuardedStreamFetch } from '../http/guarded-stream-fetch.ts';

/** Names that a private network may give its servers. */
const privateNames = ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home', 'corp', 'home.arpa'];

/** Where clouds give credentials to whoever asks; no authorization server is there. */
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

/**
 * Makes the fetch of a login's metadata and tokens, whose addresses the server names: those of a public server come from public
 * addresses alone; a server on this machine or a private network may name others there, but never a place where clouds keep
 * credentials, wherever redirects lead. What is posted follows none.
 */
export async function guardMetadata(serverUrl: URL, next: FetchLike): Promise<FetchLike> {
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
      // A name that nobody knows here may be one that a fetch of the host's own knows.
      if (!target.ok && target.code !== 'HOST_NOT_FOUND') throw new Error(target.message);
      // Whoever follows by itself asks nobody where that leads.
      const response = await next(at, { ...init, redirect: 'manual' });
      const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
      if (location === null) return response;
      await response.body?.cancel();
      // What is posted there is for nobody else: codes, assertions and secrets.
      if ((init?.method ?? 'GET') !== 'GET' || redirects >= maxRedirects)
        throw new Error('a redirect of the login was not followed');
      at = new URL(location, at);
    }
  };
}
