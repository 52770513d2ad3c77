import { spawn } from 'node:child_process';
import type { Environment } from './clean-environment.ts';
import { descriptorOf, type ConfinedFile } from '../files/confined-read.ts';
import { createFailure, errnoOf, type SandboxFailure } from '../sandbox-failure.ts';

/** Options of {@link runOverFiles}. */
export interface RunOverFilesOptions {
  /** Absolute path. No shell is involved. */
  readonly program: string;
  /** Arguments before the file names. */
  readonly args: readonly string[];
  /** At most 1,000 files. They remain open. */
  readonly files: readonly ConfinedFile[];
  /** All environment variables. Default: none. */
  readonly env?: Environment;
  /** Kills the program when it aborts. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Maximum size of standard output. Exceeding it kills the program. Default 1 MiB. */
  readonly maxOutputBytes?: number;
}

/** The result of {@link runOverFiles}. */
export type RunOverFilesResult =
  | {
      readonly ok: true;
      readonly exitCode: number;
      /** Standard output. */
      readonly output: string;
      /** Returns the index in `files` of a name in the output. */
      indexOf(name: string): number | undefined;
    }
  | SandboxFailure;

const maxFiles = 1_000;
const firstDescriptor = 3;

/** Whether open files can be passed to a program by name: `/proc/self/fd/N` or `/dev/fd/N`. */
export const canRunOverFiles: boolean = process.platform === 'linux' || process.platform === 'darwin';

/**
 * Runs a program on open files. The program inherits the descriptors and receives names for them instead of paths, so
 * it reads exactly the files that were checked, whatever happens to the paths. It runs in the root directory with empty
 * input; standard error is discarded. Returns `SPAWN_FAILED` if it cannot be started, has no exit code or exceeds a
 * limit.
 *
 * The program is trusted not to start other processes: only the program itself is killed at the end.
 */
export function runOverFiles(options: RunOverFilesOptions): Promise<RunOverFilesResult> {
  const descriptors = options.files.map(descriptorOf);
  if (!canRunOverFiles || descriptors.length > maxFiles || descriptors.includes(undefined))
    return Promise.resolve(createFailure('SPAWN_FAILED', 'files: cannot be passed to a program'));
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
