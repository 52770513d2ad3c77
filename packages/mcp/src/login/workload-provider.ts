import type { DpopSession, FetchLike, OAuthClientProvider } from '@modelcontextprotocol/client';
import { cleanLine } from '../untrusted/clean-text.ts';
import { McpError } from '../mcp-error.ts';
import { registeredClient, type ProviderStore } from './registered-client.ts';
import type { LoginOptions } from './login-options.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';

/** A provider for one login. */
export interface WorkloadProvider extends OAuthClientProvider {
  /** Puts around a fetch what hears why no token is given. */
  watchRefusal(next: FetchLike): FetchLike;
  /** Whether the authorization server has said no, and not merely been out of reach or too busy. */
  isRefused(): boolean;
}

/** Makes the provider of a login without a person: the platform vouches for the program. */
export function createWorkloadProvider(
  options: LoginOptions & Required<Pick<LoginOptions, 'assertion'>>,
  store: ProviderStore,
  dpop: Promise<DpopSession> | undefined,
  signal: AbortSignal,
): WorkloadProvider {
  const { clientName = 'Haft', clientSecret, scope: wanted } = options;
  let issuer = '';
  let resource = '';
  let isAsked = false;
  let refusal = 'no reason';
  let isRefused = false;
  return {
    redirectUrl: undefined,
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [],
      grant_types: [jwtBearer],
      token_endpoint_auth_method: clientSecret === undefined ? 'none' : 'client_secret_basic',
      ...(wanted === undefined ? {} : { scope: wanted }),
    },
    clientInformation: async (context) => registeredClient(options, context?.issuer ?? '', await store.approved()),
    tokens: (context) => store.tokens(context?.issuer),
    saveTokens: (tokens, context) => store.saveTokens(tokens, context?.issuer ?? ''),
    saveAuthorizationServerUrl: (url) => void (issuer = url),
    saveResourceUrl: (url) => void (resource = url),
    ...(dpop ? { dpop: () => dpop } : {}),
    watchRefusal: (next) => async (input, init) => {
      const response = await next(input, init);
      if (init?.method !== 'POST' || response.ok) return response;
      isRefused = response.status < 500 && response.status !== 429;
      refusal = cleanLine(await response.clone().text(), 200);
      return response;
    },
    isRefused: () => isRefused,
    async prepareTokenRequest(scope) {
      // The SDK tries again what was refused; an assertion that is no good does not become better.
      if (isAsked) throw new Error(`the authorization server gives this program no token: ${refusal}`);
      isAsked = true;
      const assertion = await options.assertion({ issuer, resource, scope, signal });
      if (typeof assertion !== 'string' || assertion === '')
        throw new McpError('INVALID_OPTION', 'login.assertion must resolve to a signed token, a text');
      return new URLSearchParams({ grant_type: jwtBearer, assertion, ...(scope === undefined ? {} : { scope }) });
    },
    redirectToAuthorization: () => Promise.reject(new Error('no person is asked')),
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
    invalidateCredentials: () => undefined,
  };
}
