import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface ChildOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** The processor that runs the process, on Linux. Default: any. */
  readonly core?: number;
}

/** Options of a process that runs a module of the sources, with flags for Node. */
export interface ModuleOptions extends ChildOptions {
  readonly flags?: readonly string[];
}

/** Runs Node as in production and returns the one JSON value that it prints. Rejects with its standard error. */
export function runChild<Outcome>(args: readonly string[], options: ChildOptions = {}): Promise<Outcome> {
  return run([process.execPath, ...args], options);
}

/** Runs a module of the sources in the same way. */
export function runModule<Outcome>(
  module: URL,
  args: readonly string[] = [],
  options: ModuleOptions = {},
): Promise<Outcome> {
  return run(commandOf(module, args, options), options);
}

/** The command line that runs a module of the sources. */
export function commandOf(
  module: URL,
  args: readonly string[],
  { flags = [], core }: ModuleOptions,
): readonly [string, ...string[]] {
  const command = [process.execPath, ...flags, '--conditions=@haft/source', fileURLToPath(module), ...args] as const;
  return core === undefined || process.platform !== 'linux' ? command : ['taskset', '-c', `${core}`, ...command];
}

/** The environment of production, without the flags of this process. */
export function environmentOf({ environment }: ChildOptions): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, ...inherited } = process.env;
  return { ...inherited, NODE_ENV: 'production', ...environment };
}

async function run<Outcome>(
  [command, ...args]: readonly [string, ...string[]],
  options: ChildOptions,
): Promise<Outcome> {
  const { stdout } = await execute(command, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: environmentOf(options),
    timeout: options.timeoutMs ?? 0,
    maxBuffer: 1e8,
  });
  return JSON.parse(stdout) as Outcome;
}
