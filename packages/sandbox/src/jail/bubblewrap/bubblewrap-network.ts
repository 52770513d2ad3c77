import type { SharedNetwork } from '../contract/jail-driver.ts';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { findProgramOutsideJail } from './find-program-outside-jail.ts';
import type { JailCommand } from '../contract/jail.ts';

/** Options of {@link openSharedNetwork}. */
export interface SharedNetworkOptions {
  /**
   * Starts the forwarder in new namespaces. It prints `ready`, and bubblewrap reports its process on {@link
   * infoDescriptor}.
   */
  readonly wrapper: JailCommand;
  /** Returns a jailed command that prints its own network (`/proc/self/ns/net`), run inside the shared network. */
  readonly test: (enterCommand: readonly string[]) => JailCommand;
  /** Paths that jailed commands may write. */
  readonly writable: readonly string[];
}

/** The descriptor on which bubblewrap reports the process it started. */
export const infoDescriptor = 3;

/** Starting a program takes seconds on a busy machine; without a shared network, every command would need that time. */
const startMs = 20_000;

/**
 * Opens a network that the commands of a jail share, and tests it by running a jailed command in it. Returns undefined
 * if that fails.
 */
export async function openSharedNetwork(options: SharedNetworkOptions): Promise<SharedNetwork | undefined> {
  const nsenter = findProgramOutsideJail('nsenter', options.writable);
  if ('reason' in nsenter) return undefined;
  const wrapper = await startForwarder(options.wrapper);
  if (wrapper === undefined) return undefined;
  const { child, pid } = wrapper;
  const held: number[] = [];
  // Held open, so that the process id cannot be reused: a namespace is named by an open descriptor of this process.
  const openNamespace = (name: string): string => {
    held.push(openSync(`/proc/${pid}/ns/${name}`, 'r'));
    return `/proc/${process.pid}/fd/${held.at(-1)}`;
  };
  let isOpen = true;
  child.once('exit', () => (isOpen = false));
  const close = (): void => {
    isOpen = false;
    child.kill('SIGKILL');
    for (const descriptor of held.splice(0)) closeSync(descriptor);
  };
  try {
    const enterCommand = [
      nsenter.file,
      '--preserve-credentials',
      `--user=${openNamespace('user')}`,
      `--net=${openNamespace('net')}`,
      '--',
    ];
    const inside = fstatSync(held.at(-1)!, { bigint: true }).ino;
    const outside = statSync('/proc/self/ns/net', { bigint: true }).ino;
    const printed = await run(options.test(enterCommand));
    if (inside !== outside && printed.trim() === `net:[${inside}]`)
      return { enterCommand: () => (isOpen ? enterCommand : undefined), close };
  } catch {
    // The process ended at once, or its namespaces are not accessible.
  }
  close();
  return undefined;
}

/** Starts the forwarder and waits until it listens. */
function startForwarder(
  command: JailCommand,
): Promise<{ readonly child: ChildProcess; readonly pid: number } | undefined> {
  const child = spawn(command.file, command.args, {
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
  });
  const output = child.stdout!;
  const info = child.stdio[infoDescriptor] as Readable;
  child.unref();
  return new Promise((resolve) => {
    let printed = '';
    let reported = '';
    const settle = (pid: number): void => {
      clearTimeout(timer);
      output.destroy();
      info.destroy();
      if (pid === 0) child.kill('SIGKILL');
      resolve(pid === 0 ? undefined : { child, pid });
    };
    const check = (): void => {
      const pid = Number(/"child-pid":\s*(\d+)/.exec(reported)?.[1] ?? 0);
      if (pid > 0 && printed === 'ready') settle(pid);
    };
    const timer = setTimeout(() => settle(0), startMs);
    child.once('error', () => settle(0)).once('exit', () => settle(0));
    output.setEncoding('utf8').on('data', (chunk: string) => ((printed += chunk), check()));
    info.setEncoding('utf8').on('data', (chunk: string) => ((reported += chunk), check()));
    output.on('error', () => {});
    info.on('error', () => {});
  });
}

function run(command: JailCommand): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { timeout: startMs, env: {}, cwd: '/', encoding: 'utf8' } as const;
    execFile(command.file, command.args, options, (error, stdout) => (error ? reject(error) : resolve(stdout)));
  });
}
