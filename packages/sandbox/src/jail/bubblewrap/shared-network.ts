import type { SharedNetwork } from '../contract/jail-driver.ts';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync, statSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { findSystemProgram } from './find-system-program.ts';
import type { JailCommand } from '../contract/jail.ts';

/** What a shared network is made with. */
export interface SharedNetworkOptions {
  /** Starts the program that forwards in there, in namespaces of its own; it writes `ready`, and bubblewrap tells of it on {@link infoDescriptor}. */
  readonly keeper: JailCommand;
  /** The command that tells its own network (`/proc/self/ns/net`), jailed as all commands are, by way of the entrance. */
  readonly tryOut: (entrance: readonly string[]) => JailCommand;
  /** What those may write who are kept in. */
  readonly writable: readonly string[];
}

/** Where bubblewrap tells which process it has started. */
export const infoDescriptor = 3;

/** A busy machine takes seconds to start a program, and without a network to share each command would take them. */
const startMs = 20_000;

/**
 * Opens a network that commands can share, tried out before it is given: a jailed command that enters it has to say that it is
 * there. Undefined where that can't be had.
 */
export async function openSharedNetwork(options: SharedNetworkOptions): Promise<SharedNetwork | undefined> {
  const nsenter = findSystemProgram('nsenter', options.writable);
  if ('reason' in nsenter) return undefined;
  const keeper = await startKeeper(options.keeper);
  if (keeper === undefined) return undefined;
  const { child, pid } = keeper;
  const held: number[] = [];
  // Held open, so that its number can never mean another process: the name of a namespace is an open file of this one.
  const hold = (name: string): string => {
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
    const entrance = [nsenter.file, '--preserve-credentials', `--user=${hold('user')}`, `--net=${hold('net')}`, '--'];
    const inside = fstatSync(held.at(-1)!, { bigint: true }).ino;
    const outside = statSync('/proc/self/ns/net', { bigint: true }).ino;
    const said = await run(options.tryOut(entrance));
    if (inside !== outside && said.trim() === `net:[${inside}]`)
      return { entrance: () => (isOpen ? entrance : undefined), close };
  } catch {
    // It ended at once, or its namespaces are not to be looked at.
  }
  close();
  return undefined;
}

/** Starts the forwarder, and waits until it listens. */
function startKeeper(
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
    let said = '';
    let told = '';
    const settle = (pid: number): void => {
      clearTimeout(timer);
      output.destroy();
      info.destroy();
      if (pid === 0) child.kill('SIGKILL');
      resolve(pid === 0 ? undefined : { child, pid });
    };
    const look = (): void => {
      const pid = Number(/"child-pid":\s*(\d+)/.exec(told)?.[1] ?? 0);
      if (pid > 0 && said === 'ready') settle(pid);
    };
    const timer = setTimeout(() => settle(0), startMs);
    child.once('error', () => settle(0)).once('exit', () => settle(0));
    output.setEncoding('utf8').on('data', (chunk: string) => ((said += chunk), look()));
    info.setEncoding('utf8').on('data', (chunk: string) => ((told += chunk), look()));
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
