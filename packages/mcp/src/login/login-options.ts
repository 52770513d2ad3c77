import type { TokenStore } from './token-store.ts';

/** A request for an assertion about this workload. */
export interface AssertionRequest {
  /** The authorization server, which becomes the audience of the assertion. */
  readonly issuer: string;
  /** The MCP server to use. */
  readonly resource: string;
  /** The requested scope; undefined if the server names none. */
  readonly scope: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Configures how to log in at a server over HTTP: by the user (OAuth 2.1, authorization code with PKCE) or by the
 * identity of the workload or of the program itself. Exactly one of `open`, `assertion` and `clientCredentials` is
 * required.
 */
export interface LoginOptions {
  /**
   * Shows a login URL to the user, usually in a browser. Only http and https URLs are passed. Resolves when the URL is
   * shown, not when the login is done. Show the user the host of the server and of the URL.
   */
  readonly open?: (url: URL, signal: AbortSignal) => void | Promise<void>;
  /**
   * Returns the signed token (JWT) by which the platform vouches for this program (RFC 7523, workload identity
   * federation), without a user. A refusal is not retried. Requires `clientId`. For logins that an
   * organization manages, `createIdJagAssertion` creates one.
   */
  readonly assertion?: (request: AssertionRequest) => string | Promise<string>;
  /**
   * Logs in as this program itself, without a user (client credentials). Requires `clientId`, and either a
   * `clientSecret` with its `issuer` or a private key, with which the program signs its identity (`private_key_jwt`).
   */
  readonly clientCredentials?: true | { readonly privateKey: string; readonly algorithm?: string };
  /**
   * Binds tokens to a key of this program (DPoP, RFC 9449) if the authorization server supports it, so that other
   * programs can't use them. The key is never stored: after a restart, tokens of a `store` are useless and the user
   * logs in again.
   */
  readonly dpop?: boolean;
  /** Stores registrations and tokens. Default: in memory. */
  readonly store?: TokenStore;
  /** Program name shown to the user. Default `Haft`. */
  readonly clientName?: string;
  /** Id of a manual registration. Default: `clientMetadataUrl`, or dynamic registration. */
  readonly clientId?: string;
  /**
   * Secret of the manual registration. It is sent to one authorization server only, even if the server names another
   * later: to `issuer` if given, otherwise to the first one that a user logged in with, which `store` remembers.
   */
  readonly clientSecret?: string;
  /**
   * Issuer identifier of the authorization server at which `clientId` and `clientSecret` are registered, such as
   * `https://login.example.com`. A login at another authorization server is refused. Default: the one that the MCP
   * server names. Required for a `clientSecret` without a user.
   */
  readonly issuer?: string;
  /** HTTPS URL of this program's client metadata document. */
  readonly clientMetadataUrl?: string;
  /** Requested scope. Default: the scope that the server names. */
  readonly scope?: string;
  /** Loopback port of the browser callback. Default: a free port. */
  readonly port?: number;
  /** Milliseconds that the user has to log in. Default 300,000. */
  readonly timeoutMs?: number;
}

/** Default of {@link LoginOptions.timeoutMs}. */
export const defaultLoginTimeoutMs = 300_000;
