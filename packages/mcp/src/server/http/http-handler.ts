import type { HttpHandlerOptions } from '../options/http-handler-options.ts';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler, isLegacyRequest, type McpRequestContext, type Server } from '@modelcontextprotocol/server';
import { checkHandlerOptions } from '../options/check-serve-options.ts';
import { cleanLine } from '../../untrusted/clean-text.ts';
import { createAuthorizationAnswers } from './authorization.ts';
import { createHttpGuard } from './http-guard.ts';
import { limitEventStream } from '../../flow/limit-event-stream.ts';
import { allowOrigin, answerPreflight } from './cross-origin.ts';
import { createDirectCalls } from '../plain-calls/plain-http-calls.ts';
import { createLegacySessions } from './legacy-sessions.ts';
import { createNodeListener, readWebRequest, type ReadRequest } from './node-listener.ts';
import type { ServableSource } from '../options/server-options.ts';
import { createServedSource } from '../served/served-source.ts';

const headerMismatch = -32_020;

/** Serves tools to HTTP requests. */
export interface HttpHandler {
  /** Handles one request, for hono, Deno, Bun and other servers that use `Request` and `Response`. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Handles one request of `node:http` or express. */
  readonly listener: (request: IncomingMessage, response: ServerResponse) => void;
  /** Closes streams and sessions. */
  close(): Promise<void>;
}

/**
 * Serves tools over Streamable HTTP on one endpoint, in both protocol eras. Host, origin, caller and rate limit are
 * checked before a request is read. Calls go through `dispatch`, permission included, in the session of their caller:
 * `mcp:<client id>` if the caller is authenticated, else one session per HTTP session (`sessions: true`), else one per
 * network address.
 *
 * @throws HaftError `INVALID_OPTION` when `maxParallel` is not a positive integer. McpError `INVALID_OPTION` for an
 * unknown option, an option of the wrong type, or an invalid source.
 */
export function createHttpHandler(source: ServableSource, options: HttpHandlerOptions = {}): HttpHandler {
  checkHandlerOptions(source, options);
  return createCheckedHttpHandler(source, options);
}

/** Creates the handler from checked options, which may include those of `serve`. */
export function createCheckedHttpHandler(source: ServableSource, options: HttpHandlerOptions): HttpHandler {
  const { maxBodyBytes = 4 * 1024 * 1024, json = false, onWarning } = options;
  const report = (error: Error): void => {
    try {
      onWarning?.(error);
    } catch {
      // Listeners handle their own errors.
    }
  };
  const served = createServedSource(source, options);
  const guard = createHttpGuard({ ...options, ...(onWarning && { onWarning: report }) });
  const authorization = options.authorization && createAuthorizationAnswers(options.authorization);
  const sessions = options.sessions
    ? createLegacySessions(() => served.createServer({ isLegacy: true }), maxBodyBytes, report)
    : undefined;
  const addresses = new WeakMap<Request, string>();
  const addressOf = (request: Request | undefined): string | undefined => request && addresses.get(request);
  // Without sessions, a legacy client has no stream on which changes could arrive.
  const createServer = ({ era, requestInfo }: McpRequestContext): Server =>
    served.createServer({
      announcesChanges: era === 'modern',
      isLegacy: era === 'legacy',
      address: addressOf(requestInfo),
    });
  const handler = createMcpHandler(createServer, {
    legacy: sessions ? 'reject' : 'stateless',
    onerror: report,
    responseMode: json ? 'json' : 'auto',
    maxRequestBodySize: maxBodyBytes,
  });
  const unsubscribes = [
    served.onChange(() => {
      handler.notify.toolsChanged();
      served.notifyToolsChanged();
    }),
    served.onLibraryChange((change) => {
      if (change.kind === 'resource') handler.notify.resourceUpdated(change.uri);
      else if (change.kind === 'prompts') handler.notify.promptsChanged();
      else handler.notify.resourcesChanged();
      served.notifyLibraryChange(change);
    }),
  ];

  /** Whether `authenticate` is given. It may read a request's body; otherwise requests are checked before reading. */
  const authenticates = options.authenticate !== undefined;
  const refuse = async (request: Request, address: string): Promise<Response | undefined> => {
    const refusal = guard.refuse(request) ?? answerPreflight(request);
    if (refusal) return refusal;
    const metadata = authorization?.answerMetadata(request);
    if (metadata) return allowOrigin(request, metadata);
    if (authenticates) return undefined;
    const admitted = await guard.admit(request, address);
    return 'refusal' in admitted ? allowOrigin(request, admitted.refusal) : undefined;
  };
  /** Compares `Mcp-Param-*` headers with the arguments. The SDK checks only the method and the tool name. */
  const findMismatch = (request: Request, body: unknown): Response | undefined => {
    if (request.headers.get('mcp-method') !== 'tools/call') return undefined;
    const { id, params } = (body ?? {}) as { readonly id?: unknown; readonly params?: unknown };
    const { name, arguments: args } = (params ?? {}) as { readonly name?: unknown; readonly arguments?: unknown };
    const message = served.findHeaderMismatch(name, args, request.headers);
    if (message === undefined) return undefined;
    report(new Error(`a call of ${cleanLine(String(name), 80)} was refused: ${message}`));
    const known = typeof id === 'string' || typeof id === 'number' ? id : null;
    return Response.json({ jsonrpc: '2.0', id: known, error: { code: headerMismatch, message } }, { status: 400 });
  };
  const handleRequest = async ({ request, body, address, refusal }: ReadRequest): Promise<Response> => {
    const admitted = authenticates ? await guard.admit(request, address) : undefined;
    if (admitted && 'refusal' in admitted)
      return authorization?.challenge(request, admitted.refusal) ?? admitted.refusal;
    if (refusal) return refusal;
    const caller = admitted?.caller;
    const parsedBody = body?.json;
    const lacking = authorization?.refuseScopes(request, parsedBody, caller, (name) => served.findTool(name));
    if (lacking) return lacking;
    if (sessions && (await isLegacyRequest(request, parsedBody, { maxRequestBodySize: maxBodyBytes })))
      return sessions.handle(request, caller, address, parsedBody);
    const mismatch = findMismatch(request, parsedBody);
    if (mismatch) return mismatch;
    addresses.set(request, address);
    return handler.fetch(request, {
      ...(caller ? { authInfo: caller } : {}),
      ...(body ? { parsedBody } : {}),
    });
  };
  const answer = async (read: ReadRequest): Promise<Response> =>
    allowOrigin(read.request, limitEventStream(await handleSafely(read), report));
  const handleSafely = (read: ReadRequest): Promise<Response> =>
    handleRequest(read).catch((error: unknown) => {
      report(error instanceof Error ? error : new Error(String(error)));
      const failed = { code: -32_603, message: 'the server failed' };
      return Response.json({ jsonrpc: '2.0', id: null, error: failed }, { status: 500 });
    });
  const calls = authenticates || authorization ? undefined : createDirectCalls(served, !sessions, json, report);
  const direct = calls && {
    accepts: (headers: IncomingHttpHeaders) => guard.isAccepted(headers) && calls.accepts(headers),
    refuse: (address: string) => guard.limitAddress(address),
    answer: (...call: Parameters<typeof calls.answer>) => calls.answer(...call),
  };
  const listener = createNodeListener({ refuse, answer, direct, keepsBody: authenticates, maxBodyBytes });

  return {
    fetch: async (request) =>
      (await refuse(request, '')) ?? answer(await readWebRequest(request, maxBodyBytes, authenticates)),
    listener: (request, response) => {
      listener(request, response).catch((error: unknown) => {
        report(error instanceof Error ? error : new Error(String(error)));
        response.destroy();
      });
    },
    async close() {
      for (const stop of unsubscribes) stop();
      served.close();
      calls?.close();
      await handler.close();
      await sessions?.close();
    },
  };
}
