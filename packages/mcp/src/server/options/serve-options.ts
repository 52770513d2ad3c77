import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/server';
import { type HttpHandlerOptions } from './http-handler-options.ts';
import { type ServerOptions } from '../served/served-source.ts';

/** What {@link serve} takes besides the tools. */
export interface ServeOptions extends ServerOptions {
  /** Listens for Streamable HTTP instead of speaking over standard input and output. */
  readonly http?: ListenOptions;
  /** Default: standard input. */
  readonly input?: Readable;
  /**
   * Default: standard output. Until the client has gone, `process.stdout.write` of the whole program then writes to standard
   * error, so that no `console.log` ends up in the middle of a message.
   */
  readonly output?: Writable;
  /** A message of the client over streams beyond this many bytes is refused; default 64 MiB. */
  readonly maxMessageBytes?: number;
  /** Instead of streams: any transport of the SDK, such as one half of its in-memory pair. */
  readonly transport?: Transport;
}

/** Where to listen, and for whom. */
export interface ListenOptions extends Omit<HttpHandlerOptions, keyof ServerOptions> {
  /** Default 0: one that is free. */
  readonly port?: number;
  /** Default `127.0.0.1`. For another, say by which `hosts` the server may be asked for, and `authenticate` callers. */
  readonly host?: string;
  /** Default `/mcp`. */
  readonly path?: string;
  /** Milliseconds that requests which are under way may still take when the server is closed; default 1,000. */
  readonly drainTimeoutMs?: number;
}
