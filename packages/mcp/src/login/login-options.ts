import type { TokenStore } from './token-store.ts';

/** How a person logs in where a server over HTTP wants that (OAuth 2.1, authorization code with PKCE). */
export interface LoginOptions {
  /**
   * Shows an address to the person, in a browser as a rule; http and https alone get here. Resolves when it was shown, not when
   * they are done. Show who wants it: the host of the server and of the address.
   */
  readonly open: (url: URL, signal: AbortSignal) => void | Promise<void>;
  /** Where registrations and tokens are kept; default: for this program's life. */
  readonly store?: TokenStore;
  /** What the person is told the program is called; default `Haft`. */
  readonly clientName?: string;
  /** A registration that was made by hand. Default: the address of `clientMetadataUrl`, or one that is made by the protocol. */
  readonly clientId?: string;
  readonly clientSecret?: string;
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
export const loginTimeoutMs = 300_000;
