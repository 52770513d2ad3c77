import type { Logger, Session } from '@haft/core';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { cleanLine } from '../../untrusted/clean-text.ts';
import { createPeerRound, type PeerRound, type RoundState } from './served-peer.ts';

const maxNameLength = 200;
const protocolKeys = 'io.modelcontextprotocol/';

type Peer = Pick<Server, 'getClientVersion' | 'getClientCapabilities'>;
type Envelope = Readonly<Record<string, unknown>> | undefined;

/** Who sends a request, and how it can be asked. */
export interface ServedSession {
  /** Whose grants count; absent where there are no callers of their own. */
  readonly sessionId: string | undefined;
  /** What tools see of it. */
  readonly session: Session;
  readonly isModern: boolean;
  /** The rounds of the request; absent as long as no tool has looked what its client can be asked. */
  readonly opened: PeerRound | undefined;
  open(): PeerRound;
}

/** Finds out who sends a request. What the client says of itself is for tools to look at. */
export function sessionOf(
  context: ServerContext,
  server: Peer,
  asked: string,
  codec: RequestStateCodec<RoundState>,
  meta?: unknown,
): ServedSession {
  return new Request(context, server, asked, codec, meta);
}

class Request implements ServedSession {
  readonly sessionId: string | undefined;
  readonly session: Session;
  readonly isModern: boolean;
  opened: PeerRound | undefined;
  readonly #context: ServerContext;
  readonly #codec: RequestStateCodec<RoundState>;

  constructor(
    context: ServerContext,
    server: Peer,
    asked: string,
    codec: RequestStateCodec<RoundState>,
    meta: unknown,
  ) {
    const { sessionId, http, mcpReq } = context;
    this.#context = context;
    this.#codec = codec;
    // Grants for a session are the caller's alone.
    this.sessionId = http ? `mcp:${http.authInfo?.clientId ?? 'anybody'}` : sessionId;
    // Newer clients say who they are with every request, older ones once for their connection.
    const envelope = mcpReq.envelope as Envelope;
    this.isModern = envelope?.[PROTOCOL_VERSION_META_KEY] !== undefined;
    this.session = new SessionView(this, mcpReq, envelope, server, asked, meta) as Session;
  }

  open(): PeerRound {
    const { capabilities = {} } = this.session;
    return (this.opened ??= createPeerRound(this.#context, capabilities, this.isModern, this.#codec));
  }
}

/** A session whose members are made when they are first read, since most tools read none of them. */
class SessionView {
  readonly id: string;
  readonly #request: Request;
  readonly #sent: ServerContext['mcpReq'];
  readonly #envelope: Envelope;
  readonly #server: Peer;
  readonly #asked: string;
  readonly #meta: unknown;
  #metadata: Session['metadata'] | undefined;
  #clientInfo: Session['clientInfo'] | null = null;
  #capabilities: Session['capabilities'] | null = null;
  #logger: Logger | undefined;

  constructor(
    request: Request,
    sent: ServerContext['mcpReq'],
    envelope: Envelope,
    server: Peer,
    asked: string,
    meta: unknown,
  ) {
    this.id = request.sessionId ?? '';
    this.#request = request;
    this.#sent = sent;
    this.#envelope = envelope;
    this.#server = server;
    this.#asked = asked;
    this.#meta = meta;
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
      this.#capabilities = isRecord(declared) ? ownCopyOf(declared) : undefined;
    }
    return this.#capabilities;
  }

  get logger(): Logger {
    return (this.#logger ??= createPeerLogger(this.#sent, this.#asked));
  }

  get peer(): Session['peer'] {
    return this.#request.open().peer;
  }
}

/** Tools look at it and change nothing: it is that of a connection, for all its calls, or that of one request. */
function ownCopyOf(declared: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const known = copies.get(declared);
  if (known) return known;
  const copy = freezeAll(copyOf(declared));
  copies.set(declared, copy);
  return copy;
}

/** All of it came as JSON, of which this is the cheapest copy. */
function copyOf<Value>(json: Value): Value {
  return JSON.parse(JSON.stringify(json)) as Value;
}

const copies = new WeakMap<object, Readonly<Record<string, unknown>>>();

function freezeAll<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freezeAll(part);
  return Object.freeze(value);
}

/** What a tool logs goes to its client, as far as that wants to hear of it. */
function createPeerLogger(request: Partial<Pick<ServerContext['mcpReq'], 'log'>>, tool: string): Logger {
  const at =
    (level: 'debug' | 'info' | 'warning' | 'error'): Logger['info'] =>
    (message, data) => {
      // A client that is gone hears nothing; its call is cancelled elsewhere.
      void request.log?.(level, data === undefined ? message : { message, ...data }, tool).catch(() => undefined);
    };
  return { debug: at('debug'), info: at('info'), warn: at('warning'), error: at('error') };
}

/** What the client sent along, but for what is the protocol's own: a trace context, say. It decides about no rights. */
function readMetadata(meta: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(meta)) return {};
  const own = Object.entries(meta).filter(([key]) => key !== 'progressToken' && !key.startsWith(protocolKeys));
  return own.length === 0 ? {} : copyOf(Object.fromEntries(own));
}

function readClient(given: unknown): Session['clientInfo'] {
  if (!isRecord(given)) return undefined;
  const { name, version, title } = given;
  if (typeof name !== 'string' || typeof version !== 'string') return undefined;
  const shown = { name: cleanLine(name, maxNameLength), version: cleanLine(version, maxNameLength) };
  return typeof title === 'string' ? { ...shown, title: cleanLine(title, maxNameLength) } : shown;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
