import { isRecord } from '@haft/core/options';
import {
  classifyInboundRequest,
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
} from '@modelcontextprotocol/server';

type JsonRecord = Readonly<Record<string, unknown>>;

/** The revision of modern clients. */
export const modernRevision = '2026-07-28';

/**
 * Checks a modern client's description of itself in a call.
 *
 * @param body the request.
 * @param meta its `_meta`.
 */
export type EnvelopeCheck = (body: JsonRecord, meta: JsonRecord) => boolean;

const knownKeys: ReadonlySet<string> = new Set([
  PROTOCOL_VERSION_META_KEY,
  CLIENT_INFO_META_KEY,
  CLIENT_CAPABILITIES_META_KEY,
  'progressToken',
]);
/** Maximum number of remembered texts, and their maximum length. */
const maxKnown = 200;
const maxLength = 2_000;

/**
 * Creates a check for clients that tools can't send requests to. A client sends the same description with every call,
 * so the SDK validates each text only once.
 */
export function createEnvelopeCheck(): EnvelopeCheck {
  const known = new Set<string>();
  return (body, meta) => {
    for (const key in meta) if (!knownKeys.has(key)) return false;
    const capabilities = meta[CLIENT_CAPABILITIES_META_KEY];
    const text = JSON.stringify([meta[PROTOCOL_VERSION_META_KEY], meta[CLIENT_INFO_META_KEY], capabilities]);
    if (known.has(text)) return true;
    if (text.length > maxLength || !isRecord(capabilities) || canBeAsked(capabilities)) return false;
    const outcome = classifyInboundRequest({ httpMethod: 'POST', protocolVersionHeader: modernRevision, body });
    if (outcome.kind !== 'modern' || outcome.messageKind !== 'request') return false;
    if (known.size >= maxKnown) known.delete(known.values().next().value ?? '');
    known.add(text);
    return true;
  };
}

/** Whether a tool can send requests to a client. The SDK checks such requests and their answers. */
export function canBeAsked(capabilities: JsonRecord | undefined): boolean {
  const { elicitation, sampling, roots } = capabilities ?? {};
  return elicitation !== undefined || sampling !== undefined || roots !== undefined;
}
