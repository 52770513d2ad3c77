import { isRecord } from '@haft/core/options';
import type { Logger, Session } from '@haft/core';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type AuthInfo,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { callerKeyOf, describeCaller } from '../../callers/caller-key.ts';
import { cleanLine } from '../../untrusted/clean-text.ts';
import { createPeerRound, type PeerRound, type RoundState } from './served-peer.ts';

const maxNameLength = 200;
const protocolKeys = 'io.modelcontextprotocol/';

type Peer = Pick<Server, 'getClientVersion' | 'getClientCapabilities'>;
type Envelope = Readonly<Record<string, unknown>> | undefined;

/** The sender of a request, and how to reach it. */
export interface ServedSession {
  /** Session for state such as files read, todos, memory and grants; undefined if the connection is the session. */
  readonly sessionId: string | undefined;
  /** The session that tools see. */
  readonly session: Session;
  readonly isModern: boolean;
  /** The request's rounds; undefined until a tool reads `session.peer`. */
  readonly opened: PeerRound | undefined;
  open(): PeerRound;
}

/** The session of callers that can't be distinguished. */
export const anonymousSession = 'mcp-anonymous';

/**
 * Identifies the sender of a request. The client's description of itself is only passed on to tools, and never used
 * here.
 *
 * @param anonymousId session of a caller without a login and without an HTTP session.
 */
export function sessionOf(
  context: ServerContext,
  server: Peer,
  target: string,
  codec: RequestStateCodec<RoundState>,
  anonymousId: string,
  meta?: unknown,
): ServedSession {
  return new ServedRequest(context, server, target, codec, anonymousId, meta);
}

/**
 * Returns the session of a caller: its own if it is authenticated, else that of its HTTP session. A caller without
 * either gets `anonymousId`. A client can't choose the result, because it can't choose the id of a session.
 */
function findSessionId({ http, sessionId }: ServerContext, anonymousId: string): string | undefined {
  if (http === undefined) return sessionId;
  if (http.authInfo) return callerKeyOf(http.authInfo);
  return sessionId === undefined ? anonymousId : `mcp-session:${sessionId}`;
}

class ServedRequest implements ServedSession {
  readonly sessionId: string | undefined;
  readonly session: Session;
  readonly isModern: boolean;
  opened: PeerRound | undefined;
  readonly #context: ServerContext;
  readonly #codec: RequestStateCodec<RoundState>;

  constructor(
    context: ServerContext,
    server: Peer,
    target: string,
    codec: RequestStateCodec<RoundState>,
    anonymousId: string,
    meta: unknown,
  ) {
    const { mcpReq } = context;
    this.#context = context;
    this.#codec = codec;
    this.sessionId = findSessionId(context, anonymousId);
    // Modern clients identify themselves with every request, legacy ones once per connection.
    const envelope = mcpReq.envelope as Envelope;
    this.isModern = envelope?.[PROTOCOL_VERSION_META_KEY] !== undefined;
    const caller = context.http?.authInfo;
    this.session = new SessionView(this, mcpReq, envelope, server, target, meta, caller) as Session;
  }

  open(): PeerRound {
    const { capabilities = {} } = this.session;
    return (this.opened ??= createPeerRound(this.#context, capabilities, this.isModern, this.#codec));
  }
}

/** Creates a session with lazy members, because most tools do not read them. */
class SessionView {
  readonly id: string;
  readonly #request: ServedRequest;
  readonly #mcpRequest: ServerContext['mcpReq'];
  readonly #envelope: Envelope;
  readonly #server: Peer;
  readonly #target: string;
  readonly #meta: unknown;
  readonly #authInfo: AuthInfo | undefined;
  #caller: Session['caller'];
  #metadata: Session['metadata'] | undefined;
  #clientInfo: Session['clientInfo'] | null = null;
  #capabilities: Session['capabilities'] | null = null;
  #logger: Logger | undefined;

  constructor(
    request: ServedRequest,
    mcpRequest: ServerContext['mcpReq'],
    envelope: Envelope,
    server: Peer,
    target: string,
    meta: unknown,
    authInfo: AuthInfo | undefined,
  ) {
    this.id = request.sessionId ?? '';
    this.#request = request;
    this.#mcpRequest = mcpRequest;
    this.#envelope = envelope;
    this.#server = server;
    this.#target = target;
    this.#meta = meta;
    this.#authInfo = authInfo;
  }

  get caller(): Session['caller'] {
    return this.#authInfo && (this.#caller ??= describeCaller(this.#authInfo));
  }

  get metadata(): Session['metadata'] {
    return (this.#metadata ??= readMetadata(this.#meta));
  }

  get clientInfo(): Session['clientInfo'] {
    if (this.#clientInfo === null)
      this.#clientInfo = readClient(this.#envelope?.[CLIENT_INFO_META_KEY] ?? this.#server.getClientVersion());
    return this.#clientInfo;
  }

  get capabilities(): Session['capabilities'] {
    if (this.#capabilities === null) {
      const declared = this.#envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? this.#server.getClientCapabilities();
      this.#capabilities = isRecord(declared) ? toFrozenCopy(declared) : undefined;
    }
    return this.#capabilities;
  }

  get logger(): Logger {
    return (this.#logger ??= createPeerLogger(this.#mcpRequest, this.#target));
  }

  get peer(): Session['peer'] {
    return this.#request.open().peer;
  }
}

/** Returns a frozen copy for tools. The original belongs to the connection or the request. */
function toFrozenCopy(declared: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const known = frozenCopies.get(declared);
  if (known) return known;
  const copy = freezeAll(cloneJson(declared));
  frozenCopies.set(declared, copy);
  return copy;
}

/** Copies a JSON value. Serializing is the fastest way for these values. */
function cloneJson<Value>(json: Value): Value {
  return JSON.parse(JSON.stringify(json)) as Value;
}

const frozenCopies = new WeakMap<object, Readonly<Record<string, unknown>>>();

function freezeAll<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freezeAll(part);
  return Object.freeze(value);
}

/** Creates a logger that sends a tool's log to the client, subject to the client's log level. */
function createPeerLogger(request: Partial<Pick<ServerContext['mcpReq'], 'log'>>, tool: string): Logger {
  const at =
    (level: 'debug' | 'info' | 'warning' | 'error'): Logger['info'] =>
    (message, data) => {
      // Errors are ignored: the call of a client that disconnected is cancelled elsewhere.
      void request.log?.(level, data === undefined ? message : { message, ...data }, tool).catch(() => undefined);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warning'), error: at('error') };
}

/** Returns the client's metadata without protocol members. It never affects permissions. */
function readMetadata(meta: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(meta)) return {};
  const own = Object.entries(meta).filter(([key]) => key !== 'progressToken' && !key.startsWith(protocolKeys));
  return own.length === 0 ? {} : cloneJson(Object.fromEntries(own));
}

function readClient(given: unknown): Session['clientInfo'] {
  if (!isRecord(given)) return undefined;
  const { name, version, title } = given;
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  const shown = { name: cleanLine(name, maxNameLength), version: cleanLine(version, maxNameLength) };
  return typeof title === 'string' ? { ...shown, title: cleanLine(title, maxNameLength) } : shown;
}
