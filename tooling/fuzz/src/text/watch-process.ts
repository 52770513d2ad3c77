import { fork } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { FuzzMessage, FuzzOrder, FuzzProgress } from './fuzz-process.ts';
import { endedBehind } from './guard-time.ts';
import type { Broken, Failure, FuzzInput } from './inputs/input.ts';

// If `HAFT_BUILT` is set, the built packages are used, which start faster than their sources.
const fromSource = process.env['HAFT_BUILT'] === undefined ? ['--conditions=@haft/source'] : [];

/** Options for watching a process. */
export interface WatchOptions {
  readonly order: Omit<FuzzOrder, 'current'>;
  readonly onProgress: (progress: FuzzProgress) => void;
  /** Called with each failure when it is found, so that none is lost with the process. */
  readonly onFailure: (failure: Failure) => void;
  /** Asks the process to end and to report its progress. */
  readonly signal?: AbortSignal;
  /** The file of the process. Only tests set it. */
  readonly module?: URL;
}

/**
 * Runs a fuzzing process to its end, or to the input that crashes it, which becomes its last failure. Returns its
 * progress. Rejects if it ends without having read any input.
 */
export async function watchProcess({
  order,
  onProgress,
  onFailure,
  signal,
  module,
}: WatchOptions): Promise<FuzzProgress> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-fuzz-'));
  const current = join(folder, 'current.jsonl');
  try {
    return await new Promise((resolve, reject) => {
      const file = module ?? new URL('fuzz-process.ts', import.meta.url);
      const child = fork(fileURLToPath(file), [JSON.stringify({ ...order, current } satisfies FuzzOrder)], {
        // Most objects are short-lived, so a larger young generation means less garbage collection.
        execArgv: [...fromSource, '--disable-warning=ExperimentalWarning', '--max-semi-space-size=32'],
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
        serialization: 'advanced',
      });
      let progress: FuzzProgress = { done: 0, full: 0, traits: 0 };
      let errors = '';
      let hasEnded = false;
      const askToEnd = (): void => void child.kill('SIGTERM');
      signal?.addEventListener('abort', askToEnd, { once: true });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-1_000)));
      child.on('message', (message: FuzzMessage) => {
        if ('failure' in message) return onFailure(message.failure);
        hasEnded ||= 'ended' in message;
        progress = 'ended' in message ? message.ended : message.progress;
        onProgress(progress);
      });
      child.on('error', reject);
      child.on('close', (code, killedBy) => {
        signal?.removeEventListener('abort', askToEnd);
        // A process that was asked to end while it started has read nothing, which is valid.
        if (hasEnded || signal?.aborted === true) return resolve(progress);
        const broken: Broken = existsSync(current + endedBehind)
          ? { law: 'reading comes to an end', detail: readFileSync(current + endedBehind, 'utf8') }
          : { law: 'no text takes the process down', detail: `ended by ${String(killedBy ?? code)} ${errors}` };
        const failure = readFailure(current, broken);
        if (failure === undefined) return reject(new Error(`the process ended before it read anything:\n${errors}`));
        onFailure(failure);
        resolve(progress);
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The input that a process was reading. The remainder of a longer earlier input may follow the first line break. */
function readFailure(current: string, broken: Broken): Failure | undefined {
  const [line = ''] = existsSync(current) ? readFileSync(current, 'utf8').split('\n') : [];
  if (line === '') return undefined;
  const input = JSON.parse(line) as FuzzInput;
  return { ...input, ...broken, original: input.text };
}
