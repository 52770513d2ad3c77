import type { AuthInfo } from '../../protocol/auth-info.ts';

/** Limits who may send requests, and how many. */
export interface HttpGuardOptions {
  /**
   * Host names that requests may use, without port. Default: `localhost` and the loopback addresses. Other hosts are
   * refused, which prevents DNS rebinding by web pages.
   */
  readonly hosts?: readonly string[];
  /**
   * Host names of web pages that may send requests and read responses (CORS). Default: the default of `hosts`. Programs
   * send no `Origin`.
   */
  readonly origins?: readonly string[];
  /**
   * Identifies the sender of a request, or returns a response that refuses it. The SDK's `requireBearerAuth` creates
   * one that checks tokens and their audience. A result without a `clientId` that is not a `Response` is refused with
   * 401 and `WWW-Authenticate: Bearer`; if it is true, a string or an object, `onWarning` is also called, once, or a process warning is emitted. `scopes` and `extra` reach tools as `context.session.caller`, and `extra.sub` with `extra.iss` distinguishes
   * users of one client, so return the claims of the token as `extra`. Default: every request that passes `hosts` and
   * `origins` is accepted. Callers are then distinguished by their HTTP session or their network address.
   */
  readonly authenticate?: (request: Request) => Promise<AuthInfo | Response>;
  /**
   * Requests per minute and caller. Default 600. The same limit applies to failed authentications per address: above
   * it, requests are refused without calling `authenticate`, unless their credentials were accepted within the last ten
   * minutes.
   */
  readonly requestsPerMinute?: number;
}
