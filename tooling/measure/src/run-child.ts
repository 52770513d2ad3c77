import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);

export interface ChildOptions {
  readonly cwd?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Runs Node as in production and returns the one JSON value that it prints. Rejects with its standard error. */
export async function runChild<Outcome>(args: readonly string[], options: ChildOptions = {}): Promise<Outcome> {
  const { NODE_OPTIONS: _options, ...inherited } = process.env;
  const { stdout } = await execute(process.execPath, args, {
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    env: { ...inherited, NODE_ENV: 'production', ...options.environment },
    timeout: options.timeoutMs ?? 0,
    maxBuffer: 1e8,
  });
  return JSON.parse(stdout) as Outcome;
}

/** Runs a module of the sources in the same way, with flags for Node before it. */
export function runModule<Outcome>(
  module: URL,
  args: readonly string[] = [],
  { flags = [], ...options }: ChildOptions & { readonly flags?: readonly string[] } = {},
): Promise<Outcome> {
  return runChild([...flags, '--conditions=@haft/source', fileURLToPath(module), ...args], options);
}
