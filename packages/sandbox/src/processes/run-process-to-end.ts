import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { Duplex, type Readable } from 'node:stream';
import { checkCommand } from './check-process-command.ts';
import { createCleanEnvironment } from './clean-environment.ts';
import { drainStreams } from './drain-process-streams.ts';
import { endOnExit } from './tree/end-on-exit.ts';
import { endProcesses } from './tree/end-processes.ts';
import { createInvocation } from './process-invocation.ts';
import type { Jail } from '../jail/contract/jail.ts';
import { createLimiter } from '../jail/commands/limit-jailed-command.ts';
import { createOutputCapture, type OutputCapture } from '../output/output-capture.ts';
import { createProcessTree, lifelineDescriptor, markerVariable, type EndSignal } from './tree/process-tree.ts';
import type { ProcessResult } from './process-result.ts';
import type { OutputStream, RunProcessOptions } from './run-process-options.ts';
import { createFailure, errnoOf, type SandboxFailure } from '../sandbox-failure.ts';
import { createTimeoutSignal } from '../timeout-signal.ts';

const defaultOutputBytes = 51_200;
const backgroundGraceMs = 250;
const maxExitWaitMs = 1_000;

/** How to end a running command. */
export interface Ending {
  /** The signal that all processes receive first. */
  readonly first: EndSignal;
  /** Time in milliseconds before SIGKILL. A function is called repeatedly, so that the time can be shortened. */
  readonly graceMs: number | (() => number);
}

/** Additional options for background processes. */
export interface RunHooks {
  /** Called once when the process has started. */
  readonly onStart?: (pid: number) => void;
  /** Called when the signal of the options aborts. Default: SIGTERM and the grace period of the options. */
  readonly endBy?: () => Ending;
  /** Receives the raw bytes of both streams, instead of capturing the output. */
  readonly onBytes?: (bytes: Uint8Array) => void;
  /** True if this process may exit while the command runs. The command is then killed. */
  readonly isDetached?: boolean;
}

/** Runs a command until it ends. Rejects only with a TypeError for an invalid option. */
export async function runToEnd(options: RunProcessOptions, conduct: RunHooks = {}): Promise<ProcessResult> {
  checkCommand(options);
  const startedAt = performance.now();
  const limiter = options.jail || !options.limits ? undefined : await createLimiter(options.limits);
  const wrapper = options.jail ?? limiter;
  const output = createOutputCapture(options.maxOutputBytes ?? defaultOutputBytes);
  const errorOutput =
    options.streams === 'separate' ? createOutputCapture(options.maxOutputBytes ?? defaultOutputBytes) : null;
  const finish = (ending: Partial<ProcessResult>): ProcessResult => ({
    exitCode: null,
    signal: null,
    timedOut: false,
    aborted: false,
    failure: null,
    pid: null,
    survivors: [],
    limitReached: null,
    unenforced: limiter?.unenforced ?? [],
    ...ending,
    output: output.finish(),
    errorOutput: errorOutput?.finish() ?? null,
    durationMs: performance.now() - startedAt,
  });

  if (options.signal?.aborted === true) return finish({ aborted: true });
  const marker = randomBytes(12).toString('hex');
  const started = await startProcess(options, marker, wrapper);
  if (!started.ok) return finish({ failure: started });
  const { child, pid, exited } = started;
  const tree = createProcessTree(pid, marker, { isJailed: options.jail?.driver === 'bubblewrap' });
  const cancelEndOnExit = endOnExit(tree);

  const notify = createOutputListener(options.onOutput);
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  if (conduct.onBytes) for (const stream of streams) stream.on('data', conduct.onBytes).on('error', () => {});
  else {
    listen(child.stdout, output, 'output', notify);
    listen(child.stderr, errorOutput ?? output, 'error', notify);
  }
  if (conduct.isDetached === true) detach(child);
  conduct.onStart?.(pid);

  const deadline = createTimeoutSignal(options.signal, options.timeoutMs ?? 120_000);
  const isStopped = await Promise.race([exited.then(() => false), waitForAbort(deadline.signal)]);
  deadline.dispose();

  const graceMs = options.killGraceMs ?? 5_000;
  const ending = conduct.endBy?.() ?? { first: 'SIGTERM', graceMs };
  if (!isStopped) await drainStreams(streams);
  const keepsBackground = !isStopped && options.background === 'keep';
  const survivors = keepsBackground
    ? tree.findMembers()
    : await endProcesses(
        tree,
        isStopped ? ending.graceMs : Math.min(graceMs, backgroundGraceMs),
        isStopped ? ending.first : 'SIGTERM',
      );
  if (isStopped) {
    await Promise.race([exited, wait(maxExitWaitMs, undefined, { ref: false })]);
    await drainStreams(streams);
  }
  cancelEndOnExit();
  release(child);
  const timedOut = isStopped && deadline.timedOut;
  return finish({
    exitCode: child.exitCode,
    signal: child.signalCode,
    timedOut,
    aborted: isStopped && !timedOut,
    pid,
    survivors,
    limitReached: wrapper?.settle(pid) ?? null,
  });
}

interface StartedProcess {
  readonly ok: true;
  readonly child: ChildProcess;
  readonly pid: number;
  readonly exited: Promise<void>;
}

async function startProcess(
  options: RunProcessOptions,
  marker: string,
  wrapper: Pick<Jail, 'wrap'> | undefined,
): Promise<StartedProcess | SandboxFailure> {
  const { command, args = [], shell = false, cwd, stdin } = options;
  const environment = options.env ?? createCleanEnvironment();
  const invocation = createInvocation({
    command,
    args,
    shell,
    cwd,
    environment,
    joinStreams: options.streams !== 'separate',
    jail: wrapper,
  });
  if (!invocation.ok) return invocation;
  try {
    const child = spawn(invocation.file, invocation.args, {
      cwd,
      // The marker is appended, so that an outer run also finds the processes of an inner run.
      env: { ...environment, [markerVariable]: [process.env[markerVariable], marker].filter(Boolean).join(',') },
      stdio: [
        stdin === undefined ? 'ignore' : 'pipe',
        'pipe',
        invocation.isJoined ? 'ignore' : 'pipe',
        // Every process that holds this socket descends from the command.
        ...(process.platform === 'linux' ? (['pipe'] as const) : []),
      ],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: invocation.windowsVerbatimArguments,
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const error = await new Promise<unknown>((resolve) => {
      child.once('spawn', () => resolve(undefined));
      // Stays attached: an error event without a listener would end this process.
      child.on('error', resolve);
    });
    if (error !== undefined || child.pid === undefined) return spawnFailed(error);
    // A command that exits without reading its input breaks the pipe, which is not an error.
    child.stdin?.on('error', () => {});
    child.stdin?.end(stdin);
    const lifeline = child.stdio[lifelineDescriptor];
    if (lifeline instanceof Duplex) lifeline.on('error', () => {}).resume();
    return { ok: true, child, pid: child.pid, exited };
  } catch (error) {
    return spawnFailed(error);
  }
}

function spawnFailed(error: unknown): SandboxFailure {
  return createFailure('SPAWN_FAILED', `${errnoOf(error)} ${error instanceof Error ? error.message : ''}`.trim());
}

type OutputListener = (text: string, stream: OutputStream) => void;

function createOutputListener(onOutput: OutputListener | undefined): OutputListener {
  let listener = onOutput;
  return (text, stream) => {
    if (text === '') return;
    try {
      listener?.(text, stream);
    } catch {
      listener = undefined;
    }
  };
}

function listen(stream: Readable | null, capture: OutputCapture, name: OutputStream, notify: OutputListener): void {
  stream?.on('data', (bytes: Uint8Array) => notify(capture.push(bytes), name));
  stream?.on('error', () => {});
}

function waitForAbort(signal: AbortSignal): Promise<true> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(true);
    else signal.addEventListener('abort', () => resolve(true), { once: true });
  });
}

function release(child: ChildProcess): void {
  for (const stream of child.stdio) stream?.destroy();
  child.unref();
}

/** Lets this process exit while the command runs. */
function detach(child: ChildProcess): void {
  child.unref();
  for (const stream of child.stdio) if (stream instanceof Socket) stream.unref();
}
