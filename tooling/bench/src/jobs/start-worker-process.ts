import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('worker-process.ts', import.meta.url));

/** A worker in a process of its own. */
export interface WorkerProcess {
  /** Resolves when it prints this line. Rejects if it ends before. */
  line(expected: string): Promise<void>;
  kill(): void;
  stop(): Promise<void>;
}

/** Starts a worker, with the arguments of `worker-process.ts`. Resolves when it takes jobs. */
export async function startWorkerProcess(args: readonly string[]): Promise<WorkerProcess> {
  const child = spawn(process.execPath, ['--conditions=@haft/source', program, ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = new Set<string>();
  const output = createInterface(child.stdout).on('line', (line) => void lines.add(line));
  const line: WorkerProcess['line'] = (expected) =>
    new Promise((resolve, reject) => {
      const check = (): void => void (lines.has(expected) && resolve());
      output.on('line', check);
      child.once('exit', () => reject(new Error(`the worker ended before it printed "${expected}"`)));
      check();
    });
  await line('ready');
  return {
    line,
    kill: () => void child.kill('SIGKILL'),
    async stop() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}
