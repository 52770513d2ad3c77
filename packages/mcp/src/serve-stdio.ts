import type { Readable, Writable } from 'node:stream';
import { createCallQueue, type AnyTool, type ToolRegistry, type ToolSource } from '@haft/core';
import { Server, type Transport } from '@modelcontextprotocol/server';
import { serveStdio as serveProtocol, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { takeStandardOutput } from './protocol-output.ts';
import { createCallServer } from './served-call.ts';
import { createServedView, describeTools } from './served-tools.ts';
import { tellWhenClosed } from './tell-when-closed.ts';

/** What {@link serveStdio} takes besides the tools. */
export interface ServeStdioOptions {
  /** What the server calls itself; default `haft`. */
  readonly name?: string;
  readonly version?: string;
  /** Told to clients as help for their models. */
  readonly instructions?: string;
  /** Which tools clients see and may call; default all that are visible. */
  readonly expose?: (tool: AnyTool, provider: string) => boolean;
  /** The model that tools with `supportedModels` are matched against; default one named `mcp`. */
  readonly model?: { readonly name: string; readonly vendor?: string };
  /** How many calls run at once; default 8. */
  readonly maxParallel?: number;
  /** Tells of changes of the tools; default: the source's own registry, when it has one. */
  readonly onChange?: (listener: () => void) => () => void;
  /** Hears what goes wrong beside the calls. */
  readonly onError?: (error: Error) => void;
  /** Default: standard input. */
  readonly input?: Readable;
  /**
   * Default: standard output. Until the client has gone, `process.stdout.write` of the whole program then writes to standard
   * error, so that no `console.log` ends up in the middle of a message.
   */
  readonly output?: Writable;
  /** Instead of streams: any transport of the SDK, such as one half of its in-memory pair. */
  readonly transport?: Transport;
}

/** A server that is running. */
export interface StdioServer {
  /** Resolves when the client has gone or `close` was called. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/**
 * Serves tools to one MCP client over standard input and output, in whichever generation of the protocol the client
 * speaks. The list is live; every call takes the road of `dispatch`, permission included; calls that touch the same wait
 * for one another in the order in which they came, whichever requests they came with; a call that the client cancels is
 * cancelled here, also while it waits. The program goes on when the client has gone: await `closed` and end it.
 *
 * @throws HaftError `INVALID_OPTION` when `maxParallel` is no whole number above 0.
 */
export function serveStdio(
  source: ToolSource & { readonly registry?: ToolRegistry },
  options: ServeStdioOptions = {},
): StdioServer {
  const { name = 'haft', version = '0.0.0', instructions, onError, maxParallel = 8 } = options;
  const queue = createCallQueue({ maxParallel });
  const guard = options.transport || options.output ? undefined : takeStandardOutput();
  const streams =
    options.transport ?? new StdioServerTransport(options.input ?? process.stdin, options.output ?? guard?.stream);
  const { transport, closed } = tellWhenClosed(streams);
  const servers = new Set<Server>();
  const view = createServedView(source, options);
  const serveCall = createCallServer(source, view, queue, (error) => onError?.(error));

  const serveOne = (): Server => {
    const server = new Server(
      { name, version },
      { capabilities: { tools: { listChanged: true } }, ...(instructions === undefined ? {} : { instructions }) },
    );
    server.setRequestHandler('tools/list', async () => {
      const snapshot = await view.visible();
      servers.add(server);
      return { tools: describeTools(snapshot) };
    });
    server.setRequestHandler('tools/call', serveCall);
    return server;
  };

  const stopHearing = hearChanges(source, options, () => {
    for (const server of servers) server.sendToolListChanged().catch((error: unknown) => onError?.(error as Error));
  });
  const ended = closed.then(() => {
    stopHearing();
    return guard?.release();
  });
  const handle = serveProtocol(serveOne, { transport, ...(onError ? { onerror: onError } : {}) });
  return {
    closed: ended,
    async close() {
      await handle.close();
      await transport.close().catch(() => undefined);
      await ended;
    },
  };
}

/** Any number of changes in one go become one notification. */
function hearChanges(
  source: { readonly registry?: ToolRegistry },
  options: ServeStdioOptions,
  tell: () => void,
): () => void {
  let pending = false;
  const listener = (): void => {
    if (pending) return;
    pending = true;
    setImmediate(() => {
      pending = false;
      tell();
    });
  };
  return options.onChange?.(listener) ?? source.registry?.onChange(listener) ?? ((): void => undefined);
}
