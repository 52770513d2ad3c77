import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Arguments that run the program: from source, or as it was built if `HAFT_BUILT` is set, which starts faster.
 * `--liftoff-only` skips optimizing the WebAssembly of the database, which takes longer than these programs run.
 */
export const cliArguments: readonly string[] = [
  '--liftoff-only',
  ...(process.env['HAFT_BUILT'] === undefined
    ? ['--conditions=@haft/source', fileOf('../main.ts')]
    : [fileOf('../../dist/main.js')]),
];

/** Result of a run. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Options of {@link runCli}. */
export interface RunCliOptions {
  readonly cwd?: string;
  /** Standard input. Default: empty. */
  readonly input?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Receives output as it arrives and may act on the process. */
  readonly onOutput?: (output: string, child: ChildProcessWithoutNullStreams) => void;
}

/** State of the runs of this test file, outside the tester's home folder. */
const state = mkdtempSync(join(tmpdir(), 'haft-state-'));
process.once('exit', () => rmSync(state, { recursive: true, force: true }));

const compiled = fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url));

/** Environment without colours, keys or variables of a test runner. */
export function cliEnvironment(more: Readonly<Record<string, string | undefined>> = {}): NodeJS.ProcessEnv {
  // Keeps Node's compile cache, because the program starts from source about a hundred times.
  const { PATH, HOME, TMPDIR, NODE_COMPILE_CACHE = compiled } = process.env;
  return {
    PATH,
    HOME,
    NODE_COMPILE_CACHE,
    XDG_STATE_HOME: state,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    ...more,
  };
}

/** Runs the program in its own session, without a terminal to ask at. */
export function runCli(args: readonly string[], options: RunCliOptions = {}): Promise<CliResult> {
  const { cwd, input = '', env, onOutput } = options;
  const child = spawn(process.execPath, [...cliArguments, ...args], { cwd, env: cliEnvironment(env), detached: true });
  let stdout = '';
  let stderr = '';
  child.stdin.on('error', () => {
    // The program may end without reading.
  });
  child.stdin.end(input);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    onOutput?.(stdout, child);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
