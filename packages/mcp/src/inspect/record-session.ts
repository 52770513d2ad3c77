import type { Readable, Writable } from 'node:stream';
import type { Transport } from '../protocol/transport.ts';
import { McpError } from '../mcp-error.ts';
import { secretsOf } from '../untrusted/redact-secrets.ts';
import { describeCause } from '@haft/core/results';
import { connectHttpServer } from './connect-recorded-server.ts';
import { createServerEnvironment } from '../stdio/server-process-environment.ts';
import { createServerProcess } from '../stdio/server-process.ts';
import { createStreamTransport } from '../stdio/stream-transport.ts';
import { createRecorder, type RecorderOptions, type Recording } from './recording.ts';

/** Options of {@link recordSession}. */
export interface RecordSessionOptions extends RecorderOptions {
  /** Command of the server to start. Or pass `url` or `server`. */
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /**
   * Names of variables of this program that the server gets. Default without `client`: all, because the client has
   * chosen them for the server. Default with `client`: HOME, PATH and a few others.
   */
  readonly inheritEnvironment?: readonly string[];
  readonly cwd?: string;
  /** URL of a server over Streamable HTTP, instead of a command. */
  readonly url?: string;
  /** Headers of each request to `url`, such as `Authorization`. They are not recorded. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Transport to the server, instead of a command. */
  readonly server?: Transport;
  /** Transport to the client. Default: standard input and output, or the next two streams. */
  readonly client?: Transport;
  readonly input?: Readable;
  readonly output?: Writable;
}

/** A session that is being recorded. */
export interface RecordedSession {
  /** The messages recorded so far. */
  readonly recording: Recording;
  /** Resolves when the client or the server has left. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

const maxMessageBytes = 64 * 1024 * 1024;
const closeGraceMs = 2_000;

/**
 * Acts as a proxy between a client and a server: passes every message on unchanged, and records it. In a client's
 * configuration, put a program that calls this function in place of the server's command or URL. Without `client`, the
 * server's standard error goes to the standard error of this program.
 *
 * @throws McpError `INVALID_OPTION` without a server, with several, for an invalid URL, and for a file that can't be
 * written. `CONNECT_FAILED` if the server can't be started.
 */
export async function recordSession(options: RecordSessionOptions): Promise<RecordedSession> {
  const { input = process.stdin, output = process.stdout } = options;
  const server = reachServer(options);
  const { env = {}, headers = {}, url, secrets = [] } = options;
  const recorder = createRecorder({ ...options, secrets: secretsOf({ env, headers, url, secrets }) });
  const client = options.client ?? createStreamTransport(input, output, maxMessageBytes);
  let isClosing = false;
  let resolveClosed!: () => void;
  const closed = new Promise<void>((resolve) => (resolveClosed = resolve));
  const close = async (): Promise<void> => {
    if (isClosing) return closed;
    isClosing = true;
    await Promise.all([client.close().catch(() => undefined), server.close().catch(() => undefined)]);
    resolveClosed();
  };
  const connect = (from: 'client' | 'server', source: Transport, target: Transport): void => {
    Object.assign(source, {
      onmessage: (message: Parameters<NonNullable<Transport['onmessage']>>[0]) => {
        recorder.record(from, message);
        // The other side has left.
        target.send(message).catch(() => void close());
      },
      onclose: () => void close(),
    });
  };
  connect('client', client, server);
  connect('server', server, client);
  // The client may send at once.
  try {
    await server.start();
    await client.start();
  } catch (cause) {
    await close();
    const named = options.command === undefined ? 'the server' : `the server ${JSON.stringify(options.command)}`;
    throw new McpError('CONNECT_FAILED', `${named} can't be recorded: ${describeCause(cause)}`, { cause });
  }
  return { recording: recorder.recording, closed, close };
}

function reachServer(options: RecordSessionOptions): Transport {
  const { command, url, headers = {}, server } = options;
  const given = [command, url, server].filter((one) => one !== undefined).length;
  if (given !== 1)
    throw new McpError(
      'INVALID_OPTION',
      `recordSession: ${given} servers are given (expected exactly one of command, url and server)`,
    );
  if (server) return server;
  return url === undefined ? startServer(command ?? '', options) : connectHttpServer(url, headers, maxMessageBytes);
}

function startServer(command: string, options: RecordSessionOptions): Transport {
  const { args = [], env = {}, cwd, client } = options;
  const { inheritEnvironment = client ? [] : Object.keys(process.env) } = options;
  return createServerProcess(
    { command, args, env: createServerEnvironment({ env, inheritEnvironment }), cwd, maxMessageBytes, closeGraceMs },
    {
      onGarbage: () => undefined,
      onOversized: () => undefined,
      ...(client ? {} : { onStderr: (chunk: Buffer) => void process.stderr.write(chunk) }),
    },
  );
}
