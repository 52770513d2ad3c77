import type { TokenStore } from './token-store.ts';

/** For whom a workload is to be vouched. */
export interface AssertionRequest {
  /** The authorization server, for which the assertion has to be made out. */
  readonly issuer: string;
  /** The server that is to be used. */
  readonly resource: string;
  /** What is asked for; undefined when the server doesn't say. */
  readonly scope: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * How a person logs in where a server over HTTP wants that (OAuth 2.1, authorization code with PKCE), or how a program does that
 * has an identity of its own where it runs. One of `open` and `assertion` is needed.
 */
export interface LoginOptions {
  /**
   * Shows an address to the person, in a browser as a rule; http and https alone get here. Resolves when it was shown, not when
   * they are done. Show who wants it: the host of the server and of the address.
   */
  readonly open?: (url: URL, signal: AbortSignal) => void | Promise<void>;
  /**
   * Instead of a person: gives the signed token (JWT) by which the platform vouches for this program (RFC 7523, workload identity
   * federation). A refusal is final: nothing else is tried, and it is not tried again. Needs `clientId`.
   */
  readonly assertion?: (question: AssertionRequest) => string | Promise<string>;
  /**
   * Binds tokens to a key of this program (DPoP, RFC 9449), so that nobody else can use them, where the authorization server
   * can do that. The key is never written: tokens of a `store` are no good to the next program, which logs in again.
   */
  readonly dpop?: boolean;
  /** Where registrations and tokens are kept; default: for this program's life. */
  readonly store?: TokenStore;
  /** What the person is told the program is called; default `Haft`. */
  readonly clientName?: string;
  /** A registration that was made by hand. Default: the address of `clientMetadataUrl`, or one that is made by the protocol. */
  readonly clientId?: string;
  /**
   * The secret of that registration. It goes to one authorization server alone, whatever server is named later: the one that `issuer`
   * names, or else the first by which a person has logged in, which `store` remembers.
   */
  readonly clientSecret?: string;
  /**
   * The authorization server that `clientId` and `clientSecret` are known to, as it calls itself, such as `https://login.example.com`;
   * a login by another is refused. Default: whichever the server names. A secret that is used with `assertion` needs it.
   */
  readonly issuer?: string;
  /** Where the program describes itself to authorization servers that look there (https). */
  readonly clientMetadataUrl?: string;
  /** What is asked for; default: what the server says. */
  readonly scope?: string;
  /** Port of the loopback address that the browser comes back to; default a free one. */
  readonly port?: number;
  /** Milliseconds that a person has; default 300,000. */
  readonly timeoutMs?: number;
}

/** Milliseconds that a person has to log in, when nothing else is said. */
export const defaultLoginTimeoutMs = 300_000;
