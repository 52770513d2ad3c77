import { spawn } from 'node:child_process';

/** The output of a command that succeeded. */
export interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program to its end. Rejects with all its output if it fails or exceeds `timeoutMs`. */
export function runCommand(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly environment?: Readonly<Record<string, string>>;
    readonly timeoutMs?: number;
  },
): Promise<CommandOutput> {
  const { timeoutMs = 240_000 } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', FORCE_COLOR: '0', ...options.environment },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.once('error', (error) => reject(new Error(`${program} did not start: ${error.message}`)));
    child.once('close', (code, signal) => {
      if (code === 0) return resolve({ stdout, stderr });
      const ended = signal === null ? `ended with ${code}` : `was stopped after ${timeoutMs / 1000} s`;
      reject(new Error(`${program} ${args.join(' ')} ${ended}:\n${stdout}${stderr}`.trim()));
    });
  });
}
