import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The path of a program of these benchmarks. */
export function programAt(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Runs a program to its end and returns its output. `core` pins it to one processor if the machine supports that. */
export function runProgram<Outcome>(
  name: string,
  args: readonly string[],
  options: { readonly timeoutMs: number; readonly core?: number },
): Promise<Outcome> {
  const [command, ...more] = commandOf(name, args, options.core);
  return new Promise((resolve, reject) => {
    execFile(
      command,
      more,
      { env: environment(), timeout: options.timeoutMs, maxBuffer: 10_000_000 },
      (error, stdout, stderr) => {
        if (error) reject(new Error(`${name} ${args.join(' ')}: ${stderr.slice(-2_000) || error.message}`));
        else resolve(JSON.parse(stdout) as Outcome);
      },
    );
  });
}

/** Starts a server. Resolves once the server has printed its port. */
export async function startServer(
  name: string,
  args: readonly string[],
  options: { readonly core?: number } = {},
): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const [command, ...more] = commandOf(name, args, options.core);
  const child = spawn(command, more, { env: environment(), stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<number>((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (piece: Buffer) => {
      said = (said + piece.toString()).slice(-10_000);
      const found = /^port (\d+)$/m.exec(said)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${name} ${args.join(' ')} ended: ${said.slice(-500)}`)));
  });
  return { child, port };
}

/** Stops a program and waits for its exit. */
export async function endProgram(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

function commandOf(name: string, args: readonly string[], core: number | undefined): readonly [string, ...string[]] {
  const program = [process.execPath, '--conditions=@haft/source', programAt(name), ...args] as const;
  return core === undefined || process.platform !== 'linux' ? program : ['taskset', '-c', String(core), ...program];
}

function environment(): NodeJS.ProcessEnv {
  const { NODE_OPTIONS: _options, ...rest } = process.env;
  return { ...rest, NODE_ENV: 'production' };
}
