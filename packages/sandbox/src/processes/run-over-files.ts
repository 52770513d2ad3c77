import { spawn } from 'node:child_process';
import type { Environment } from './clean-environment.ts';
import { descriptorOf, type ConfinedFile } from '../files/confined-read.ts';
import { createFailure, errnoOf, type SandboxFailure } from '../sandbox-failure.ts';

/** A program and the open files it is to read. */
export interface RunOverFilesOptions {
  /** Absolute. No shell is involved. */
  readonly program: string;
  /** Arguments that stand before the files. */
  readonly args: readonly string[];
  /** At most 1,000; they stay open. */
  readonly files: readonly ConfinedFile[];
  /** All variables it gets. Default: none. */
  readonly env?: Environment;
  /** Aborting it kills the program. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Standard output beyond it kills the program. Default 1 MiB. */
  readonly maxOutputBytes?: number;
}

/** How a program over files ended. */
export type RunOverFilesResult =
  | {
      readonly ok: true;
      readonly exitCode: number;
      /** Standard output. */
      readonly output: string;
      /** The file that a name in the output stands for, as an index of `files`. */
      indexOf(name: string): number | undefined;
    }
  | SandboxFailure;

const mostFiles = 1_000;
const firstDescriptor = 3;

/** Whether open files can be handed to a program under a name: `/proc/self/fd/N`, or `/dev/fd/N`. */
export const canRunOverFiles: boolean = process.platform === 'linux' || process.platform === 'darwin';

/**
 * Runs a program over files that are open already. It gets them open, and names for what it has open instead of paths: whatever
 * happens to the paths meanwhile, it reads the files that were checked and no others. Its working directory is the root, its
 * input and its standard error are empty. `SPAWN_FAILED` when it can't be started, has no exit code, or oversteps a limit.
 *
 * The program is trusted to start no others: at its end only it is killed.
 */
export function runOverFiles(options: RunOverFilesOptions): Promise<RunOverFilesResult> {
  const descriptors = options.files.map(descriptorOf);
  if (!canRunOverFiles || descriptors.length > mostFiles || descriptors.includes(undefined))
    return Promise.resolve(createFailure('SPAWN_FAILED', 'Those files can not be handed to a program'));
  const directory = process.platform === 'linux' ? '/proc/self/fd/' : '/dev/fd/';
  const names = descriptors.map((_, index) => `${directory}${index + firstDescriptor}`);
  return new Promise((resolve) => {
    const fail = (reason: string): void => resolve(createFailure('SPAWN_FAILED', `${options.program}: ${reason}`));
    const { signal, timeoutMs, maxOutputBytes = 1_048_576 } = options;
    if (signal.aborted) return fail('aborted');
    try {
      const child = spawn(options.program, [...options.args, ...names], {
        cwd: '/',
        env: { ...options.env },
        stdio: ['ignore', 'pipe', 'ignore', ...descriptors.map((descriptor) => descriptor!)],
      });
      const chunks: Buffer[] = [];
      let bytes = 0;
      let reason: string | undefined;
      const stop = (why: string): void => {
        reason ??= why;
        child.kill('SIGKILL');
      };
      const timer = setTimeout(() => stop('it took too long'), timeoutMs);
      const onAbort = (): void => stop('aborted');
      signal.addEventListener('abort', onAbort, { once: true });
      child.stdout?.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes > maxOutputBytes) stop('it printed too much');
        else chunks.push(chunk);
      });
      child.stdout?.on('error', () => {});
      child.on('error', (error) => (reason ??= errnoOf(error)));
      child.on('close', (exitCode) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        if (reason !== undefined || exitCode === null || exitCode < 0) return fail(reason ?? 'it was killed');
        const indices = new Map(names.map((name, index) => [name, index]));
        resolve({ ok: true, exitCode, output: Buffer.concat(chunks).toString(), indexOf: (name) => indices.get(name) });
      });
    } catch (error) {
      fail(errnoOf(error));
    }
  });
}
