import {
  failure,
  toolError,
  type CallContext,
  type CallQueue,
  type Session,
  type ToolSnapshot,
  type ToolSource,
} from '@haft/core';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type CallToolRequest,
  type CallToolResult,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { cleanLine } from './clean-text.ts';
import { createProgressCounter } from './progress-counter.ts';
import { describeResult } from './served-result.ts';
import type { ServedView } from './served-tools.ts';

const longestName = 200;

/** Answers one `tools/call` request. Rejects only when the tools can't be looked at. */
export type CallServer = (
  request: CallToolRequest,
  context: ServerContext,
  server: Pick<Server, 'getClientVersion' | 'getClientCapabilities'>,
) => Promise<CallToolResult>;

/**
 * Makes what answers the calls of a server, all of which share one queue. Calls enter it in the order in which they came,
 * however long it takes each to find out which tools can be used.
 */
export function createCallServer(
  source: ToolSource,
  view: ServedView,
  queue: CallQueue,
  onError: (error: Error) => void,
): CallServer {
  let calls = 0;
  let before: Promise<unknown> = Promise.resolve();

  const lookInOrder = (): Promise<ToolSnapshot> => {
    const look = Promise.all([view.visible(), before]).then(([visible]) => visible);
    before = look.catch(() => undefined);
    return look;
  };

  return async (request, context, server) => {
    calls += 1;
    const id = `mcp-${calls}`;
    const { name, arguments: args = {}, _meta: meta } = request.params;
    const { signal, notify } = context.mcpReq;
    const visible = await lookInOrder();
    // A tool that can't be used just now is looked up anew: its answer says why it can't.
    const isResting = !visible.has(name) && view.all().has(name);
    const progressToken = meta?.progressToken;
    const step = createProgressCounter();
    const result = await source.dispatch(
      { id, name, arguments: args, stopped: 'stop' },
      {
        signal,
        queue,
        ...(isResting ? {} : { snapshot: visible }),
        ...sessionOf(context, server),
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
    try {
      return await describeResult(result, visible.get(name));
    } catch (cause) {
      const error = toolError('OUTPUT_INVALID', `the result of ${name} can't be sent`, { cause });
      onError(new Error(error.message, { cause }));
      return describeResult(failure(id, error, { name }), undefined);
    }
  };
}

/** Grants for a session are the caller's alone; what the client says of itself is for tools to look at. */
function sessionOf(
  { sessionId, http, mcpReq }: ServerContext,
  server: Parameters<CallServer>[2],
): Pick<CallContext, 'sessionId' | 'session'> {
  const id = http ? `mcp:${http.authInfo?.clientId ?? 'anybody'}` : sessionId;
  // Newer clients say it with every request, older ones once for their connection.
  const said = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const clientInfo = readClient(said?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
  const capabilities = said?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  return {
    ...(id === undefined ? {} : { sessionId: id }),
    session: {
      id: id ?? '',
      metadata: {},
      ...(clientInfo === undefined ? {} : { clientInfo }),
      ...(isRecord(capabilities) ? { capabilities: structuredClone(capabilities) } : {}),
    },
  };
}

function readClient(given: unknown): Session['clientInfo'] {
  if (!isRecord(given)) return undefined;
  const { name, version, title } = given;
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  const shown = { name: cleanLine(name, longestName), version: cleanLine(version, longestName) };
  return typeof title === 'string' ? { ...shown, title: cleanLine(title, longestName) } : shown;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
