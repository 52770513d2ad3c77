import { type StoredOAuthClientInformation, type StoredOAuthTokens } from '@modelcontextprotocol/client';
import { cleanLine } from '../untrusted/clean-text.ts';
import { McpError } from '../mcp-error.ts';
import { type LoginOptions } from './login-options.ts';

/** Stored credentials of one server. */
export interface ProviderStore {
  /** The first authorization server that the user logged in with. */
  approved(): Promise<string | undefined>;
  tokens(issuer?: string): Promise<StoredOAuthTokens | undefined>;
  saveTokens(tokens: StoredOAuthTokens, issuer: string): Promise<void>;
  client(issuer: string): Promise<StoredOAuthClientInformation | undefined>;
  saveClient(client: StoredOAuthClientInformation, issuer: string): Promise<void>;
  forget(what: 'tokens' | 'client'): Promise<void>;
}

/**
 * Returns the manually registered client for an authorization server.
 *
 * @param approved the first authorization server that the user logged in with.
 * @throws McpError `INVALID_OPTION` if the registration belongs to another authorization server.
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
        ? `login.clientSecret was first used with ${cleanLine(known, 200)}; set login.issuer to the authorization server it belongs to`
        : `login.issuer is ${cleanLine(known, 200)}`;
    throw new McpError('INVALID_OPTION', `refused a login at ${cleanLine(asking, 200)}: ${why}`);
  }
  // With an issuer, the SDK refuses to use the client with another authorization server.
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    issuer: asking,
  };
}
