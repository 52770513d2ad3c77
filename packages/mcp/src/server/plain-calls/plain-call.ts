import { isRecord } from '@haft/core/options';
import {
  isCallToolResult,
  ProtocolErrorCode,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { CallAnswer } from '../served/served-call.ts';
import type { EnvelopeCheck } from './plain-call-envelope.ts';

type JsonRecord = Readonly<Record<string, unknown>>;

/** A call with no more than a name, arguments and a progress token. */
export interface PlainCall {
  readonly id: string | number;
  readonly params: {
    readonly name: string;
    readonly arguments?: Record<string, unknown>;
    readonly _meta?: { readonly progressToken: string | number };
  };
  /** The client's description of itself; undefined for a legacy client. */
  readonly envelope: JsonRecord | undefined;
}

/** Sends a notification that belongs to a call. */
export type Notify = (notification: { readonly method: string; readonly params: object }) => Promise<void>;

const callKeys: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params']);
const paramKeys: ReadonlySet<string> = new Set(['name', 'arguments', '_meta']);
const legacyMetaKeys: ReadonlySet<string> = new Set(['progressToken']);

/**
 * Returns the call that a message makes, or undefined if it is another message or has a member that the SDK has to
 * handle. The SDK accepts each message that is a plain call.
 */
export function readPlainCall(body: unknown, isModern: boolean, checkEnvelope: EnvelopeCheck): PlainCall | undefined {
  if (!isRecord(body) || !hasOnly(body, callKeys)) return undefined;
  const { jsonrpc, id, method, params } = body;
  if (jsonrpc !== '2.0' || method !== 'tools/call' || !isId(id)) return undefined;
  if (!isRecord(params) || !hasOnly(params, paramKeys)) return undefined;
  const { name, arguments: args, _meta: meta } = params;
  if (typeof name !== 'string') return undefined;
  if (args !== undefined && (!isRecord(args) || Object.hasOwn(args, '__proto__'))) return undefined;
  if (meta !== undefined && !isRecord(meta)) return undefined;
  const progressToken = meta?.['progressToken'];
  if (progressToken !== undefined && !isId(progressToken)) return undefined;
  if (isModern ? !meta || !checkEnvelope(body, meta) : meta && !hasOnly(meta, legacyMetaKeys)) return undefined;
  return {
    id,
    params: {
      name,
      ...(args === undefined ? {} : { arguments: args }),
      ...(progressToken === undefined ? {} : { _meta: { progressToken } }),
    },
    envelope: isModern ? meta : undefined,
  };
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function hasOnly(value: JsonRecord, keys: ReadonlySet<string>): boolean {
  for (const key in value) if (!keys.has(key)) return false;
  return true;
}

/** Creates the members of a call's context that calls read. */
export function contextOf(
  { id, envelope }: PlainCall,
  signal: AbortSignal,
  notify: Notify,
  where: Pick<ServerContext, 'http' | 'sessionId'>,
): ServerContext {
  const mcpReq = {
    id,
    method: 'tools/call',
    signal,
    ...(envelope ? { envelope } : {}),
    requestState: () => undefined,
    notify,
    // The call of a modern client that wants log messages says so, and is not plain.
    log: (level: string, data: unknown, logger?: string) =>
      envelope ? Promise.resolve() : notify({ method: 'notifications/message', params: { level, data, logger } }),
  };
  return { mcpReq, ...where } as unknown as ServerContext;
}

/** Creates the response to a call. Throws if a client would reject it. */
export function responseOf({ id, envelope }: PlainCall, answer: CallAnswer, identity: object): object {
  if (!isTextOnly(answer) && !isCallToolResult(answer))
    throw Object.assign(new Error('Invalid tools/call result'), { code: ProtocolErrorCode.InvalidParams });
  const result = envelope ? { ...answer, resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: identity } } : answer;
  return { result, jsonrpc: '2.0', id };
}

/** Whether a result has nothing but text, which needs no further check. */
function isTextOnly(answer: CallAnswer): boolean {
  const { content, structuredContent, isError: _isError, ...rest } = answer as JsonRecord;
  return (
    structuredContent === undefined && Object.keys(rest).length === 0 && Array.isArray(content) && content.every(isText)
  );
}

function isText(block: unknown): boolean {
  return isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string';
}

/** Creates the response to a call that could not be made. */
export function errorOf(id: string | number, thrown: unknown): object {
  const {
    code,
    message = 'Internal error',
    data,
  } = (thrown ?? {}) as { readonly code?: unknown; readonly message?: string; readonly data?: unknown };
  const error = {
    code: Number.isSafeInteger(code) ? code : ProtocolErrorCode.InternalError,
    message,
    ...(data === undefined ? {} : { data }),
  };
  return { jsonrpc: '2.0', id, error };
}
