import { requestJwtAuthorizationGrant } from '@modelcontextprotocol/client';
import { checkOptions, functionKind, required, stringKind, urlKind, type OptionTable } from '@haft/core/options';
import { invalidOption } from '../mcp-error.ts';
import type { LoginOptions } from './login-options.ts';

/** Options of {@link createIdJagAssertion}. */
export interface IdJagOptions {
  /** Token endpoint of the organization's identity provider. */
  readonly tokenEndpoint: string;
  /** Id and secret of this program at the identity provider. */
  readonly clientId: string;
  readonly clientSecret?: string;
  /** Returns the user's ID token of the identity provider. Called for each login. */
  readonly idToken: (signal: AbortSignal) => string | Promise<string>;
  /** Sends the request to the identity provider. Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

const table: OptionTable<IdJagOptions> = {
  tokenEndpoint: required(urlKind()),
  clientId: required(stringKind),
  clientSecret: stringKind,
  idToken: required(functionKind),
  fetch: functionKind,
};

/**
 * Creates the `assertion` of a login that an organization manages: the user's sign-in at its identity provider is
 * exchanged for an identity assertion (ID-JAG) for the authorization server of the MCP server, and this one for a token.
 * The user sees no login. The identity provider decides which servers are allowed.
 *
 * @throws McpError `INVALID_OPTION` for a missing or unknown option.
 */
export function createIdJagAssertion(options: IdJagOptions): NonNullable<LoginOptions['assertion']> {
  const example = '{ tokenEndpoint: "https://login.example.com/token", clientId: "agent", idToken: () => … }';
  checkOptions('createIdJagAssertion', options, table, example, invalidOption);
  const { tokenEndpoint, clientId, clientSecret, idToken, fetch: send = globalThis.fetch } = options;
  return async ({ issuer, resource, scope, signal }) => {
    const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
      tokenEndpoint,
      audience: issuer,
      resource,
      idToken: await idToken(signal),
      clientId,
      ...(clientSecret === undefined ? {} : { clientSecret }),
      ...(scope === undefined ? {} : { scope }),
      fetchFn: (input, init) => send(input, { ...init, signal }),
    });
    return jwtAuthGrant;
  };
}
