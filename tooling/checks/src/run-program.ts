import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A TypeScript program, as if it were a file in a folder. */
export interface Program {
  readonly code: string;
  readonly directory: string;
}

const deadlineMs = 60_000;
const isLong = process.env['HAFT_TEST_LONG'] !== undefined;
/** Arguments of Node with which a program uses the sources of packages. */
export const fromSource: readonly string[] = ['--conditions=@haft/source'];
// If `HAFT_BUILT` is set, the built packages are used, which start faster than their sources.
const asTested = process.env['HAFT_BUILT'] === undefined ? fromSource : [];
// The embedded database of `@haft/jobs` is ten megabytes of WebAssembly. Optimizing it takes longer than a program uses it.
const unoptimized = '--liftoff-only';
const runner = fileURLToPath(new URL('run-in-order.ts', import.meta.url));

/** Runs a program without writing a file. Resolves to undefined if it succeeds, otherwise to its output. */
export async function runProgram(
  code: string,
  directory: string,
  conditions: readonly string[] = asTested,
): Promise<string | undefined> {
  const args = [unoptimized, ...conditions, '--input-type=module-typescript', '-'];
  return (await start(args, code, directory, deadlineMs)).failure;
}

/**
 * Runs programs and resolves to the failure of each, or undefined. They share one process, one after the other, because
 * loading the packages takes longer than most programs. If that process fails, each program runs in its own process,
 * and so does each if `HAFT_TEST_LONG` is set.
 */
export async function runPrograms(programs: readonly Program[]): Promise<readonly (string | undefined)[]> {
  if (!isLong && programs.length > 1 && (await succeedTogether(programs))) return programs.map(() => undefined);
  const failures: (string | undefined)[] = [];
  for (const { code, directory } of programs) failures.push(await runProgram(code, directory));
  return failures;
}

async function succeedTogether(programs: readonly Program[]): Promise<boolean> {
  const { failure, finished } = await start(
    [unoptimized, ...asTested, runner],
    JSON.stringify(programs),
    undefined,
    4 * deadlineMs,
  );
  return failure === undefined && finished === programs.length;
}

interface Outcome {
  readonly failure: string | undefined;
  /** Number of programs that {@link runner} has reported. */
  readonly finished: number;
}

function start(
  args: readonly string[],
  input: string,
  directory: string | undefined,
  timeout: number,
): Promise<Outcome> {
  const { NODE_OPTIONS: _options, ...environment } = process.env;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, {
      cwd: directory,
      env: { ...environment, NODE_ENV: 'production', NO_COLOR: '1' },
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
      timeout,
      killSignal: 'SIGKILL',
    });
    let errors = '';
    let finished = 0;
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.stdio[3]!.on('data', (bytes: Buffer) => (finished += bytes.length));
    const end = (failure: string | undefined): void => resolve({ failure, finished });
    child.once('error', (error) => end(error.message));
    child.once('close', (exitCode, signal) => {
      if (exitCode === 0) end(undefined);
      else end(signal === null ? excerpt(errors) : `it was still running after ${timeout / 1000} s`);
    });
    // Ignored: a program that ends before it has read its source closes the pipe, and its exit code reports the
    // failure.
    child.stdin!.on('error', () => {}).end(input);
  });
}

function excerpt(errors: string): string {
  const lines = errors
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at |^node:internal|^Node\.js v/.test(line));
  return lines.slice(0, 12).join('\n    ') || 'it ended with an error and no output';
}
