import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

import type { Contender, Pace, Sample } from './contender.ts';
import { environmentOf } from './run-child.ts';
import { bestOf, medianOf } from './statistics.ts';

/** The results of one contender's rounds. */
export interface Measurement {
  readonly name: string;
  /** Processor time per operation: the median and the best of all rounds, in microseconds. */
  readonly cpuMedian: number;
  readonly cpuBest: number;
  readonly wallMedian: number;
}

const defaultPace: Pace = { warmUpMs: 1_200, roundMs: 150 };

/**
 * Measures contenders against each other: each in a separate process, so that none spoils the optimized code of
 * another, and in interleaved rounds, so that noise affects all alike. Rejects if a contender fails.
 */
export async function measureSideBySide(
  contenders: readonly Contender[],
  options: { readonly rounds: number; readonly log: (line: string) => void; readonly pace?: Pace },
): Promise<readonly Measurement[]> {
  const processes = new Map<Contender, ChildProcess>();
  const samples = new Map<Contender, Sample[]>();
  try {
    for (const contender of contenders) {
      options.log(`  warming up ${contender.name}`);
      // One after another, because two warm-ups at once would disturb each other.
      processes.set(contender, await start(contender, options.pace ?? defaultPace));
      samples.set(contender, []);
    }
    for (let round = 0; round < options.rounds; round += 1) {
      options.log(`  round ${round + 1} of ${options.rounds}`);
      // Every round begins with a different contender, so that no contender always follows the same one.
      for (const contender of rotate(contenders, round)) {
        const process = processes.get(contender);
        if (process !== undefined) samples.get(contender)?.push(await askForRound(process, contender.name));
      }
    }
  } finally {
    for (const process of processes.values()) process.kill('SIGKILL');
  }
  return contenders.map((contender) => {
    const rounds = samples.get(contender) ?? [];
    const cpu = rounds.map((sample) => sample.cpuMicroseconds);
    return {
      name: contender.name,
      cpuMedian: medianOf(cpu),
      // Uses the difference of the two smallest values, because the smallest difference may be negative with noise.
      cpuBest: bestOf(rounds.map((sample) => sample.cpuOfWork)) - bestOf(rounds.map((sample) => sample.cpuOfBaseline)),
      wallMedian: medianOf(rounds.map((sample) => sample.wallMicroseconds)),
    };
  });
}

function rotate<Item>(items: readonly Item[], by: number): readonly Item[] {
  const start = items.length === 0 ? 0 : by % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

async function start({ name, module, options = {} }: Contender, pace: Pace): Promise<ChildProcess> {
  const child = fork(
    fileURLToPath(new URL('contender-process.ts', import.meta.url)),
    [module.href, JSON.stringify(options), JSON.stringify(pace)],
    {
      execArgv: ['--conditions=@haft/source'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: environmentOf({}),
    },
  );
  try {
    await nextMessage(child, name);
    return child;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

async function askForRound(child: ChildProcess, name: string): Promise<Sample> {
  child.send('round');
  return (await nextMessage(child, name)) as Sample;
}

async function nextMessage(child: ChildProcess, name: string): Promise<unknown> {
  let errors = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const stop = new AbortController();
  const { signal } = stop;
  try {
    const message = once(child, 'message', { signal });
    const end = once(child, 'close', { signal }).then(([code]) => {
      throw new Error(`${name} ended with ${String(code)} instead of being measured:\n${errors}`);
    });
    const [value] = await Promise.race([message, end]);
    return value;
  } finally {
    // Aborting the slower promise causes no unhandled rejection, because both promises were raced.
    stop.abort();
    child.stderr?.removeAllListeners('data').resume();
  }
}
