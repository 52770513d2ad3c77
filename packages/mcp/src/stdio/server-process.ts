import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createProcessTree, endOnExit, endProcesses, markerVariable, type ProcessTree } from '@haft/sandbox';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import { createJsonLineReader } from './json-lines.ts';
import type { McpError } from '../mcp-error.ts';
import { createOutbox, type Outbox } from '../flow/outbox.ts';
import { createTailBuffer } from './tail-buffer.ts';
import { createUnreadReplies } from '../flow/unread-replies.ts';

/** How to start a server. */
export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the few variables that every server gets (`HOME`, `PATH` and the like). */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string | undefined;
  readonly maxMessageBytes: number;
  /** Milliseconds a server gets to end by itself after its input was closed, and again after it was asked to. */
  readonly closeGraceMs: number;
}

/** What the transport notices besides messages. */
export interface ServerProcessListener {
  onGarbage(sample: string): void;
  onOversized(bytes: number): void;
}

/** How a server ended. */
export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A server process, spoken to over its standard input and output. */
export interface ServerProcess extends Transport {
  readonly pid: number | undefined;
  /** Recognised by the SDK as a mark of stdio; the stream itself is always drained here. */
  readonly stderr: null;
  readonly exit: ServerExit | undefined;
  /** Why it was ended, when it did not read the replies that it had asked for. */
  readonly stalled: McpError | undefined;
  /** The end of what it wrote to standard error. */
  stderrTail(maxBytes?: number): string;
}

/** How long output may trickle in after a process has ended before nothing more is waited for. */
const drainMs = 50;
const stderrCapacity = 64 * 1024;

/**
 * Makes the transport to a server that is started with `start()`. Standard error is always read, so that no server
 * blocks on it; `close()` ends the process and what it started, in at most twice `closeGraceMs`.
 */
export function createServerProcess(command: ServerCommand, listener: ServerProcessListener): ServerProcess {
  const stderr = createTailBuffer(stderrCapacity);
  const marker = randomBytes(12).toString('hex');
  let child: ChildProcessWithoutNullStreams | undefined;
  let tree: ProcessTree | undefined;
  let forget = (): void => undefined;
  let exit: ServerExit | undefined;
  let outbox: Outbox | undefined;
  let ended: Promise<void> = Promise.resolve();
  let closing: Promise<void> | undefined;

  const transport: ServerProcess = {
    async start() {
      if (child) throw new Error('the server has been started already');
      child = await spawnServer(command, marker);
      if (child.pid !== undefined) {
        tree = createProcessTree(child.pid, marker);
        forget = endOnExit(tree);
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
      // A server that is busy may read again.
      if (unread.stalled === undefined && !unread.hasRoom && written) return written;
      // A server that takes nothing more is as good as gone; the answer to the call should say how it went.
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

  function attach(started: ChildProcessWithoutNullStreams): void {
    const reader = createJsonLineReader(command.maxMessageBytes, {
      onMessage: (message) => transport.onmessage?.(message as unknown as JSONRPCMessage),
      onGarbage: (sample) => listener.onGarbage(sample),
      onOversized(bytes, id) {
        listener.onOversized(bytes);
        // Our own ids are numbers; some servers give them back as texts.
        const answered = Number(id ?? Number.NaN);
        if (!Number.isSafeInteger(answered)) return;
        const message = `the answer of ${bytes} bytes is larger than the limit of ${command.maxMessageBytes}`;
        transport.onmessage?.({ jsonrpc: '2.0', id: answered, error: { code: -32_000, message } });
      },
    });
    outbox = createOutbox(started.stdin, unread);
    started.stdout.on('data', (chunk: Buffer) => reader.feed(chunk));
    started.stderr.on('data', (chunk: Buffer) => stderr.append(chunk));
    for (const stream of [started.stdin, started.stdout, started.stderr])
      stream.on('error', (error) => transport.onerror?.(error));
    // Without its output nothing more can come of it.
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
    // What the server started may have outlived it, in groups and sessions of its own.
    await endProcesses(tree, Math.min(drainMs, command.closeGraceMs));
    forget();
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
        ...getDefaultEnvironment(),
        ...command.env,
        // Nested ones add to it.
        [markerVariable]: [process.env[markerVariable], marker].filter(Boolean).join(','),
      },
      ...(command.cwd === undefined ? {} : { cwd: command.cwd }),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: canGroup,
      windowsHide: true,
    });
    child.once('error', reject);
    child.once('spawn', () => {
      child.off('error', reject);
      child.on('error', () => undefined);
      resolve(child);
    });
  });
}
