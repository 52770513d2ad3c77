import { Client, type Transport } from '@modelcontextprotocol/client';
import { cleanLine } from './clean-text.ts';
import type { FilledConnectOptions } from './connect-options.ts';
import type { Report } from './connection-report.ts';
import { isolateBadParts } from './isolate-bad-parts.ts';
import { McpError } from './mcp-error.ts';
import { createServerProcess, type ServerProcess } from './server-process.ts';

/** A server that has agreed on a protocol with us. */
export interface Session {
  readonly client: Client;
  /** Absent when the transport was given. */
  readonly process: ServerProcess | undefined;
}

/** What is heard besides answers. */
export interface SessionListener {
  readonly report: Report;
  onToolsChanged(): void;
}

/** Starts the server and shakes hands; everything is ended again when that fails or `signal` aborts. */
export async function openSession(
  options: FilledConnectOptions,
  listener: SessionListener,
  signal: AbortSignal,
): Promise<Session> {
  const first = prepareProcess(options, listener.report);
  try {
    return await shakeHands(options, first ?? options.transport!, first, options.era, listener, signal);
  } catch (error) {
    // Some servers of the older generation exit at the newer one's first question: they are started once more, without it.
    const diedOfQuestion = first?.exit !== undefined && options.era === 'auto' && !signal.aborted;
    if (!diedOfQuestion) throw explain(error, options, first);
    const second = prepareProcess(options, listener.report)!;
    try {
      return await shakeHands(options, second, second, 'legacy', listener, signal);
    } catch (again) {
      throw explain(again, options, second);
    }
  }
}

async function shakeHands(
  options: FilledConnectOptions,
  transport: Transport,
  process: ServerProcess | undefined,
  era: 'auto' | 'legacy',
  listener: SessionListener,
  signal: AbortSignal,
): Promise<Session> {
  const client = new Client(
    { name: 'haft', version: '0.1.0' },
    // A server that says nothing to the newer generation's question gets the older one's in time.
    { versionNegotiation: { mode: era, probe: { timeoutMs: Math.ceil(options.startTimeoutMs / 3) } } },
  );
  const onerror = (error: Error): void => {
    // Progress that overtakes its own result is nobody's fault.
    if (error.message.startsWith('Received a progress notification for an unknown token')) return;
    listener.report({ kind: 'protocol', message: cleanLine(error.message, 300) });
  };
  Object.assign(client, { onerror });
  // What comes in is looked at before the SDK sees it.
  const watched = watchIncoming(transport, listener);
  const onAbort = (): void => void transport.close();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    if (signal.aborted) throw signal.reason;
    await client.connect(watched, { timeout: options.startTimeoutMs });
    if (signal.aborted) throw signal.reason;
    return { client, process };
  } catch (error) {
    await transport.close().catch(() => undefined);
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Notifications that the SDK has a use for. */
const heard: ReadonlySet<string> = new Set([
  'notifications/progress',
  'notifications/cancelled',
  'notifications/subscriptions/acknowledged',
]);

/** Every assignment of `onmessage` goes through our eyes; the transport stays the object that the SDK knows. */
function watchIncoming(transport: Transport, listener: SessionListener): Transport {
  let inner: Transport['onmessage'];
  const look: NonNullable<Transport['onmessage']> = (message, extra) => {
    const { method, id } = message as { readonly method?: unknown; readonly id?: unknown };
    if (method === 'notifications/tools/list_changed') listener.onToolsChanged();
    // What nobody listens to is not worth being taken apart: a server can send a great deal of it.
    if (typeof method === 'string' && id === undefined && !heard.has(method)) return;
    const good = isolateBadParts(message, listener.report) as typeof message;
    // The SDK hears notifications a moment later than answers: the last progress before a result would be lost.
    if ('result' in good || 'error' in good) queueMicrotask(() => inner?.(good, extra));
    else inner?.(good, extra);
  };
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => (inner === undefined ? undefined : look),
    set: (handler: Transport['onmessage']) => {
      inner = handler === look ? inner : handler;
    },
  });
  return transport;
}

function prepareProcess(options: FilledConnectOptions, report: Report): ServerProcess | undefined {
  const { command, args, env, cwd, maxMessageBytes, closeGraceMs } = options;
  if (command === undefined) return undefined;
  let garbage = 0;
  return createServerProcess(
    { command, args, env, cwd, maxMessageBytes, closeGraceMs },
    {
      onGarbage(sample) {
        garbage += 1;
        if (garbage === 1)
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
}

function explain(error: unknown, options: FilledConnectOptions, process: ServerProcess | undefined): McpError {
  if (error instanceof McpError) return error;
  const what = options.command === undefined ? 'the server' : `the server ${JSON.stringify(options.command)}`;
  const stderr = process?.stderrTail(2_048) ?? '';
  const { exit } = process ?? {};
  const { code } = (error ?? {}) as { readonly code?: unknown };
  if (code === 'ENOENT' && process?.pid === undefined)
    return new McpError('CONNECT_FAILED', `${what} was not found`, { cause: error });
  const ended = exit ? ` (it ended with ${exit.signal ?? `exit code ${exit.code}`})` : '';
  const message = error instanceof Error ? error.message : String(error);
  return new McpError('CONNECT_FAILED', `${what} could not be connected: ${message}${ended}`, { stderr, cause: error });
}
