import { randomUUID } from 'node:crypto';
import {
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type EventStore,
  type Server,
} from '@modelcontextprotocol/server';

/** Sessions of the older generation, which outlive a request. */
export interface LegacySessions {
  /** @param body what the request's body says, where it was read already. */
  handle(request: Request, caller: AuthInfo | undefined, body?: unknown): Promise<Response>;
  close(): Promise<void>;
}

interface LegacySession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly owner: string | undefined;
  lastUsed: number;
}

const maxSessions = 1_000;
const idleMs = 30 * 60_000;
/** Events of a session that a client can ask for again after its stream broke. */
const maxEvents = 1_000;

/**
 * Makes a keeper of sessions. A session belongs to the caller that began it: with its id alone nobody else can use it. The one
 * that was used longest ago makes room when there are too many, and one that was not used for half an hour is forgotten.
 */
export function createLegacySessions(
  makeServer: () => Server,
  maxRequestBodySize: number,
  onError: (error: Error) => void,
): LegacySessions {
  const sessions = new Map<string, LegacySession>();

  const drop = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.transport.close();
  };
  const tidy = (): void => {
    const oldest = Date.now() - idleMs;
    for (const [id, { lastUsed }] of sessions) {
      if (lastUsed >= oldest && sessions.size <= maxSessions) break;
      drop(id).catch(onError);
    }
  };

  const begin = async (request: Request, caller: AuthInfo | undefined, body: unknown): Promise<Response> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      maxRequestBodySize,
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, owner: caller?.clientId, lastUsed: Date.now() });
        tidy();
      },
      onsessionclosed: drop,
    });
    const server = makeServer();
    await server.connect(transport);
    const response = await transport.handleRequest(request, optionsOf(caller, body));
    // What was no greeting has begun nothing.
    if (transport.sessionId === undefined) await transport.close();
    return response;
  };

  return {
    async handle(request, caller, body) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return begin(request, caller, body);
      const session = sessions.get(id);
      if (!session || session.owner !== caller?.clientId) return unknownSession();
      session.lastUsed = Date.now();
      sessions.delete(id);
      sessions.set(id, session);
      return session.transport.handleRequest(request, optionsOf(caller, body));
    },
    async close() {
      await Promise.all([...sessions.keys()].map(drop));
    },
  };
}

function optionsOf(
  caller: AuthInfo | undefined,
  parsedBody: unknown,
): { readonly authInfo?: AuthInfo; readonly parsedBody?: unknown } {
  return { ...(caller ? { authInfo: caller } : {}), ...(parsedBody === undefined ? {} : { parsedBody }) };
}

function unknownSession(): Response {
  const error = { code: -32_001, message: 'there is no such session; begin another with initialize' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}

/** Keeps the last events of one session in memory, so that a stream that broke can be gone on with. */
function createEventStore(): EventStore {
  const events = new Map<
    string,
    { readonly streamId: string; readonly message: Parameters<EventStore['storeEvent']>[1] }
  >();
  let stored = 0;
  return {
    storeEvent(streamId, message) {
      stored += 1;
      const id = `${streamId}_${stored}`;
      events.set(id, { streamId, message });
      if (events.size > maxEvents) events.delete(events.keys().next().value ?? '');
      return Promise.resolve(id);
    },
    getStreamIdForEventId: (id) => Promise.resolve(events.get(id)?.streamId),
    async replayEventsAfter(last, { send }) {
      const streamId = events.get(last)?.streamId ?? '';
      const ids = [...events.keys()];
      for (const id of ids.slice(ids.indexOf(last) + 1)) {
        const event = events.get(id);
        if (event && event.streamId === streamId) await send(id, event.message);
      }
      return streamId;
    },
  };
}
