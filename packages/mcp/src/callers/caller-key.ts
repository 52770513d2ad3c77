import type { SessionCaller } from '@haft/core/workspace';
import type { AuthInfo } from '@modelcontextprotocol/server';

type Authenticated = Pick<AuthInfo, 'clientId' | 'scopes' | 'extra'>;

/**
 * Returns the session of an authenticated caller. A user (`extra.sub`) has one session per client program; without a
 * user, the client itself is the caller. No two callers have the same key.
 */
export function callerKeyOf({ clientId, extra }: Authenticated): string {
  const user = userOf(extra);
  return user === undefined ? `mcp:${clientId}` : `mcp-user:${JSON.stringify([clientId, ...user])}`;
}

/** Describes an authenticated caller to tools. */
export function describeCaller({ clientId, scopes, extra = {} }: Authenticated): SessionCaller {
  const user = userOf(extra);
  return {
    id: user === undefined ? `client:${clientId}` : `user:${JSON.stringify(user)}`,
    clientId,
    ...(user === undefined ? {} : { subject: user[1] }),
    scopes: Array.isArray(scopes) ? [...scopes] : [],
    claims: extra,
  };
}

/** Returns issuer and subject. A subject is unique only for its issuer. */
function userOf(claims: Readonly<Record<string, unknown>> | undefined): readonly [string, string] | undefined {
  const { iss, sub } = claims ?? {};
  return typeof sub === 'string' && sub !== '' ? [typeof iss === 'string' ? iss : '', sub] : undefined;
}
