import { Client, SdkHttpError, type Transport } from '@modelcontextprotocol/client';
import { existsSync } from 'node:fs';
import { cleanLine } from '../../untrusted/clean-text.ts';
import { createSecretRedactor } from '../../untrusted/redact-secrets.ts';
import { answerServer, capabilitiesOf, type AnswerServer } from '../contract/connection-host.ts';
import type { FilledConnectionOptions } from '../contract/connection-options.ts';
import type { Report } from '../../connection-diagnostic.ts';
import { describeServerOutput, type ServerOutput } from './describe-server-output.ts';
import { createHttpTransport } from '../../http/http-transport.ts';
import { dropInvalidParts } from './drop-invalid-parts.ts';
import { McpError } from '../../mcp-error.ts';
import { cancelUnclaimedTask } from '../../tasks/follow-task.ts';
import { createServerProcess, type ServerProcess } from '../../stdio/server-process.ts';

/** A server that has agreed on a protocol with us. */
export interface Session {
  readonly client: Client;
  /** Why the connection was closed from this side, when the server did not read what it had asked for. */
  readonly stalled: () => McpError | undefined;
  /** Absent when the transport was given. */
  readonly process: ServerProcess | undefined;
  /** Answers what a task of the server asks the host. */
  readonly answer: AnswerServer | undefined;
  /** Adds to a failure what the server gave away of its reasons. */
  readonly explain: (error: unknown) => McpError;
}

/** What is handledBySdk besides answers. */
export interface SessionListener {
  readonly report: Report;
  onToolsChanged(): void;
  /** Hears every other notification that nothing here waits for, as it came. */
  onNotification(method: string, params: unknown): void;
}

/** Starts the server and shakes connected; everything is ended again when that fails or `signal` aborts. */
export async function openSession(
  options: FilledConnectionOptions,
  listener: SessionListener,
  signal: AbortSignal,
): Promise<Session> {
  if (options.url !== undefined) return openHttpSession(options, options.url, listener, signal);
  const first = prepareProcess(options, listener.report);
  const attempt = async (server: PreparedServer, era: 'auto' | 'legacy'): Promise<Session> => {
    const { process } = server;
    const connected = await connectClient(options, process ?? options.transport!, era, listener, signal);
    return {
      ...connected,
      process,
      stalled: () => process?.stalled,
      explain: (error) => explain(error, options, server),
    };
  };
  try {
    return await attempt(first, options.era);
  } catch (error) {
    // Some servers of the older generation exit at the newer one's first question: they are started once more, without it.
    const exitedOnProbe = first.process?.exit !== undefined && options.era === 'auto' && !signal.aborted;
    if (!exitedOnProbe) throw explain(error, options, first);
    const second = prepareProcess(options, listener.report);
    try {
      return await attempt(second, 'legacy');
    } catch (again) {
      throw explain(again, options, second);
    }
  }
}

/** Streamable HTTP first; a server that doesn't know what was posted may know the transport that came before it. */
async function openHttpSession(
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
      // What the newer transport was told says more than that the older one isn't there either.
      throw explain(signal.aborted ? again : error, options, trouble);
    }
  }
}

async function connectClient(
  options: FilledConnectionOptions,
  transport: Transport,
  era: 'auto' | 'legacy',
  listener: SessionListener,
  signal: AbortSignal,
): Promise<Pick<Session, 'client' | 'answer'>> {
  const client = new Client(
    { name: 'haft', version: '0.1.0' },
    // A server that says nothing to the newer generation's question gets the older one's in time.
    {
      versionNegotiation: { mode: era, probe: { timeoutMs: Math.ceil(options.startTimeoutMs / 3) + options.loginMs } },
      capabilities: capabilitiesOf(options.host ?? {}),
    },
  );
  const answer = options.host && answerServer(client, options.host, listener.report);
  const onerror = (error: Error): void => {
    // Progress that overtakes its own result is nobody's fault.
    if (error.message.startsWith('Received a progress notification for an unknown token')) return;
    // Neither is an answer to the question which generation is spoken that comes when nobody waits for it any more.
    if (error.message.startsWith('Received a response for an unknown') && error.message.includes('"supportedVersions"'))
      return;
    listener.report({ kind: 'protocol', message: cleanLine(error.message, 300) });
  };
  Object.assign(client, { onerror });
  // What comes in is looked at before the SDK sees it.
  const watched = watchIncoming(transport, listener, client);
  const onAbort = (): void => void transport.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) throw signal.reason;
    await client.connect(watched, { timeout: options.startTimeoutMs + options.loginMs });
    if (signal.aborted) throw signal.reason;
    return { client, answer };
  } catch (error) {
    await transport.close().catch(() => undefined);
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Notifications that the SDK has a use for. */
const handledBySdk: ReadonlySet<string> = new Set([
  'notifications/progress',
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
]);

/** Every assignment of `onmessage` goes through our eyes; the transport stays the object that the SDK knows. */
function watchIncoming(transport: Transport, listener: SessionListener, client: Client): Transport {
  let inner: Transport['onmessage'];
  const inspect: NonNullable<Transport['onmessage']> = (message, extra) => {
    const { method, id, params } = message as {
      readonly method?: unknown;
      readonly id?: unknown;
      readonly params?: unknown;
    };
    if (typeof method === 'string' && id === undefined && !handledBySdk.has(method)) {
      if (method === 'notifications/tools/list_changed') listener.onToolsChanged();
      // What is read here is not worth being taken apart by the SDK: a server can send a great deal of it.
      else listener.onNotification(method, params);
      return;
    }
    const good = dropInvalidParts(message, listener.report) as typeof message;
    // The SDK hears notifications a moment later than answers: the last progress before a result would be lost.
    if ('result' in good) {
      cancelUnclaimedTask(client, good.result);
      const { resultType } = (good.result ?? {}) as { readonly resultType?: unknown };
      const isUntyped = resultType === undefined && client.getProtocolEra() === 'modern';
      const typed = isUntyped ? { ...good, result: { ...good.result, resultType: 'complete' } } : good;
      queueMicrotask(() => inner?.(typed, extra));
    } else if ('error' in good) queueMicrotask(() => inner?.(good, extra));
    else inner?.(good, extra);
  };
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => (inner === undefined ? undefined : inspect),
    set: (handler: Transport['onmessage']) => {
      inner = handler === inspect ? inner : handler;
    },
  });
  return transport;
}

/** A server about to be started. */
interface PreparedServer {
  readonly process: ServerProcess | undefined;
  /** The first line on its standard output that was no message. */
  readonly garbage: () => string | undefined;
}

function prepareProcess(options: FilledConnectionOptions, report: Report): PreparedServer {
  const { command, args, env, cwd, maxMessageBytes, closeGraceMs } = options;
  let garbage: string | undefined;
  if (command === undefined) return { process: undefined, garbage: () => undefined };
  const process = createServerProcess(
    { command, args, env, cwd, maxMessageBytes, closeGraceMs },
    {
      onGarbage(sample) {
        if (garbage !== undefined) return;
        garbage = sample;
        report({
          kind: 'garbage',
          message: `its standard output holds lines that are no messages, such as ${JSON.stringify(sample)}`,
        });
      },
      onOversized: (bytes) =>
        report({
          kind: 'large-message',
          message: `an answer of ${bytes} bytes was skipped; at most ${maxMessageBytes} are read`,
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
  const ended = exit ? ` (it ended with ${exit.signal ?? `exit code ${exit.code}`})` : '';
  const message = describeThrown(error);
  return new McpError(
    'CONNECT_FAILED',
    `${what} could not be connected: ${message}${ended}${describeServerOutput(trouble)}`,
    {
      stderr,
      cause: error,
    },
  );
}

/** What was thrown, with what a fetch hides in its cause. */
function describeThrown(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const more = error.message.endsWith('fetch failed') ? rootCause(error) : '';
  return cleanLine(error.message, 500) + (more === '' ? '' : `: ${cleanLine(more, 500)}`);
}

/** What is at the bottom of an error: `connect ECONNREFUSED 127.0.0.1:80`, where `fetch` says nothing but that it failed. */
function rootCause({ cause }: Error, depth = 0): string {
  if (!(cause instanceof Error) || depth === 5) return '';
  const { code } = cause as NodeJS.ErrnoException;
  const own = cause.message === 'fetch failed' ? '' : cause.message || code || cause.name;
  return rootCause(cause, depth + 1) || own;
}

/** The usual reasons for which a program is not found. */
function describeMissing({ command = '', args, cwd }: FilledConnectionOptions): string {
  if (cwd !== undefined && !existsSync(cwd)) return `: its folder ${JSON.stringify(cwd)} does not exist`;
  const [program = '', ...more] = command.trim().split(/\s+/);
  if (more.length === 0) return '';
  const example = JSON.stringify([...more, ...args]);
  return `: no shell takes it apart; put the arguments into args: { command: ${JSON.stringify(program)}, args: ${example} }`;
}
