import { type AuthorizationOptions } from './authorization-options.ts';
import { type HttpGuardOptions } from './http-guard-options.ts';
import type { ServerOptions } from './server-options.ts';

/** Options of {@link createHttpHandler}. */
export interface HttpHandlerOptions extends ServerOptions, HttpGuardOptions {
  /**
   * Tells clients where to log in, and requires scopes for tools. Serves protected-resource metadata (RFC 9728) next to
   * the endpoint, names it in responses with 401, and answers a call that lacks scopes with 403, so that clients ask for
   * more. Requires `authenticate`.
   */
  readonly authorization?: AuthorizationOptions;
  /** Maximum request size in bytes. A larger one gets 413. Default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Whether to respond with JSON only, without streams and progress. Default false. */
  readonly json?: boolean;
  /**
   * Whether legacy clients get sessions, which they need for change notifications and for resuming streams. Without
   * `authenticate`, each session also has its own state, such as files read, todos and grants. Sessions live in this
   * process, so a load balancer has to route them to it. Default false: stateless.
   */
  readonly sessions?: boolean;
}
