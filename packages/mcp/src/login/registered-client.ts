import { type StoredOAuthClientInformation, type StoredOAuthTokens } from '@modelcontextprotocol/client';
import { cleanLine } from '../untrusted/clean-text.ts';
import { McpError } from '../mcp-error.ts';
import { type LoginOptions } from './login-options.ts';

/** What is kept for one server. */
export interface ProviderStore {
  /** The first authorization server by which somebody has logged in. */
  approved(): Promise<string | undefined>;
  tokens(issuer?: string): Promise<StoredOAuthTokens | undefined>;
  saveTokens(tokens: StoredOAuthTokens, issuer: string): Promise<void>;
  client(issuer: string): Promise<StoredOAuthClientInformation | undefined>;
  saveClient(client: StoredOAuthClientInformation, issuer: string): Promise<void>;
  forget(what: 'tokens' | 'client'): Promise<void>;
}

/**
 * The registration that was made by hand, for an authorization server that may know of it.
 *
 * @param approved the first one by which somebody has logged in.
 * @throws McpError `INVALID_OPTION` for another than it was made for.
 */
export function registeredClient(
  { clientId = '', clientSecret, issuer }: LoginOptions,
  asking: string,
  approved: string | undefined,
): StoredOAuthClientInformation {
  const known = issuer ?? (clientSecret === undefined ? undefined : approved);
  if (known !== undefined && known !== asking) {
    const why =
      issuer === undefined
        ? `login.clientSecret was used with ${cleanLine(known, 200)} first; name the one that it is for with login.issuer`
        : `login.issuer is ${cleanLine(known, 200)}`;
    throw new McpError(
      'INVALID_OPTION',
      `the server wants a login by ${cleanLine(asking, 200)}, which is refused: ${why}`,
    );
  }
  // With its issuer it is not taken for one of another.
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    issuer: asking,
  };
}
