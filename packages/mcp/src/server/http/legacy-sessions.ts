import { randomUUID } from 'node:crypto';
import {
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type EventStore,
  type Server,
} from '@modelcontextprotocol/server';
import { callerKeyOf } from '../../callers/caller-key.ts';

/** Sessions of legacy clients, which span requests. */
export interface LegacySessions {
  /**
   * Handles a request.
   *
   * @param address sender of the request. Identifies callers without a client id.
   * @param body parsed body, if it was already read.
   */
  handle(request: Request, caller: AuthInfo | undefined, address: string, body?: unknown): Promise<Response>;
  close(): Promise<void>;
}

interface LegacySession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly owner: string | undefined;
  /** Key of the caller's session limit. */
  readonly account: string;
  lastUsed: number;
}

/** Maximum sessions per caller. */
const maxSessionsPerCaller = 100;
const maxSessions = 1_000;
const idleMs = 30 * 60_000;
/** Maximum stored events per session, for clients that resume a broken stream. */
const maxEvents = 1_000;
/** Maximum size of a session's stored events, in characters. */
const maxEventCharacters = 4 * 1024 * 1024;

/**
 * Creates a store of sessions. A session belongs to the caller who started it; its id alone does not give access. When
 * a caller has too many, its least recently used session is closed. When all callers together have too many, a caller
 * without a session gets 503. Sessions expire after half an hour without use.
 */
export function createLegacySessions(
  createServer: () => Server,
  maxRequestBodySize: number,
  onWarning: (error: Error) => void,
): LegacySessions {
  const sessions = new Map<string, LegacySession>();

  const closeSession = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.transport.close();
  };
  const accountOf = (caller: AuthInfo | undefined, address: string): string =>
    caller === undefined ? `address ${address}` : `caller ${callerKeyOf(caller)}`;
  /** Makes room for one more session of a caller. Returns false if that would close a session of another caller. */
  const evictSession = (account: string): boolean => {
    const oldest = Date.now() - idleMs;
    for (const [id, { lastUsed }] of sessions) {
      if (lastUsed >= oldest) break;
      closeSession(id).catch(onWarning);
    }
    const own = [...sessions].filter(([, session]) => session.account === account);
    if (own.length < maxSessionsPerCaller && sessions.size < maxSessions) return true;
    const [first] = own;
    if (first === undefined) return false;
    closeSession(first[0]).catch(onWarning);
    return true;
  };

  const startSession = async (
    request: Request,
    caller: AuthInfo | undefined,
    address: string,
    body: unknown,
  ): Promise<Response> => {
    const account = accountOf(caller, address);
    // Checked first, because a new caller has to wait at the limit.
    if (sessions.size >= maxSessions && !evictSession(account)) return tooManySessions();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      maxRequestBodySize,
      onsessioninitialized: (id) => {
        evictSession(account);
        sessions.set(id, { transport, owner: caller && callerKeyOf(caller), account, lastUsed: Date.now() });
      },
      onsessionclosed: closeSession,
    });
    const server = createServer();
    await server.connect(transport);
    const response = await transport.handleRequest(request, optionsOf(caller, body));
    // A request other than `initialize` started no session.
    if (transport.sessionId === undefined) await transport.close();
    return response;
  };

  return {
    async handle(request, caller, address, body) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return startSession(request, caller, address, body);
      const session = sessions.get(id);
      if (!session || session.owner !== (caller && callerKeyOf(caller))) return unknownSession();
      session.lastUsed = Date.now();
      sessions.delete(id);
      sessions.set(id, session);
      return session.transport.handleRequest(request, optionsOf(caller, body));
    },
    async close() {
      await Promise.all([...sessions.keys()].map(closeSession));
    },
  };
}

function optionsOf(
  caller: AuthInfo | undefined,
  parsedBody: unknown,
): { readonly authInfo?: AuthInfo; readonly parsedBody?: unknown } {
  return { ...(caller ? { authInfo: caller } : {}), ...(parsedBody === undefined ? {} : { parsedBody }) };
}

function tooManySessions(): Response {
  const error = { code: -32_000, message: 'too many sessions are open; try again later' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 503, headers: { 'retry-after': '60' } });
}

function unknownSession(): Response {
  const error = { code: -32_001, message: 'session not found; start a new one with initialize' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}

/** Creates an in-memory store of a session's last events, for resuming a broken stream. */
function createEventStore(): EventStore {
  const events = new Map<
    string,
    { readonly streamId: string; readonly message: Parameters<EventStore['storeEvent']>[1]; readonly size: number }
  >();
  let eventCount = 0;
  let totalCharacters = 0;
  return {
    storeEvent(streamId, message) {
      eventCount += 1;
      const id = `${streamId}_${eventCount}`;
      const size = JSON.stringify(message).length;
      events.set(id, { streamId, message, size });
      totalCharacters += size;
      for (const [first, event] of events) {
        if (events.size <= maxEvents && totalCharacters <= maxEventCharacters) break;
        events.delete(first);
        totalCharacters -= event.size;
      }
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
