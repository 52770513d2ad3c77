import { type HttpGuardOptions } from './http-guard.ts';
import { type ServerOptions } from '../served/served-source.ts';

/** What {@link createHttpHandler} takes besides the tools. */
export interface HttpHandlerOptions extends ServerOptions, HttpGuardOptions {
  /** A request beyond this many bytes is answered with 413; default 4 MiB. */
  readonly maxBodyBytes?: number;
  /** Answer with JSON alone, never with a stream: without progress. Default false. */
  readonly json?: boolean;
  /**
   * Whether clients of the older generation get sessions, so that they hear of changes and can go on with a broken stream.
   * Sessions live in this process: behind a load balancer each must come back to it. Default false, no state at all.
   */
  readonly sessions?: boolean;
}
