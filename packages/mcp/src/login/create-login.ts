import { registeredClient } from './registered-client.ts';
import type { ProviderStore } from './registered-client.ts';
import { randomBytes } from 'node:crypto';
import {
  auth,
  computeScopeUnion,
  DpopSession,
  extractWWWAuthenticateParams,
  withDpop,
  type FetchLike,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
} from '@modelcontextprotocol/client';
import { cleanLine } from '../untrusted/clean-text.ts';
import { guardMetadata } from './guard-metadata.ts';
import { defaultLoginTimeoutMs, type LoginOptions } from './login-options.ts';
import { createLoopbackCallback, type LoopbackCallback } from './loopback-callback.ts';
import { shareLogin } from './login-lock.ts';
import { createMemoryTokenStore, type TokenStore } from './token-store.ts';
import { createWorkloadProvider } from './workload-provider.ts';

/** Maximum logins per request, so that a server that keeps requesting more scopes can't cause an endless loop. */
const maxLogins = 3;

/**
 * Creates a fetch wrapper that adds the user's token to requests and starts a login when the server requires one. The
 * SDK does discovery, registration, PKCE and the checks of issuer and resource. Credentials are stored by issuer. URLs
 * from a public server have to be public as well.
 *
 * @param onToken called with every token before it is sent.
 */
export function createLogin(
  options: LoginOptions,
  serverUrl: URL,
  onToken: (token: string) => void = () => undefined,
): (next: FetchLike) => FetchLike {
  const { timeoutMs = defaultLoginTimeoutMs } = options;
  const dpop = options.dpop ? dpopSessionOf(options) : undefined;
  const tokenStore = tokenStoreOf(options);
  /** Scopes that were asked for because the server reported insufficient scope, since the last login. */
  const steppedUp = new Set<string>();
  let refused: unknown;

  const logIn = async (next: FetchLike, response: Response, grantedScope: string | undefined): Promise<void> => {
    const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
    const isStepUp = response.status === 403;
    const wanted = isStepUp ? computeScopeUnion(grantedScope, scope) : scope;
    const signal = AbortSignal.timeout(timeoutMs);
    const authOptions = {
      serverUrl,
      fetchFn: await guardMetadata(serverUrl, next),
      ...(resourceMetadataUrl ? { resourceMetadataUrl } : {}),
      ...(wanted === undefined ? {} : { scope: wanted }),
    };
    if (options.assertion || options.clientCredentials !== undefined) {
      const store = createProviderStore(options, serverUrl);
      const provider = createWorkloadProvider(options, store, dpop, signal);
      try {
        await auth(provider, { ...authOptions, fetchFn: provider.watchRefusal(authOptions.fetchFn) });
      } catch (error) {
        // A failure that is not a refusal may be temporary, so a later request tries again.
        if (provider.isRefused()) refused = error;
        throw error;
      }
      return;
    }
    const callback = await createLoopbackCallback(options.port ?? 0);
    try {
      const state = randomBytes(24).toString('base64url');
      const provider = createProvider(options, serverUrl, callback, state, dpop, signal);
      if ((await auth(provider, { ...authOptions, forceReauthorization: isStepUp })) === 'AUTHORIZED') return;
      const answer = await provider.answer();
      const code = answer.get('code');
      const iss = answer.get('iss') ?? undefined;
      if (code === null)
        throw new Error(`the login was refused: ${cleanLine(answer.get('error') ?? 'no reason given', 100)}`);
      await auth(provider, { ...authOptions, authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
    } finally {
      await callback.close();
    }
  };

  return (next) => async (input, init) => {
    const store = createProviderStore(options, serverUrl);
    let hasSteppedUp = false;
    for (let logins = 0; ; logins += 1) {
      const tokens = await store.tokens();
      if (tokens)
        for (const token of [tokens.access_token, tokens.refresh_token, tokens.id_token]) onToken(token ?? '');
      const headers = new Headers(init?.headers);
      // Never send a token to another origin.
      const isOwnServer = tokens !== undefined && new URL(input).origin === serverUrl.origin;
      if (isOwnServer) headers.set('authorization', `Bearer ${tokens.access_token}`);
      const isBound = isOwnServer && tokens.token_type.toLowerCase() === 'dpop';
      const send = dpop && isBound ? withDpop(await dpop, () => tokens.access_token)(next) : next;
      const response = await send(input, { ...init, headers });
      const isUnauthorized = response.status === 401;
      const { error, scope } = extractWWWAuthenticateParams(response);
      const needsMoreScope = response.status === 403 && error === 'insufficient_scope';
      if ((!isUnauthorized && !needsMoreScope) || logins >= maxLogins) return response;
      // A server that keeps reporting insufficient scope would open the browser again and again.
      const wanted = scopesOf(computeScopeUnion(tokens?.scope, scope));
      if (needsMoreScope && (steppedUp.has(wanted) || hasSteppedUp)) return response;
      // Ending a session must not start a login.
      if (init?.method === 'DELETE') return response;
      if (refused !== undefined) throw refused;
      await response.body?.cancel();
      const used = tokens?.access_token;
      await shareLogin(tokenStore, serverUrl.href, AbortSignal.timeout(timeoutMs), async () => {
        const current = await store.tokens();
        // Another connection or process has renewed the token.
        if (current !== undefined && current.access_token !== used) return;
        await logIn(next, response, current?.scope);
        if (isUnauthorized) steppedUp.clear();
        else steppedUp.add(wanted);
        // A login that was started by another request may lack the scopes of this one.
        hasSteppedUp = needsMoreScope;
      });
    }
  };
}

/** Returns scopes in a fixed order, without duplicates. */
function scopesOf(scope: string | undefined): string {
  return (scope ?? '').split(/\s+/).toSorted().join(' ');
}

/** DPoP keys, by the options object that their tokens belong to. */
const sessions = new WeakMap<LoginOptions, Promise<DpopSession>>();

function dpopSessionOf(options: LoginOptions): Promise<DpopSession> {
  const session = sessions.get(options) ?? DpopSession.create();
  sessions.set(options, session);
  return session;
}

/** Stores for login options without a `store`, by the options object. */
const defaultStores = new WeakMap<LoginOptions, TokenStore>();

function tokenStoreOf(options: LoginOptions): TokenStore {
  const store = options.store ?? defaultStores.get(options) ?? createMemoryTokenStore();
  if (!options.store) defaultStores.set(options, store);
  return store;
}

function createProviderStore(options: LoginOptions, serverUrl: URL): ProviderStore {
  const store = tokenStoreOf(options);
  const server = serverUrl.href;
  const key = (what: string, issuer: string): string => JSON.stringify([what, server, issuer]);
  const lastKey = JSON.stringify(['issuer', server]);
  const approvedKey = JSON.stringify(['approved', server]);
  const read = async <Value>(at: string): Promise<Value | undefined> => {
    const text = await store.get(at);
    return text === undefined ? undefined : (JSON.parse(text) as Value);
  };
  const approved = async (): Promise<string | undefined> => {
    const first = await store.get(approvedKey);
    if (first !== undefined) return first;
    const last = await store.get(lastKey);
    return last !== undefined && (await store.get(key('tokens', last))) !== undefined ? last : undefined;
  };
  return {
    approved,
    async tokens(issuer) {
      const last = issuer ?? (await store.get(lastKey));
      return last === undefined ? undefined : read(key('tokens', last));
    },
    async saveTokens(tokens, issuer) {
      await store.set(approvedKey, (await approved()) ?? issuer);
      await store.set(key('tokens', issuer), JSON.stringify(tokens));
      await store.set(lastKey, issuer);
    },
    client: (issuer) => read(key('client', issuer)),
    async saveClient(client, issuer) {
      await store.set(key('client', issuer), JSON.stringify(client));
      await store.set(lastKey, issuer);
    },
    async forget(what) {
      const issuer = await store.get(lastKey);
      if (issuer !== undefined) await store.delete(key(what, issuer));
    },
  };
}

interface LoginProvider extends OAuthClientProvider {
  /** Resolves to the parameters of the browser's callback. */
  answer(): Promise<URLSearchParams>;
}

/** Creates the OAuth provider of one login. */
function createProvider(
  options: LoginOptions,
  serverUrl: URL,
  callback: LoopbackCallback,
  state: string,
  dpop: Promise<DpopSession> | undefined,
  signal: AbortSignal,
): LoginProvider {
  const { clientName = 'Haft', clientId, clientSecret, clientMetadataUrl, scope } = options;
  const store = createProviderStore(options, serverUrl);
  let verifier = '';
  let discovered: OAuthDiscoveryState | undefined;
  let answer: Promise<URLSearchParams> | undefined;
  return {
    redirectUrl: callback.url,
    ...(clientMetadataUrl === undefined ? {} : { clientMetadataUrl }),
    clientMetadata: {
      client_name: clientName,
      redirect_uris: [callback.url],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      ...(clientSecret === undefined ? {} : { token_endpoint_auth_method: 'client_secret_basic' }),
      ...(scope === undefined ? {} : { scope }),
    },
    state: () => state,
    ...(dpop ? { dpop: () => dpop } : {}),
    async clientInformation(context) {
      if (clientId !== undefined) return registeredClient(options, context?.issuer ?? '', await store.approved());
      const kept = context && (await store.client(context.issuer));
      // A client registered for another port can't use this one.
      const uris = (kept as { readonly redirect_uris?: readonly string[] } | undefined)?.redirect_uris;
      return uris && !uris.includes(callback.url) && options.port !== undefined ? undefined : kept;
    },
    // A manual registration belongs to the user and is never saved.
    saveClientInformation: (client, context) =>
      clientId === undefined ? store.saveClient(client, context?.issuer ?? '') : undefined,
    tokens: (context) => store.tokens(context?.issuer),
    saveTokens: (tokens, context) => store.saveTokens(tokens, context?.issuer ?? ''),
    async redirectToAuthorization(url) {
      if (url.protocol !== 'https:' && url.protocol !== 'http:')
        throw new Error(
          `the server sent a login URL with the scheme ${cleanLine(url.protocol, 20)} (expected https: or http:)`,
        );
      answer = callback.wait(state, signal);
      // Prevents an unhandled rejection. answer() reports the error.
      answer.catch(() => undefined);
      await options.open?.(url, signal);
    },
    saveCodeVerifier: (given) => void (verifier = given),
    codeVerifier: () => verifier,
    saveDiscoveryState: (given) => void (discovered = given),
    discoveryState: () => discovered,
    async invalidateCredentials(what) {
      if (what === 'all' || what === 'tokens') await store.forget('tokens');
      if (what === 'all' || what === 'client') await store.forget('client');
      if (what === 'all' || what === 'discovery') discovered = undefined;
    },
    answer: () => answer ?? Promise.reject(new Error('the login was not started')),
  };
}
