import { fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FuzzMessage, FuzzOrder } from './fuzz-process.ts';
import type { Broken, Failure, FuzzInput } from './input.ts';
import type { FuzzReport } from './run-fuzz.ts';

/** How a process is watched. */
export interface WatchOptions {
  readonly order: Omit<FuzzOrder, 'current'>;
  /** A process that says nothing for so long is ended: it is reading something on which reading never ends. */
  readonly silenceMs: number;
  readonly onDone: (done: number) => void;
  /** The file of the process; another one only in tests. */
  readonly module?: URL;
}

/**
 * Runs a fuzzing process to its end, or to the input that it does not survive, which comes back as the one failure of its
 * report. Rejects when it ends without having read anything.
 */
export async function watchProcess({ order, silenceMs, onDone, module }: WatchOptions): Promise<FuzzReport> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-fuzz-'));
  const current = join(folder, 'current.jsonl');
  try {
    return await new Promise((resolve, reject) => {
      const file = module ?? new URL('fuzz-process.ts', import.meta.url);
      const child = fork(fileURLToPath(file), [JSON.stringify({ ...order, current } satisfies FuzzOrder)], {
        execArgv: ['--conditions=@haft/source', '--disable-warning=ExperimentalWarning'],
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        serialization: 'advanced',
      });
      let done = 0;
      let errors = '';
      let report: FuzzReport | undefined;
      let isSilent = false;
      const end = (): void => {
        isSilent = true;
        child.kill('SIGKILL');
      };
      let timer = setTimeout(end, silenceMs);
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-1_000)));
      child.on('message', (message: FuzzMessage) => {
        clearTimeout(timer);
        timer = setTimeout(end, silenceMs);
        if ('report' in message) report = message.report;
        else onDone((done = message.done));
      });
      child.on('error', reject);
      child.on('close', (code) => {
        clearTimeout(timer);
        if (report !== undefined) return resolve(report);
        const broken: Broken = isSilent
          ? { law: 'reading comes to an end', detail: `nothing for ${silenceMs / 1_000} s` }
          : { law: 'no text takes the process down', detail: `exit code ${String(code)} ${errors}` };
        const failure = readFailure(current, broken);
        if (failure === undefined) reject(new Error(`the process ended before it read anything:\n${errors}`));
        else resolve({ done, failures: [failure], traits: 0 });
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The input that a process was reading. A longer one before it may have left its end behind the first line break. */
function readFailure(current: string, broken: Broken): Failure | undefined {
  const [line = ''] = readFileSync(current, 'utf8').split('\n');
  if (line === '') return undefined;
  const input = JSON.parse(line) as FuzzInput;
  return { ...input, ...broken, original: input.text };
}
