import { createCallQueue, type AnyTool, type ToolRegistry, type ToolSource } from '@haft/core';
import { Server } from '@modelcontextprotocol/server';
import { createCallServer } from './served-call.ts';
import { createServedView, describeTools } from './served-tools.ts';

/** What is served, and how: the same over every transport. */
export interface ServedOptions {
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
}

/** Tools to be served: a dispatcher, or what stands for one. */
export type ServableSource = ToolSource & { readonly registry?: ToolRegistry };

/** Tools on their way to clients. */
export interface ServedSource {
  /** Makes the server of one connection, or of one request where there are no connections. */
  makeServer(): Server;
  /** Is told, once for any number of changes in one go; returns how to stop hearing. */
  onChange(listener: () => void): () => void;
  /** Tells those that have listed the tools that they are others now. */
  announce(): void;
}

/**
 * Makes what all servers of one source share: the view on its tools, and the queue in which calls that touch the same wait
 * for one another, whichever clients they come from.
 *
 * @throws HaftError `INVALID_OPTION` when `maxParallel` is no whole number above 0.
 */
export function createServedSource(source: ServableSource, options: ServedOptions): ServedSource {
  const { name = 'haft', version = '0.0.0', instructions, onError, maxParallel = 8 } = options;
  const queue = createCallQueue({ maxParallel });
  const servers = new Set<Server>();
  const view = createServedView(source, options);
  const serveCall = createCallServer(source, view, queue, (error) => onError?.(error));

  return {
    makeServer() {
      const server = new Server(
        { name, version },
        { capabilities: { tools: { listChanged: true } }, ...(instructions === undefined ? {} : { instructions }) },
      );
      server.setRequestHandler('tools/list', async () => {
        const snapshot = await view.visible();
        servers.add(server);
        return { tools: describeTools(snapshot) };
      });
      server.setRequestHandler('tools/call', (request, context) => serveCall(request, context, server));
      const onclose = (): void => void servers.delete(server);
      Object.assign(server, { onclose });
      return server;
    },
    onChange(listener) {
      let pending = false;
      const hear = (): void => {
        if (pending) return;
        pending = true;
        setImmediate(() => {
          pending = false;
          listener();
        });
      };
      return options.onChange?.(hear) ?? source.registry?.onChange(hear) ?? ((): void => undefined);
    },
    announce() {
      for (const server of servers) server.sendToolListChanged().catch((error: unknown) => onError?.(error as Error));
    },
  };
}
