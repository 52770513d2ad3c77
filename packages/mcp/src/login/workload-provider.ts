import {
  createPrivateKeyJwtAuth,
  type DpopSession,
  type FetchLike,
  type OAuthClientProvider,
} from '@modelcontextprotocol/client';
import { cleanLine } from '../untrusted/clean-text.ts';
import { McpError } from '../mcp-error.ts';
import { registeredClient, type ProviderStore } from './registered-client.ts';
import type { LoginOptions } from './login-options.ts';

const jwtBearer = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const clientCredentialsGrant = 'client_credentials';

/** The OAuth provider of one workload login. */
export interface WorkloadProvider extends OAuthClientProvider {
  /** Wraps a fetch to record the reason of a refusal. */
  watchRefusal(next: FetchLike): FetchLike;
  /** Whether the authorization server refused the request. False if it was unreachable or busy. */
  isRefused(): boolean;
}

/**
 * Creates the provider of a login without a user. Either the platform vouches for the program, or the program proves
 * its own identity.
 */
export function createWorkloadProvider(
  options: LoginOptions,
  store: ProviderStore,
  dpop: Promise<DpopSession> | undefined,
  signal: AbortSignal,
): WorkloadProvider {
  const { clientName = 'Haft', clientId = '', clientSecret, scope: wanted, clientCredentials } = options;
  const signed = clientCredentials === true ? undefined : clientCredentials;
  let issuer = '';
  let resource = '';
  let isAsked = false;
  let refusal = 'no reason given';
  let isRefused = false;
  return {
    redirectUrl: undefined,
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [],
      grant_types: [clientCredentials === undefined ? jwtBearer : clientCredentialsGrant],
      token_endpoint_auth_method: signed
        ? 'private_key_jwt'
        : clientSecret === undefined
          ? 'none'
          : 'client_secret_basic',
      ...(wanted === undefined ? {} : { scope: wanted }),
    },
    clientInformation: async (context) => registeredClient(options, context?.issuer ?? '', await store.approved()),
    tokens: (context) => store.tokens(context?.issuer),
    saveTokens: (tokens, context) => store.saveTokens(tokens, context?.issuer ?? ''),
    saveAuthorizationServerUrl: (url) => void (issuer = url),
    saveResourceUrl: (url) => void (resource = url),
    ...(dpop ? { dpop: () => dpop } : {}),
    ...(signed
      ? {
          addClientAuthentication: createPrivateKeyJwtAuth({
            issuer: clientId,
            subject: clientId,
            privateKey: signed.privateKey,
            alg: signed.algorithm ?? 'ES256',
          }),
        }
      : {}),
    watchRefusal: (next) => async (input, init) => {
      const response = await next(input, init);
      if (init?.method !== 'POST' || response.ok) return response;
      isRefused = response.status < 500 && response.status !== 429;
      refusal = cleanLine(await response.clone().text(), 200);
      return response;
    },
    isRefused: () => isRefused,
    async prepareTokenRequest(scope) {
      // The SDK retries a refused request, but the same assertion would be refused again.
      if (isAsked) throw new Error(`the authorization server refused a token for this program: ${refusal}`);
      isAsked = true;
      const scopes: Readonly<Record<string, string>> = scope === undefined ? {} : { scope };
      if (!options.assertion) return new URLSearchParams({ grant_type: clientCredentialsGrant, ...scopes });
      const assertion = await options.assertion({ issuer, resource, scope, signal });
      if (typeof assertion !== 'string' || assertion === '')
        throw new McpError('INVALID_OPTION', 'login.assertion must resolve to a non-empty string, the signed token');
      return new URLSearchParams({ grant_type: jwtBearer, assertion, ...scopes });
    },
    redirectToAuthorization: () => Promise.reject(new Error('a workload login never redirects a user')),
    saveCodeVerifier: () => undefined,
    codeVerifier: () => '',
    invalidateCredentials: () => undefined,
  };
}
