import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const execute = promisify(execFile);
const folder = fileURLToPath(new URL('../..', import.meta.url));

/** Runs Node as in production and reads the one JSON value that it prints. Rejects with what it complained of. */
export async function runChild(args: readonly string[]): Promise<number> {
  const { NODE_OPTIONS: _options, ...environment } = process.env;
  const env = { ...environment, NODE_ENV: 'production' };
  const { stdout } = await execute(process.execPath, args, { cwd: folder, env });
  const value: unknown = JSON.parse(stdout);
  if (typeof value !== 'number') throw new Error(`${args.join(' ')} printed ${stdout}`);
  return value;
}
