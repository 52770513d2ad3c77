import type { Readable, Writable } from 'node:stream';
import type { Transport } from '../../protocol/transport.ts';
import { type HttpHandlerOptions } from './http-handler-options.ts';
import type { ServerOptions } from './server-options.ts';

/** Options of {@link serve}. */
export interface ServeOptions extends ServerOptions {
  /** Listens for Streamable HTTP instead of using standard input and output. */
  readonly http?: ListenOptions;
  /** Stream to read from. Default: standard input. */
  readonly input?: Readable;
  /**
   * Stream to write to. Default: standard output. In that case, `process.stdout.write` writes to standard error until
   * the client disconnects, so that `console.log` can't corrupt messages.
   */
  readonly output?: Writable;
  /** Maximum size of a client's message over streams, in bytes. A larger one is refused. Default 64 MiB. */
  readonly maxMessageBytes?: number;
  /** A transport of the SDK instead of streams, such as one half of its in-memory pair. */
  readonly transport?: Transport;
}

/** Options for listening over HTTP. */
export interface ListenOptions extends Omit<HttpHandlerOptions, keyof ServerOptions> {
  /** Port to listen on. Default 0: a free port. */
  readonly port?: number;
  /** Address to listen on. Default `127.0.0.1`. For any other, set `hosts`, and `authenticate` callers. */
  readonly host?: string;
  /** Path of the endpoint. Default `/mcp`. */
  readonly path?: string;
  /** Milliseconds that running requests may take when the server is closed. Default 1,000. */
  readonly drainTimeoutMs?: number;
}
