import { randomUUID } from 'node:crypto';
import {
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type EventStore,
  type Server,
} from '@modelcontextprotocol/server';

/** Sessions of the older generation, which outlive a request. */
export interface LegacySessions {
  /**
   * @param address where the request came from, by which callers without a name of their own are told apart.
   * @param body what the request's body says, where it was read already.
   */
  handle(request: Request, caller: AuthInfo | undefined, address: string, body?: unknown): Promise<Response>;
  close(): Promise<void>;
}

interface LegacySession {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  readonly owner: string | undefined;
  /** Whose limit it counts against. */
  readonly account: string;
  lastUsed: number;
}

/** Sessions of one caller. */
const maxOfCaller = 100;
const maxSessions = 1_000;
const idleMs = 30 * 60_000;
/** Events of a session that a client can ask for again after its stream broke. */
const maxEvents = 1_000;
/** What the events of one session may hold together, in characters. */
const maxEventCharacters = 4 * 1024 * 1024;

/**
 * Makes a keeper of sessions. A session belongs to the caller that began it: with its id alone nobody else can use it. Of a caller
 * that has too many, the one that was used longest ago makes room; a caller never takes the place of another's. Where there are
 * too many of all callers, a caller that has none is told to come back. One that was not used for half an hour is forgotten.
 */
export function createLegacySessions(
  createServer: () => Server,
  maxRequestBodySize: number,
  onError: (error: Error) => void,
): LegacySessions {
  const sessions = new Map<string, LegacySession>();

  const drop = async (id: string): Promise<void> => {
    const session = sessions.get(id);
    sessions.delete(id);
    await session?.transport.close();
  };
  const accountOf = (caller: AuthInfo | undefined, address: string): string =>
    caller === undefined ? `address ${address}` : `caller ${caller.clientId}`;
  /** Makes room for one more session of an account. False where only others could give it. */
  const makeRoom = (account: string): boolean => {
    const oldest = Date.now() - idleMs;
    for (const [id, { lastUsed }] of sessions) {
      if (lastUsed >= oldest) break;
      drop(id).catch(onError);
    }
    const own = [...sessions].filter(([, session]) => session.account === account);
    if (own.length < maxOfCaller && sessions.size < maxSessions) return true;
    const [first] = own;
    if (first === undefined) return false;
    drop(first[0]).catch(onError);
    return true;
  };

  const begin = async (
    request: Request,
    caller: AuthInfo | undefined,
    address: string,
    body: unknown,
  ): Promise<Response> => {
    const account = accountOf(caller, address);
    // Looked at before anything is made: a greeting has to wait where others fill all places.
    if (sessions.size >= maxSessions && !makeRoom(account)) return noRoom();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventStore(),
      maxRequestBodySize,
      onsessioninitialized: (id) => {
        makeRoom(account);
        sessions.set(id, { transport, owner: caller?.clientId, account, lastUsed: Date.now() });
      },
      onsessionclosed: drop,
    });
    const server = createServer();
    await server.connect(transport);
    const response = await transport.handleRequest(request, optionsOf(caller, body));
    // What was no greeting has begun nothing.
    if (transport.sessionId === undefined) await transport.close();
    return response;
  };

  return {
    async handle(request, caller, address, body) {
      const id = request.headers.get('mcp-session-id');
      if (id === null) return begin(request, caller, address, body);
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

function noRoom(): Response {
  const error = { code: -32_000, message: 'too many sessions are open; begin another later' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 503, headers: { 'retry-after': '60' } });
}

function unknownSession(): Response {
  const error = { code: -32_001, message: 'there is no such session; begin another with initialize' };
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 });
}

/** Keeps the last events of one session in memory, so that a stream that broke can be gone on with. */
function createEventStore(): EventStore {
  const events = new Map<
    string,
    { readonly streamId: string; readonly message: Parameters<EventStore['storeEvent']>[1]; readonly size: number }
  >();
  let stored = 0;
  let held = 0;
  return {
    storeEvent(streamId, message) {
      stored += 1;
      const id = `${streamId}_${stored}`;
      const size = JSON.stringify(message).length;
      events.set(id, { streamId, message, size });
      held += size;
      for (const [first, event] of events) {
        if (events.size <= maxEvents && held <= maxEventCharacters) break;
        events.delete(first);
        held -= event.size;
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
