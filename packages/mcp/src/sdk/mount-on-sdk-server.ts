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
import { invalidOption } from '../mcp-error.ts';
import { createCallServer } from '../server/served/served-call.ts';
import { createRoundCodec } from '../server/served/served-peer.ts';
import { anonymousSession } from '../server/served/served-session.ts';
import type { ServableSource, ServerOptions } from '../server/options/server-options.ts';
import { createServedView, describeTools } from '../server/served/served-tools.ts';

/** An `McpServer` or `Server` of SDK 1.x. */
export type SdkServer = McpServer | SdkLowServer;

/** Options of {@link mountOnSdkServer}. */
export type MountOptions = Pick<ServerOptions, 'expose' | 'model' | 'maxParallel' | 'onChange' | 'onWarning'>;

/** Tools mounted on an existing server. */
export interface MountedTools {
  /** Stops list-change notifications. The tools stay mounted. */
  close(): void;
}

type Extra = Parameters<Parameters<SdkLowServer['setRequestHandler']>[1]>[1];

/**
 * Serves tools on an `McpServer` of `@modelcontextprotocol/sdk` 1.x. Call it once, before the server connects. As with
 * `serve`, the list is live, every call goes through `dispatch`, and conflicting calls wait for one another.
 *
 * The server can't have other tools: define them with `defineTool` and pass them in `source`. Its prompts and resources
 * stay. After mounting, `registerTool` of the SDK throws.
 *
 * @throws McpError `INVALID_OPTION` if the server already has tools, its own or mounted ones, or is connected. The
 * server stays unchanged.
 */
export function mountOnSdkServer(server: SdkServer, source: ServableSource, options: MountOptions = {}): MountedTools {
  const { onWarning, maxParallel = 8 } = options;
  const low = 'server' in server ? server.server : server;
  checkServer(low);
  const view = createServedView(source, options);
  const report = (error: unknown): void => onWarning?.(error instanceof Error ? error : new Error(String(error)));
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
    async (request, extra) =>
      (await serveCall(request.params, contextOf(extra), client, anonymousSession)) as unknown as CallToolResult,
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

function checkServer(low: SdkLowServer): void {
  if (low.transport) throw invalidOption('server: is already connected (mount the tools before you call `connect`)');
  try {
    for (const { shape } of [ListToolsRequestSchema, CallToolRequestSchema])
      low.assertCanSetRequestHandler(shape.method.value);
  } catch {
    throw invalidOption(
      'server: already has tools, which mounting would remove ' +
        '(define all tools with `defineTool`, pass them in one source and mount it once, on a server without tools)',
    );
  }
}

/** Converts the context of a request to that of SDK 2.x. */
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
