import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { Duplex, type Readable } from 'node:stream';
import { createCleanEnvironment, type Environment } from './clean-environment.ts';
import { drainStreams } from './drain-streams.ts';
import { endOnExit } from './end-on-exit.ts';
import { endProcesses } from './end-processes.ts';
import { createInvocation } from './invocation.ts';
import type { Jail } from './jail/jail.ts';
import { createOutputCapture, type CapturedOutput, type OutputCapture } from './output-capture.ts';
import { createProcessTree, lifelineDescriptor, markerVariable } from './process-tree.ts';
import { createFailure, errnoOf, type SandboxFailure } from './sandbox-failure.ts';
import { createTimeoutSignal } from './timeout-signal.ts';

/** The stream a piece of output came from; `output` may be both in one. */
export type OutputStream = 'output' | 'error';

/** What to run, and within which limits. */
export interface RunProcessOptions {
  /** A program, or with `shell` a line for it. */
  readonly command: string;
  /** Arguments, passed as they are. With `shell` they become `$1`, `$2`, … (not on Windows). */
  readonly args?: readonly string[];
  /** Run through a shell: true is `/bin/sh` (`cmd.exe` on Windows), a string names another that understands `-c`. Default false. */
  readonly shell?: boolean | string;
  /** The working directory, an absolute path. */
  readonly cwd: string;
  /** All variables the command gets. Default: `createCleanEnvironment()`. One is added, by which its descendants are known. */
  readonly env?: Environment;
  /** What the command reads. Default: nothing, and it sees the end at once. */
  readonly stdin?: string | Uint8Array;
  /** Aborting it ends the command and all it started. */
  readonly signal?: AbortSignal;
  /** Default 120,000 milliseconds; `Infinity` means none. */
  readonly timeoutMs?: number;
  /** How long processes may take to end after SIGTERM, before SIGKILL. Default 5,000 milliseconds. */
  readonly killGraceMs?: number;
  /** How much output is kept of each stream, half from the beginning and half from the end. Default 51,200 bytes. */
  readonly maxOutputBytes?: number;
  /**
   * `combined` (default) joins standard output and standard error in the order written (on Windows: in the order they
   * arrive); `separate` keeps them apart.
   */
  readonly streams?: 'combined' | 'separate';
  /** What becomes of processes that are alive when the command itself has ended by itself. Default `kill`. */
  readonly background?: 'kill' | 'keep';
  /**
   * What the command is kept in, made by `createJail`; the working directory has to be in its view. There SIGTERM ends all at
   * once, and the signal that ended a command is its exit code, 128 more.
   */
  readonly jail?: Jail;
  /** Called with plain text as it arrives, carriage returns left in. Once it throws, it is not called again. */
  readonly onOutput?: (text: string, stream: OutputStream) => void;
}

/** How a command ended. */
export interface ProcessResult {
  /** Null when a signal ended it, or when it never started. */
  readonly exitCode: number | null;
  /** The signal that ended it, such as `SIGKILL`. */
  readonly signal: NodeJS.Signals | null;
  /** The deadline passed. Never together with `aborted`. */
  readonly timedOut: boolean;
  /** The caller's signal aborted it. */
  readonly aborted: boolean;
  /**
   * Why it never started: `COMMAND_NOT_FOUND`, `SPAWN_FAILED`, or for the working directory `NOT_FOUND`, `NOT_DIRECTORY`,
   * `ACCESS_DENIED`, `INVALID_PATH`.
   */
  readonly failure: SandboxFailure | null;
  /** Both streams, or standard output alone with `streams: 'separate'`. */
  readonly output: CapturedOutput;
  /** Standard error with `streams: 'separate'`, else null. */
  readonly errorOutput: CapturedOutput | null;
  readonly durationMs: number;
  /** Null when it never started. */
  readonly pid: number | null;
  /** Ids of processes it started that are alive: kept ones, or ones that could not be ended. */
  readonly survivors: readonly number[];
}

const defaultOutputBytes = 51_200;
const backgroundGraceMs = 250;
const longestExitMs = 1_000;

/**
 * Runs a command to its end, and sees to it that it has one. Resolves always.
 *
 * The result comes when the command itself exits, not when every holder of its pipes does. At the deadline or when aborted,
 * the command and all it started get SIGTERM, and SIGKILL after `killGraceMs`; on Linux that reaches daemons that left group
 * and session too, unless they cleared their environment, closed what they inherited and lost their parent. Output up to then is returned. Memory stays
 * bounded whatever is written: escape sequences are removed, progress lines collapsed, bytes that are not UTF-8 replaced.
 * Should this process exit first, all is killed then.
 */
export async function runProcess(options: RunProcessOptions): Promise<ProcessResult> {
  const startedAt = performance.now();
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
    ...ending,
    output: output.finish(),
    errorOutput: errorOutput?.finish() ?? null,
    durationMs: performance.now() - startedAt,
  });

  if (options.signal?.aborted === true) return finish({ aborted: true });
  const marker = randomBytes(12).toString('hex');
  const started = await startProcess(options, marker);
  if (!started.ok) return finish({ failure: started });
  const { child, pid, exited } = started;
  const tree = createProcessTree(pid, marker);
  const callOffExit = endOnExit(tree);

  const tell = createTeller(options.onOutput);
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null);
  listen(child.stdout, output, 'output', tell);
  listen(child.stderr, errorOutput ?? output, 'error', tell);

  const deadline = createTimeoutSignal(options.signal, options.timeoutMs ?? 120_000);
  const isStopped = await Promise.race([exited.then(() => false), waitForAbort(deadline.signal)]);
  deadline.dispose();

  const graceMs = options.killGraceMs ?? 5_000;
  if (!isStopped) await drainStreams(streams);
  const keeps = !isStopped && options.background === 'keep';
  const survivors = keeps
    ? tree.findMembers()
    : await endProcesses(tree, isStopped ? graceMs : Math.min(graceMs, backgroundGraceMs));
  if (isStopped) {
    await Promise.race([exited, wait(longestExitMs, undefined, { ref: false })]);
    await drainStreams(streams);
  }
  callOffExit();
  release(child);
  const timedOut = isStopped && deadline.timedOut;
  return finish({
    exitCode: child.exitCode,
    signal: child.signalCode,
    timedOut,
    aborted: isStopped && !timedOut,
    pid,
    survivors,
  });
}

interface StartedProcess {
  readonly ok: true;
  readonly child: ChildProcess;
  readonly pid: number;
  readonly exited: Promise<void>;
}

async function startProcess(options: RunProcessOptions, marker: string): Promise<StartedProcess | SandboxFailure> {
  const { command, args = [], shell = false, cwd, stdin } = options;
  const environment = options.env ?? createCleanEnvironment();
  const invocation = createInvocation({
    command,
    args,
    shell,
    cwd,
    environment,
    joinStreams: options.streams !== 'separate',
    jail: options.jail,
  });
  if (!invocation.ok) return invocation;
  try {
    const child = spawn(invocation.file, invocation.args, {
      cwd,
      // A run inside a run stays findable for the outer one.
      env: { ...environment, [markerVariable]: [process.env[markerVariable], marker].filter(Boolean).join(',') },
      stdio: [
        stdin === undefined ? 'ignore' : 'pipe',
        'pipe',
        invocation.isJoined ? 'ignore' : 'pipe',
        // Whoever holds it descends from the command.
        ...(process.platform === 'linux' ? (['pipe'] as const) : []),
      ],
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: invocation.windowsVerbatimArguments,
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    const error = await new Promise<unknown>((resolve) => {
      child.once('spawn', () => resolve(undefined));
      // Stays for life: an error that nobody listens to would end this process.
      child.on('error', resolve);
    });
    if (error !== undefined || child.pid === undefined) return spawnFailed(error);
    // A command that exits without reading breaks the pipe; that is its right.
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

type Teller = (text: string, stream: OutputStream) => void;

function createTeller(onOutput: Teller | undefined): Teller {
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

function listen(stream: Readable | null, capture: OutputCapture, name: OutputStream, tell: Teller): void {
  stream?.on('data', (bytes: Uint8Array) => tell(capture.push(bytes), name));
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
