import type { CallContext, Logger, Session } from '@haft/core';
import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type RequestStateCodec,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { cleanLine } from './clean-text.ts';
import { createPeerRound, type PeerRound, type RoundState } from './served-peer.ts';

const longestName = 200;
const protocolKeys = 'io.modelcontextprotocol/';

/** Who sends a request, and how it can be asked. */
export interface ServedSession extends Pick<CallContext, 'sessionId'> {
  readonly session: Session;
  readonly round: PeerRound;
  readonly isModern: boolean;
}

/** Grants for a session are the caller's alone; what the client says of itself is for tools to look at. */
export function sessionOf(
  context: ServerContext,
  server: Pick<Server, 'getClientVersion' | 'getClientCapabilities'>,
  asked: string,
  codec: RequestStateCodec<RoundState>,
  meta?: unknown,
): ServedSession {
  const { sessionId, http, mcpReq } = context;
  const id = http ? `mcp:${http.authInfo?.clientId ?? 'anybody'}` : sessionId;
  // Newer clients say it with every request, older ones once for their connection.
  const said = mcpReq.envelope as Readonly<Record<string, unknown>> | undefined;
  const clientInfo = readClient(said?.[CLIENT_INFO_META_KEY] ?? server.getClientVersion());
  const declared = said?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  const capabilities = isRecord(declared) ? ownCopyOf(declared) : undefined;
  const isModern = said?.[PROTOCOL_VERSION_META_KEY] !== undefined;
  const round = createPeerRound(context, capabilities ?? {}, isModern, codec);
  return {
    round,
    isModern,
    ...(id === undefined ? {} : { sessionId: id }),
    session: {
      id: id ?? '',
      metadata: takeMetadata(meta),
      ...(clientInfo === undefined ? {} : { clientInfo }),
      ...(capabilities ? { capabilities } : {}),
      logger: createPeerLogger(mcpReq, asked),
      ...(round.peer ? { peer: round.peer } : {}),
    },
  };
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
function takeMetadata(meta: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(meta)) return {};
  const own = Object.entries(meta).filter(([key]) => key !== 'progressToken' && !key.startsWith(protocolKeys));
  return own.length === 0 ? {} : copyOf(Object.fromEntries(own));
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
