import { createNetworkGuard } from '@haft/sandbox';
import type { FetchLike } from '@modelcontextprotocol/client';
import { createGuardedStreamFetch } from '../guarded-stream-fetch.ts';

/** Names that a private network may give its servers. */
const privateNames = ['localhost', 'local', 'localdomain', 'internal', 'intranet', 'lan', 'home', 'corp', 'home.arpa'];

/** Where clouds give credentials to whoever asks; no authorization server is there. */
const credentialPlaces = [
  '169.254.0.0/16',
  'fe80::/10',
  'fd00:ec2::/32',
  '100.100.100.200',
  '168.63.129.16',
  'metadata.google.internal',
  'metadata.goog',
];

/**
 * Makes the fetch of a login's metadata and tokens, whose addresses the server names: those of a public server come from public
 * addresses alone; a server on this machine or a private network may name others there, but never a place where clouds keep
 * credentials.
 */
export async function guardMetadata(serverUrl: URL, next: FetchLike): Promise<FetchLike> {
  const open = createNetworkGuard();
  if ((await open.check(serverUrl)).ok) return createGuardedStreamFetch(open);
  const near = createNetworkGuard({
    allow: ['0.0.0.0/0', '::/0', ...privateNames.flatMap((name) => [name, `*.${name}`])],
    deny: credentialPlaces,
  });
  return async (input, init) => {
    const target = await near.check(input);
    // A name that nobody knows here may be one that a fetch of the host's own knows.
    if (!target.ok && target.code !== 'HOST_NOT_FOUND') throw new Error(target.message);
    return next(input, init);
  };
}
