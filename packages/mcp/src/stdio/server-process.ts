import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Duplex } from 'node:stream';
import {
  createProcessTree,
  endOnExit,
  endProcesses,
  lifelineDescriptor,
  markerVariable,
  type ProcessTree,
} from '@haft/sandbox';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { createJsonLineReader } from './json-lines.ts';
import type { McpError } from '../mcp-error.ts';
import { createOutbox, type Outbox } from '../flow/outbox.ts';
import { createTailBuffer } from './tail-buffer.ts';
import { createUnreadReplies } from '../flow/unread-replies.ts';

/** Command that starts a server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly maxMessageBytes: number;
  /** Milliseconds to wait for the server to exit after its input is closed, and again after SIGTERM. */
  readonly closeGraceMs: number;
}

/** Callbacks for output that is not a message. */
export interface ServerProcessListener {
  onGarbage(sample: string): void;
  onOversized(bytes: number): void;
  /** Called with each chunk of standard error. */
  onStderr?(chunk: Buffer): void;
}

/** Exit code or signal of a server. */
export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server process with a transport over its standard input and output. */
export interface ServerProcess extends Transport {
  readonly pid: number | undefined;
  /** Only tells the SDK that this is stdio. The stream itself is always read here. */
  readonly stderr: null;
  readonly exit: ServerExit | undefined;
  /** Why the server was ended, if it did not read its replies. */
  readonly stalled: McpError | undefined;
  /** Whether the server has written to standard output or standard error. */
  readonly hasOutput: boolean;
  /** Returns the last text on standard error. */
  stderrTail(maxBytes?: number): string;
}

/** Milliseconds to wait for output after the process has exited. */
const drainMs = 50;
const stderrCapacity = 64 * 1024;

/**
 * Creates the transport to a server, which `start()` starts. Standard error is always read, so that the server never
 * blocks on it. `close()` ends the process and its descendants within twice `closeGraceMs`.
 */
export function createServerProcess(command: ServerCommand, listener: ServerProcessListener): ServerProcess {
  const stderr = createTailBuffer(stderrCapacity);
  const marker = randomBytes(12).toString('hex');
  let child: ChildProcessWithoutNullStreams | undefined;
  let tree: ProcessTree | undefined;
  let removeExitHandler = (): void => undefined;
  let exit: ServerExit | undefined;
  let outbox: Outbox | undefined;
  let hasStdout = false;
  let ended: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;

  const transport: ServerProcess = {
    async start() {
      if (child) throw new Error('the server has been started already');
      child = await spawnServer(command, marker);
      if (child.pid !== undefined) {
        tree = createProcessTree(child.pid, marker);
        removeExitHandler = endOnExit(tree);
      }
      attach(child);
    },
    async send(message) {
      const written = exit ? undefined : outbox?.send(message);
      const isWritten = await written?.then(
        () => true,
        () => false,
      );
      if (isWritten) return;
      // A busy server may read again later.
      if (unread.stalled === undefined && !unread.hasRoom && written) return written;
      // A server that accepts no more input is lost. Waits for its exit, so that the error can describe it.
      setTimeout(() => void transport.close(), drainMs).unref();
      await ended;
      throw new Error('the server has ended');
    },
    close: () => (closing ??= close()),
    get pid() {
      return child?.pid;
    },
    stderr: null,
    get exit() {
      return exit;
    },
    get stalled() {
      return unread.stalled;
    },
    get hasOutput() {
      return stderr.total > 0 || hasStdout;
    },
    stderrTail: (maxBytes) => stderr.text(maxBytes),
  };

  const unread = createUnreadReplies({
    onFull: () => child?.stdout.pause(),
    onRoom: () => child?.stdout.resume(),
    onStalled(reason) {
      outbox?.abandon(reason);
      transport.onerror?.(reason);
      void transport.close();
    },
  });

  /** Fails the request with this id. */
  function fail(id: number | string | undefined, message: string): void {
    // Our ids are numbers, but some servers return them as strings.
    const number = Number(id ?? Number.NaN);
    const answered = Number.isSafeInteger(number) ? number : id;
    if (answered !== undefined)
      transport.onmessage?.({ jsonrpc: '2.0', id: answered, error: { code: -32_000, message } });
  }

  function attach(started: ChildProcessWithoutNullStreams): void {
    const reader = createJsonLineReader(command.maxMessageBytes, {
      onMessage: (message) => transport.onmessage?.(message as unknown as JSONRPCMessage),
      onGarbage: (sample) => listener.onGarbage(sample),
      onMalformed: (id, fault) => fail(id, `the server sent a malformed response: ${fault}`),
      onOversized(bytes, id) {
        listener.onOversized(bytes);
        fail(id, `the response of ${bytes} bytes exceeds the limit of ${command.maxMessageBytes}`);
      },
    });
    outbox = createOutbox(started.stdin, unread);
    started.stdout.on('data', (chunk: Buffer) => {
      hasStdout = true;
      reader.feed(chunk);
    });
    started.stderr.on('data', (chunk: Buffer) => {
      stderr.append(chunk);
      listener.onStderr?.(chunk);
    });
    for (const stream of [started.stdin, started.stdout, started.stderr])
      stream.on('error', (error) => transport.onerror?.(error));
    // Without output, the server can't respond any more.
    started.stdout.once('end', () => setTimeout(() => void transport.close(), drainMs).unref());
    ended = new Promise((resolve) => {
      started.once('exit', (code, signal) => {
        exit = { code, signal };
        unread.stop();
        const finish = (): void => {
          clearTimeout(timer);
          for (const stream of [started.stdin, started.stdout, started.stderr]) stream.destroy();
          resolve();
          const { onclose } = transport;
          delete transport.onclose;
          onclose?.();
        };
        const timer = setTimeout(finish, drainMs);
        started.once('close', finish);
      });
    });
  }

  async function close(): Promise<void> {
    if (!child || !tree) return;
    if (!exit) {
      child.stdin.end();
      if (!(await endsWithin(command.closeGraceMs))) await endProcesses(tree, command.closeGraceMs);
      await ended;
    }
    // Descendants in other process groups and sessions may still run.
    await endProcesses(tree, Math.min(drainMs, command.closeGraceMs));
    child.stdio[lifelineDescriptor]?.destroy();
    removeExitHandler();
  }

  function endsWithin(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(exit !== undefined), milliseconds);
      void ended.then(() => {
        clearTimeout(timer);
        return resolve(true);
      });
    });
  }

  return transport;
}

const canGroup = process.platform !== 'win32';

function spawnServer(command: ServerCommand, marker: string): Promise<ChildProcessWithoutNullStreams> {
  return new Promise((resolve, reject) => {
    const child = spawn(command.command, [...command.args], {
      env: {
        ...command.env,
        // Nested servers have their own markers in addition.
        [markerVariable]: [process.env[markerVariable], marker].filter(Boolean).join(','),
      },
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
      // Every process that holds the last socket descends from the server.
      stdio: ['pipe', 'pipe', 'pipe', ...(process.platform === 'linux' ? (['pipe'] as const) : [])],
      detached: canGroup,
      windowsHide: true,
    });
    const lifeline = child.stdio[lifelineDescriptor];
    if (lifeline instanceof Duplex) lifeline.on('error', () => undefined).resume();
    child.once('error', reject);
    child.once('spawn', () => {
      child.off('error', reject);
      child.on('error', () => undefined);
      resolve(child);
    });
  });
}
