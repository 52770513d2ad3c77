import type { Readable, Writable } from 'node:stream';
import type { AnyTool, ToolRegistry, ToolSnapshot, ToolSource } from '@haft/core';
import {
  Server,
  type CallToolRequest,
  type CallToolResult,
  type ServerContext,
  type Transport,
} from '@modelcontextprotocol/server';
import { serveStdio as serveProtocol, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { exposeSnapshot } from './exposed-snapshot.ts';
import { createProgressCounter } from './progress-counter.ts';
import { takeStandardOutput } from './protocol-output.ts';
import { describeResult } from './served-result.ts';
import { describeTools } from './served-tools.ts';
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
 * speaks. The list is live; every call takes the road of `dispatch`, permission included; a call that the client cancels is
 * cancelled here. The program goes on when the client has gone: await `closed` and end it.
 */
export function serveStdio(
  source: ToolSource & { readonly registry?: ToolRegistry },
  options: ServeStdioOptions = {},
): StdioServer {
  const { name = 'haft', version = '0.0.0', instructions, onError } = options;
  const guard = options.transport || options.output ? undefined : takeStandardOutput();
  const streams =
    options.transport ?? new StdioServerTransport(options.input ?? process.stdin, options.output ?? guard?.stream);
  const { transport, closed } = tellWhenClosed(streams);
  const servers = new Set<Server>();
  const view = createView(source, options);
  let calls = 0;

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
    server.setRequestHandler('tools/call', (request, context) => {
      calls += 1;
      return runCall(source, view, `mcp-${calls}`, request, context);
    });
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

interface View {
  /** What a client is shown now. */
  visible(): Promise<ToolSnapshot>;
  /** The same with the tools that can't be used just now. */
  all(): ToolSnapshot;
}

function createView(source: ToolSource, { expose, model = { name: 'mcp' } }: ServeStdioOptions): View {
  return {
    visible: async () => exposeSnapshot(await source.visibleTo(model), expose),
    all: () => exposeSnapshot(source.snapshot(), expose),
  };
}

async function runCall(
  source: ToolSource,
  view: View,
  id: string,
  request: CallToolRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const { name, arguments: args = {}, _meta: meta } = request.params;
  const { signal, notify } = context.mcpReq;
  const visible = await view.visible();
  // A tool that can't be used just now is looked up anew: its answer says why it can't.
  const isResting = !visible.has(name) && view.all().has(name);
  const progressToken = meta?.progressToken;
  const step = createProgressCounter();
  const result = await source.dispatch(
    { id, name, arguments: args, stopped: 'stop' },
    {
      signal,
      ...(isResting ? {} : { snapshot: visible }),
      ...(context.sessionId === undefined ? {} : { sessionId: context.sessionId }),
      ...(progressToken === undefined
        ? {}
        : {
            onProgress: (update) => {
              // A client that is gone hears of no progress; its call is cancelled elsewhere.
              notify({ method: 'notifications/progress', params: { progressToken, ...step(update) } }).catch(
                () => undefined,
              );
            },
          }),
    },
  );
  return describeResult(result, visible.get(name));
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
