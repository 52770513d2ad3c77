import { createCallQueue } from '@haft/core';
import type { Server as SdkLowServer } from '@modelcontextprotocol/sdk/server/index.js';
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  CreateMessageResultSchema,
  ElicitResultSchema,
  ListRootsResultSchema,
  ListToolsRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js';
import type { ServerContext } from '@modelcontextprotocol/server';
import { createCallServer } from '../server/served/served-call.ts';
import { createRoundCodec } from '../server/served/served-peer.ts';
import type { ServableSource, ServerOptions } from '../server/served/served-source.ts';
import { createServedView, describeTools } from '../server/served/served-tools.ts';

/** An `McpServer` or `Server` of the SDK's first generation. */
export type SdkServer = McpServer | SdkLowServer;

/** What {@link mountOnSdkServer} takes besides the tools. */
export type MountOptions = Pick<ServerOptions, 'expose' | 'model' | 'maxParallel' | 'onChange' | 'onError'>;

/** Tools that are served by a server of somebody else's. */
export interface MountedTools {
  /** Tells the client of changes no more; the tools stay mounted. */
  close(): void;
}

type Extra = Parameters<Parameters<SdkLowServer['setRequestHandler']>[1]>[1];

/**
 * Serves tools by an `McpServer` of `@modelcontextprotocol/sdk` 1.x that has none of its own, before it is connected. As with
 * `serve`, the list is live, every call takes the road of `dispatch`, and calls that touch the same wait for one another.
 *
 * @throws what the SDK throws when the server is connected already.
 */
export function mountOnSdkServer(server: SdkServer, source: ServableSource, options: MountOptions = {}): MountedTools {
  const { onError, maxParallel = 8 } = options;
  const low = 'server' in server ? server.server : server;
  const view = createServedView(source, options);
  const report = (error: unknown): void => onError?.(error instanceof Error ? error : new Error(String(error)));
  const serveCall = createCallServer(
    source,
    view,
    createCallQueue({ maxParallel }),
    createRoundCodec(undefined),
    report,
  );
  const client = {
    getClientVersion: () => low.getClientVersion(),
    getClientCapabilities: () => low.getClientCapabilities(),
  } as Parameters<typeof serveCall>[2];
  let isListed = false;

  low.registerCapabilities({ tools: { listChanged: true }, logging: {} });
  low.setRequestHandler(ListToolsRequestSchema, async () => {
    isListed = true;
    return { tools: describeTools(await view.visible()) };
  });
  low.setRequestHandler(
    CallToolRequestSchema,
    async (request, extra) => (await serveCall(request.params, contextOf(extra), client)) as unknown as CallToolResult,
  );

  let isPending = false;
  const onToolsChanged = (): void => {
    if (isPending || !isListed) return;
    isPending = true;
    setImmediate(() => {
      isPending = false;
      if (low.transport) low.sendToolListChanged().catch(report);
    });
  };
  const stop =
    options.onChange?.(onToolsChanged) ?? source.registry?.onChange(onToolsChanged) ?? ((): void => undefined);
  return { close: stop };
}

/** The circumstances of a request, as the newer generation of the SDK has them. */
function contextOf(extra: Extra): ServerContext {
  const { signal, sessionId, authInfo, requestInfo, requestId, _meta: meta } = extra;
  const notify = (notification: unknown): Promise<void> =>
    extra.sendNotification(notification as Parameters<Extra['sendNotification']>[0]);
  const ask = (method: string, params: unknown, schema: unknown): Promise<unknown> =>
    extra.sendRequest({ method, params } as never, schema as never);
  const context = {
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(requestInfo === undefined ? {} : { http: { authInfo } }),
    mcpReq: {
      id: requestId,
      method: 'tools/call',
      _meta: meta,
      signal,
      notify,
      log: (level: string, data: unknown, logger?: string) =>
        notify({ method: 'notifications/message', params: { level, data, logger } }),
      elicitInput: (params: unknown) => ask('elicitation/create', params, ElicitResultSchema),
      requestSampling: (params: unknown) => ask('sampling/createMessage', params, CreateMessageResultSchema),
      send: ({ method }: { readonly method: string }) => ask(method, undefined, ListRootsResultSchema),
      requestState: () => undefined,
    },
  };
  return context as unknown as ServerContext;
}
