import { Client, SdkHttpError, type Transport } from '@modelcontextprotocol/client';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { cleanLine } from '../../untrusted/clean-text.ts';
import type { AnswerServer } from '../contract/connection-host.ts';
import { answerServer, capabilitiesOf } from './answer-server.ts';
import type { FilledConnectionOptions } from '../contract/connection-options.ts';
import type { ServerEras } from '../contract/server-eras.ts';
import type { ConnectionDiagnostic, Report } from '../../connection-diagnostic.ts';
import { handshakeEarly } from './early-handshake.ts';
import { explainFailure, type PreparedServer } from './explain-failure.ts';
import { createHttpTransport } from '../../http/http-transport.ts';
import { packageRunnerOf } from './package-runner.ts';
import { tapMessages } from './tap-messages.ts';
import { watchIncoming, type SessionListener } from './watch-incoming-messages.ts';
import { packageVersion } from './client-version.ts';
import type { McpError } from '../../mcp-error.ts';
import { createServerEnvironment } from '../../stdio/server-process-environment.ts';
import { createServerProcess, type ServerProcess } from '../../stdio/server-process.ts';

/** A session with a server after protocol negotiation. */
export interface Session {
  readonly client: Client;
  /** Returns why this side closed the connection, if the server did not read its replies. */
  readonly stalled: () => McpError | undefined;
  /** Tells a server over HTTP that the session ends. Resolves when the server knows, or after `closeGraceMs`. */
  readonly endSession: () => Promise<void>;
  /** Undefined for a given transport or a URL. */
  readonly process: ServerProcess | undefined;
  /** Answers requests that a task of the server makes to the host. */
  readonly answer: AnswerServer | undefined;
  /** Adds the server's own output to an error. */
  readonly explain: (error: unknown) => McpError;
}

/** Starts the server and negotiates the protocol. Ends the server if that fails or `signal` aborts. */
export async function createSession(
  options: FilledConnectionOptions,
  listener: SessionListener,
  signal: AbortSignal,
): Promise<Session> {
  if (options.url !== undefined) return createHttpSession(options, options.url, listener, signal);
  const first = prepareProcess(options, listener.report);
  const { eras } = options;
  const identity = identityOf(options);
  const isKnown = options.era === 'auto' && identity !== undefined && (await isLegacy(eras, identity));
  const remember = async (is: boolean): Promise<void> => {
    try {
      if (identity !== undefined) await eras.setLegacy(identity, is);
    } catch {
      // Forgets the server, so that it is probed again next time.
    }
  };
  const attempt = async (server: PreparedServer, era: 'auto' | 'legacy'): Promise<Session> => {
    const { process } = server;
    const { isSilent, ...connected } = await connectClient(
      options,
      process ?? options.transport!,
      era,
      listener,
      signal,
      () => void remember(false),
    );
    if (isSilent) await remember(true);
    return {
      ...connected,
      process,
      endSession: () => Promise.resolve(),
      stalled: () => process?.stalled,
      explain: (error) => explainFailure(error, options, server),
    };
  };
  try {
    return await attempt(first, isKnown ? 'legacy' : options.era);
  } catch (error) {
    // Some legacy servers exit at the probe for the modern era, so they are started again without it. A server that was
    // known as legacy may have been replaced.
    const exitedOnProbe = first.process?.exit !== undefined && options.era === 'auto';
    if ((!exitedOnProbe && !isKnown) || signal.aborted) throw explainFailure(error, options, first);
    if (isKnown) await remember(false);
    const second = prepareProcess(options, listener.report);
    try {
      const session = await attempt(second, isKnown ? 'auto' : 'legacy');
      if (!isKnown) await remember(true);
      return session;
    } catch (again) {
      throw explainFailure(again, options, second);
    }
  }
}

/** Opens a session over Streamable HTTP, or over HTTP+SSE if the server does not know the endpoint. */
async function createHttpSession(
  options: FilledConnectionOptions,
  url: string,
  listener: SessionListener,
  signal: AbortSignal,
): Promise<Session> {
  const { headers, fetch, authorize, maxMessageBytes } = options;
  const trouble = { process: undefined, garbage: () => undefined };
  const attempt = async (kind: 'http' | 'sse'): Promise<Session> => {
    // Reports about a transport that the server does not support are dropped.
    const early: ConnectionDiagnostic[] = [];
    let report: Report = (diagnostic) => early.push(diagnostic);
    const attemptListener: SessionListener = { ...listener, report: (diagnostic) => report(diagnostic) };
    const onNoStream = (message: string): void => report({ kind: 'protocol', message });
    const where = { url: new URL(url), headers, fetch, authorize };
    let stalled: McpError | undefined;
    const onStalled = (reason: McpError): void => {
      stalled = reason;
      onNoStream(reason.message);
    };
    const transport = createHttpTransport({ ...where, maxMessageBytes, onNoStream, onStalled, kind });
    const connected = await connectClient(
      options,
      transport,
      kind === 'sse' ? 'legacy' : options.era,
      attemptListener,
      signal,
    );
    report = (diagnostic) => listener.report(diagnostic);
    early.forEach(report);
    return {
      ...connected,
      process: undefined,
      endSession: () => Promise.race([transport.endSession(), delay(options.closeGraceMs, undefined, { ref: false })]),
      stalled: () => stalled,
      explain: (error) => explainFailure(error, options, trouble),
    };
  };
  try {
    return await attempt('http');
  } catch (error) {
    const isOlder = SdkHttpError.isInstance(error) && [400, 404, 405].includes(error.data.status);
    if (!isOlder || !options.sseFallback || signal.aborted) throw explainFailure(error, options, trouble);
    try {
      return await attempt('sse');
    } catch (again) {
      // The error of the newer transport is more useful than a report that the older endpoint is missing.
      throw explainFailure(signal.aborted ? again : error, options, trouble);
    }
  }
}

async function isLegacy(eras: ServerEras, identity: string): Promise<boolean> {
  try {
    return await eras.isLegacy(identity);
  } catch {
    return false;
  }
}

/**
 * Milliseconds that a started process may leave the probe for the modern era and a ping unanswered before the legacy
 * handshake starts: 15 s with the default `startTimeoutMs`, and up to 60 s for a server that is given more time to start.
 */
const earlyHandshakeMs = (startTimeoutMs: number): number => Math.min(startTimeoutMs / 2, 60_000);

/** Identifies a server by its command. A URL or a transport may lead to another server each time. */
function identityOf({ command, args, cwd }: FilledConnectionOptions): string | undefined {
  if (command === undefined) return undefined;
  return createHash('sha256')
    .update(JSON.stringify([command, args, cwd]))
    .digest('hex');
}

async function connectClient(
  options: FilledConnectionOptions,
  transport: Transport,
  era: 'auto' | 'legacy',
  listener: SessionListener,
  signal: AbortSignal,
  onLateAnswer: () => void = () => undefined,
): Promise<Pick<Session, 'client' | 'answer'> & { readonly isSilent: boolean }> {
  const clientInfo = { name: 'haft', version: packageVersion() };
  const capabilities = capabilitiesOf(options.host ?? {});
  // If a server ignores the probe for the modern era, time remains for the legacy handshake.
  const isProcess = options.command !== undefined;
  const timeoutMs = Math.ceil(options.startTimeoutMs * (isProcess ? 0.8 : 1 / 3)) + options.loginMs;
  const client = new Client(clientInfo, { versionNegotiation: { mode: era, probe: { timeoutMs } }, capabilities });
  const answer = options.host && answerServer(client, options.host, listener.report);
  const onerror = (error: Error): void => {
    // Progress may arrive after its result.
    if (error.message.startsWith('Received a progress notification for an unknown token')) return;
    // A late response to the era probe.
    if (error.message.startsWith('Received a response for an unknown') && error.message.includes('"supportedVersions"'))
      return;
    // The SDK lists everything that its schemas expect.
    const isSchemaIssue = /^\[\s*\{/.test(error.message);
    const message = isSchemaIssue
      ? 'the server sent a message that is not JSON-RPC 2.0'
      : cleanLine(error.message, 300);
    listener.report({ kind: 'protocol', message });
  };
  Object.assign(client, { onerror });
  const early =
    era === 'auto' && isProcess
      ? handshakeEarly(transport, {
          clientInfo,
          capabilities,
          delayMs: earlyHandshakeMs(options.startTimeoutMs),
          // Messages of a package runner such as npx do not show that the server has started.
          hasOutput: () =>
            packageRunnerOf(options.command) === undefined && (transport as Partial<ServerProcess>).hasOutput === true,
          onLateAnswer,
        })
      : undefined;
  // Inspect incoming messages before the SDK does.
  const watched = watchIncoming(transport, listener, client, tapMessages(transport, options));
  const onAbort = (): void => void transport.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) throw signal.reason;
    await client.connect(watched, { timeout: options.startTimeoutMs + options.loginMs });
    if (signal.aborted) throw signal.reason;
    return { client, answer, isSilent: early?.isSilent ?? false };
  } catch (error) {
    await transport.close().catch(() => undefined);
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

function prepareProcess(options: FilledConnectionOptions, report: Report): PreparedServer {
  const { command, args, cwd, maxMessageBytes, closeGraceMs } = options;
  let garbage: string | undefined;
  if (command === undefined) return { process: undefined, garbage: () => undefined };
  const process = createServerProcess(
    { command, args, env: createServerEnvironment(options), cwd, maxMessageBytes, closeGraceMs },
    {
      onGarbage(sample) {
        if (garbage !== undefined) return;
        garbage = sample;
        report({
          kind: 'garbage',
          message: `standard output has lines that are not protocol messages, such as ${JSON.stringify(sample)}`,
        });
      },
      onOversized: (bytes) =>
        report({
          kind: 'large-message',
          message: `skipped a response of ${bytes} bytes (limit: ${maxMessageBytes})`,
        }),
    },
  );
  return { process, garbage: () => garbage };
}
