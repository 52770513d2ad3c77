import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { IncomingHttpHeaders } from 'node:http';
import { createEnvelopeCheck, modernRevision } from './plain-call-envelope.ts';
import { createLateStream, type PlainResponse } from './late-plain-stream.ts';
import { errorOf, readPlainCall, type Notify } from './plain-call.ts';
import { createPlainCalls } from './run-plain-calls.ts';
import type { ServedSource } from '../served/served-source.ts';

/** Answers calls that need only a tool, without the SDK's objects for each request. */
export interface DirectCalls {
  /** Whether the headers allow a direct call. */
  accepts(headers: IncomingHttpHeaders): boolean;
  /**
   * Answers a call. Returns undefined for every other request, and for calls with more than a name and arguments. These
   * go through the SDK, which also creates all protocol errors.
   */
  answer(
    headers: IncomingHttpHeaders,
    body: unknown,
    address: string,
    signal: AbortSignal,
  ): Promise<Response | PlainResponse> | undefined;
  /** Cancels running calls. */
  close(): void;
}

const jsonTypes: ReadonlySet<unknown> = new Set(['application/json', 'application/json; charset=utf-8']);

/**
 * Creates the answers to plain calls. The SDK creates a server, a transport, a `Request` and a `Response` for each
 * stateless request and validates each message several times. A call that has only the members checked here would pass
 * all of this validation, so it gets the same response without it.
 *
 * @param servesLegacy whether legacy calls need no session.
 */
export function createDirectCalls(
  served: ServedSource,
  servesLegacy: boolean,
  isJsonOnly: boolean,
  onWarning: (error: Error) => void,
): DirectCalls {
  const checkEnvelope = createEnvelopeCheck();
  const calls = createPlainCalls(served);
  const http = {};
  return {
    accepts: (headers) =>
      !calls.isClosed && jsonTypes.has(headers['content-type']) && headers['mcp-session-id'] === undefined,
    answer(headers, body, address, signal) {
      const version = headers['mcp-protocol-version'];
      const isModern = version === modernRevision;
      if (!isModern && !(servesLegacy && isLegacy(version) && acceptsStream(headers))) return undefined;
      const call = readPlainCall(body, isModern, checkEnvelope);
      if (!call || !served.isPlainTool(call.params.name)) return undefined;
      if (isModern && !namesCall(headers, call.params.name)) return undefined;
      const stream = createLateStream(isModern ? 'application/json' : 'text/event-stream', onWarning);
      const notify: Notify = (notification) => {
        if (!isModern || !isJsonOnly) stream.send({ jsonrpc: '2.0', ...notification });
        return Promise.resolve();
      };
      const end = (message: object): void => {
        try {
          stream.end(message);
        } catch (error) {
          stream.end(errorOf(call.id, error));
        }
      };
      void calls.run(call, { http, address }, signal, notify, end);
      return stream.response;
    },
    close: () => calls.close(),
  };
}

/** Whether the headers name the call of the body. Encoded names are left to the SDK. */
function namesCall(headers: IncomingHttpHeaders, name: string): boolean {
  return headers['mcp-method'] === 'tools/call' && headers['mcp-name'] === name && !name.startsWith('=?');
}

function acceptsStream({ accept }: IncomingHttpHeaders): boolean {
  return accept !== undefined && accept.includes('application/json') && accept.includes('text/event-stream');
}

function isLegacy(version: unknown): boolean {
  return version === undefined || (typeof version === 'string' && SUPPORTED_PROTOCOL_VERSIONS.includes(version));
}
