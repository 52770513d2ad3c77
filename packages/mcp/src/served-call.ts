import { failure, toolError, type CallQueue, type ToolSnapshot, type ToolSource } from '@haft/core';
import {
  MissingRequiredClientCapabilityError,
  type CallToolRequest,
  type CallToolResult,
  type InputRequiredResult,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { createProgressCounter } from './progress-counter.ts';
import type { RoundState } from './served-peer.ts';
import { describeResult } from './served-result.ts';
import { sessionOf } from './served-session.ts';
import type { ServedView } from './served-tools.ts';

/** Facilities that a tool may require of its client. */
const askable: ReadonlySet<string> = new Set(['elicitation', 'sampling', 'roots']);

/** Answers one `tools/call` request. Rejects only when the tools can't be looked at. */
export type CallServer = (
  request: CallToolRequest,
  context: ServerContext,
  server: Pick<Server, 'getClientVersion' | 'getClientCapabilities'>,
) => Promise<CallToolResult | InputRequiredResult>;

/**
 * Makes what answers the calls of a server, all of which share one queue. Calls enter it in the order in which they came,
 * however long it takes each to find out which tools can be used.
 */
export function createCallServer(
  source: ToolSource,
  view: ServedView,
  queue: CallQueue,
  codec: RequestStateCodec<RoundState>,
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
    const { round, isModern, ...session } = sessionOf(context, server, name, codec, meta);
    const wanted = (visible.get(name)?.traits.requires ?? []).filter(
      (facility) => askable.has(facility) && session.session.capabilities?.[facility] === undefined,
    );
    if (wanted.length > 0 && isModern)
      throw new MissingRequiredClientCapabilityError({
        requiredCapabilities: Object.fromEntries(wanted.map((facility) => [facility, {}])),
      });
    const result = await source.dispatch(
      { id, name, arguments: args, stopped: 'stop' },
      {
        signal,
        queue,
        ...(isResting ? {} : { snapshot: visible }),
        ...session,
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
      const pending = await round.pending();
      if (pending) return pending;
      return await describeResult(result, visible.get(name));
    } catch (cause) {
      const error = toolError('OUTPUT_INVALID', `the result of ${name} can't be sent`, { cause });
      onError(new Error(error.message, { cause }));
      return describeResult(failure(id, error, { name }), undefined);
    }
  };
}
