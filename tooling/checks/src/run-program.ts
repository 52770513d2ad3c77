import { spawn } from 'node:child_process';

const deadlineMs = 60_000;

/**
 * Runs TypeScript from standard input as if it were a file in a folder, without writing one. Resolves to undefined if
 * it succeeds, otherwise to its output.
 */
export function runProgram(code: string, directory: string): Promise<string | undefined> {
  const { NODE_OPTIONS: _options, ...environment } = process.env;
  return new Promise((resolve) => {
    const child = spawn(process.execPath, ['--conditions=@haft/source', '--input-type=module-typescript', '-'], {
      cwd: directory,
      env: { ...environment, NODE_ENV: 'production', NO_COLOR: '1' },
      stdio: ['pipe', 'ignore', 'pipe'],
      timeout: deadlineMs,
      killSignal: 'SIGKILL',
    });
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
    child.once('error', (error) => resolve(error.message));
    child.once('close', (exitCode, signal) => {
      if (exitCode === 0) resolve(undefined);
      else resolve(signal === null ? excerpt(errors) : `it was still running after ${deadlineMs / 1000} s`);
    });
    // Ignored: a program that ends before it has read its source closes the pipe, and its exit code reports the
    // failure.
    child.stdin.on('error', () => {}).end(code);
  });
}

function excerpt(errors: string): string {
  const lines = errors
    .split('\n')
    .filter((line) => line.trim() !== '' && !/^\s+at |^node:internal|^Node\.js v/.test(line));
  return lines.slice(0, 12).join('\n    ') || 'it ended with an error and no output';
}
