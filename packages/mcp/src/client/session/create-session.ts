import { Client, SdkHttpError, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { cleanLine } from '../../untrusted/clean-text.ts';
import { createSecretRedactor } from '../../untrusted/redact-secrets.ts';
import type { AnswerServer } from '../contract/connection-host.ts';
import { answerServer, capabilitiesOf } from './answer-server.ts';
import type { FilledConnectionOptions } from '../contract/connection-options.ts';
import type { ServerEras } from '../contract/server-eras.ts';
import type { Report } from '../../connection-diagnostic.ts';
import { describeServerOutput, type ServerOutput } from './describe-server-output.ts';
import { handshakeEarly } from './early-handshake.ts';
import { createHttpTransport } from '../../http/http-transport.ts';
import { failedResponse, findResponseFaults } from '../../protocol/response-faults.ts';
import { dropInvalidParts } from './drop-invalid-parts.ts';
import { packageRunnerOf } from './package-runner.ts';
import { tapMessages } from './tap-messages.ts';
import { packageVersion } from './package-version.ts';
import { McpError } from '../../mcp-error.ts';
import { cancelUnclaimedTask } from '../../tasks/follow-task.ts';
import { announceTaskStatus } from '../../tasks/task-status.ts';
import { createServerEnvironment } from '../../stdio/server-environment.ts';
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

/** Receives incoming data other than responses. */
export interface SessionListener {
  readonly report: Report;
  onToolsChanged(): void;
  /** Called with every other notification, unchanged. */
  onNotification(method: string, params: unknown): void;
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
      explain: (error) => explain(error, options, server),
    };
  };
  try {
    return await attempt(first, isKnown ? 'legacy' : options.era);
  } catch (error) {
    // Some legacy servers exit at the probe for the modern era, so they are started again without it. A server that was
    // known as legacy may have been replaced.
    const exitedOnProbe = first.process?.exit !== undefined && options.era === 'auto';
    if ((!exitedOnProbe && !isKnown) || signal.aborted) throw explain(error, options, first);
    if (isKnown) await remember(false);
    const second = prepareProcess(options, listener.report);
    try {
      const session = await attempt(second, isKnown ? 'auto' : 'legacy');
      if (!isKnown) await remember(true);
      return session;
    } catch (again) {
      throw explain(again, options, second);
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
    const onNoStream = (message: string): void => listener.report({ kind: 'protocol', message });
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
      listener,
      signal,
    );
    return {
      ...connected,
      process: undefined,
      endSession: () => Promise.race([transport.endSession(), delay(options.closeGraceMs, undefined, { ref: false })]),
      stalled: () => stalled,
      explain: (error) => explain(error, options, trouble),
    };
  };
  try {
    return await attempt('http');
  } catch (error) {
    const isOlder = SdkHttpError.isInstance(error) && [400, 404, 405].includes(error.data.status);
    if (!isOlder || !options.sseFallback || signal.aborted) throw explain(error, options, trouble);
    try {
      return await attempt('sse');
    } catch (again) {
      // The error of the newer transport is more useful than the missing older endpoint.
      throw explain(signal.aborted ? again : error, options, trouble);
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

/** Required members of some results, for servers that omit them. */
const uncached = { ttlMs: 0, cacheScope: 'private' } as const;

/** Replaces a response that breaks the protocol, so that its request fails at once. */
function failMalformed(message: JSONRPCMessage): JSONRPCMessage {
  const [found] = findResponseFaults(message);
  return found ? failedResponse(...found) : message;
}

/** Notifications that the SDK handles. */
const handledBySdk: ReadonlySet<string> = new Set([
  'notifications/progress',
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
]);

/** Intercepts `onmessage`, however often it is assigned. The transport stays the object that the SDK knows. */
function watchIncoming(
  transport: Transport,
  listener: SessionListener,
  client: Client,
  onReceived: ReturnType<typeof tapMessages>,
): Transport {
  let inner: Transport['onmessage'];
  const inspect: NonNullable<Transport['onmessage']> = (message, extra) => {
    onReceived?.(message);
    const { method, id, params } = message as {
      readonly method?: unknown;
      readonly id?: unknown;
      readonly params?: unknown;
    };
    if (typeof method === 'string' && id === undefined && !handledBySdk.has(method)) {
      if (method === 'notifications/tools/list_changed') listener.onToolsChanged();
      else if (method === 'notifications/tasks/status') announceTaskStatus(client, params);
      // Not passed to the SDK, because a server may send floods of notifications.
      else listener.onNotification(method, params);
      return;
    }
    const sound = failMalformed(message);
    const good = dropInvalidParts(sound, listener.report) as typeof message;
    // The SDK dispatches notifications later than responses. Responses are delayed, so that the last progress is not
    // lost.
    if ('result' in good) {
      cancelUnclaimedTask(client, good.result);
      const { resultType } = (good.result ?? {}) as { readonly resultType?: unknown };
      const isModern = client.getProtocolEra() === 'modern' || 'supportedVersions' in (good.result ?? {});
      const typed =
        isModern && (resultType === undefined || resultType === 'complete')
          ? { ...good, result: { resultType: 'complete', ...uncached, ...good.result } }
          : good;
      queueMicrotask(() => inner?.(typed, extra));
    } else if ('error' in good) queueMicrotask(() => inner?.(good, extra));
    else inner?.(good, extra);
  };
  // The transport may intercept `onmessage` in the same way. Its own accessor is still called.
  const own = Object.getOwnPropertyDescriptor(transport, 'onmessage');
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: (): Transport['onmessage'] =>
      inner === undefined ? undefined : own?.get ? (own.get() as Transport['onmessage']) : inspect,
    set: (handler: Transport['onmessage']) => {
      if (handler !== undefined && handler === transport.onmessage) return;
      inner = handler;
      own?.set?.(handler && inspect);
    },
  });
  return transport;
}

/** A server process to start. */
interface PreparedServer {
  readonly process: ServerProcess | undefined;
  /** Returns the first line on standard output that was not a message. */
  readonly garbage: () => string | undefined;
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

function explain(error: unknown, options: FilledConnectionOptions, { process, garbage }: PreparedServer): McpError {
  const trouble: ServerOutput = { process, garbage: garbage(), redactor: createSecretRedactor(options) };
  const stderr = process?.stderrTail(2_048) ?? '';
  if (error instanceof McpError) {
    const isOurs = error.code === 'INVALID_OPTION' || error.code === 'NAME_TAKEN';
    if (isOurs) return error;
    return new McpError(error.code, error.message + describeServerOutput(trouble), { stderr, cause: error.cause });
  }
  const named = options.command ?? options.url;
  const what = named === undefined ? 'the server' : `the server ${JSON.stringify(named)}`;
  const { exit } = process ?? {};
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (code === 'ENOENT' && process?.pid === undefined)
    return new McpError('CONNECT_FAILED', `${what} was not found${describeMissing(options)}`, { cause: error });
  const whole =
    options.command === undefined || options.args.length === 0
      ? what
      : `the server ${JSON.stringify(cleanLine([options.command, ...options.args].join(' '), 300))}`;
  const ended = exit ? ` (the server ended with ${exit.signal ?? `exit code ${exit.code}`})` : '';
  const message = describeThrown(error);
  return new McpError(
    'CONNECT_FAILED',
    `could not connect to ${whole}: ${message}${ended}${describeServerOutput(trouble)}`,
    {
      stderr,
      cause: error,
    },
  );
}

/** Describes an error, including the cause that `fetch` hides. */
function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const more = error.message.endsWith('fetch failed') ? rootCause(error) : '';
  return cleanLine(error.message, 500) + (more === '' ? '' : `: ${cleanLine(more, 500)}`);
}

/** Returns the message of the innermost cause, such as `connect ECONNREFUSED 127.0.0.1:80`. */
function rootCause({ cause }: Error, depth = 0): string {
  if (!(cause instanceof Error) || depth === 5) return '';
  const { code } = cause as NodeJS.ErrnoException;
  const own = cause.message === 'fetch failed' ? '' : cause.message || code || cause.name;
  return rootCause(cause, depth + 1) || own;
}

/** Suggests why a program was not found. */
function describeMissing({ command = '', args, cwd }: FilledConnectionOptions): string {
  if (cwd !== undefined && !existsSync(cwd)) return `: the directory ${JSON.stringify(cwd)} does not exist`;
  const [program = '', ...more] = command.trim().split(/\s+/);
  if (more.length === 0) return '';
  const example = JSON.stringify([...more, ...args]);
  return `: no shell splits the command; put the arguments into args: { command: ${JSON.stringify(program)}, args: ${example} }`;
}
