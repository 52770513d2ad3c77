import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import type { Jobs } from '@haft/jobs';

import type { Terminal } from '../program/terminal.ts';
import { createPaymentTools, missingPackage, payments, readBank } from './payment-tools.ts';

/** Options of {@link playPayments}. */
export interface PaymentSceneOptions {
  /** A folder for the jobs and the bank. */
  readonly state: string;
  readonly terminal: Pick<Terminal, 'paint'>;
  readonly signal: AbortSignal;
  /** Shows a line. */
  readonly say: (line: string, hang?: string) => void;
}

/** Kills a worker in the middle of two payments, and shows how another worker and a person resolve them. */
export async function playPayments({ state, terminal: { paint }, signal, say }: PaymentSceneOptions): Promise<void> {
  const bank = join(state, 'bank');
  const url = `file:${join(state, 'jobs')}`;
  say(paint('strong', 'a worker is killed in the middle of two payments'));
  const opened = await openAfterCrash(url, bank, signal);
  if (typeof opened === 'string') return say(paint('quiet', `  skipped: ${opened}`), '  ');
  say(
    paint(
      'warn',
      `  ▸ the worker got SIGKILL: the bank has paid ${readBank(bank).toSorted().join(' and ')}, but no result is stored`,
    ),
    '    ',
  );
  say('  Another worker takes the two jobs over. Neither tool runs again.');
  opened.work({ dispatcher: createPaymentTools(bank) });
  try {
    for (const job of (await opened.list()).toReversed()) {
      const result = await opened.job(job.id).result({ signal });
      const { state: end, note } = await opened.job(job.id).info();
      const name = `${job.tool} ${job.key}`;
      if (result.ok) {
        say(`  ${paint('good', '✓')} ${name}: ${end} (${note}): its recover() asked the bank`, '    ');
        continue;
      }
      say(`  ${paint('warn', '?')} ${name}: ${result.error.code}: ${result.error.message}`, '    ');
      await opened.settle(job.id, { as: 'done', by: 'you' });
      say(`  ${paint('good', '✓')} ${name}: a person looked at the bank's statement and settled it as done`, '    ');
    }
  } finally {
    await opened.close();
  }
  const made = readBank(bank);
  const counts = payments.map(({ key }) => `${key} ${made.filter((each) => each === key).length} ×`);
  say(paint('quiet', `  payments at the bank: ${counts.join(', ')}`));
}

/** Runs the worker that is killed, and opens its jobs. Returns a text if a package is missing. */
async function openAfterCrash(url: string, bank: string, signal: AbortSignal): Promise<Jobs | string> {
  const program = fileURLToPath(import.meta.url).replace(/payment-scene(?=\.[jt]s$)/, 'doomed-worker');
  const worker = spawn(process.execPath, [...process.execArgv, program, url, bank], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  let problem = '';
  worker.stderr.setEncoding('utf8').on('data', (text: string) => (problem += text));
  // An abort is reported by the signal.
  worker.on('error', () => undefined);
  const [code, killedBy] = (await once(worker, 'close')) as [number | null, NodeJS.Signals | null];
  signal.throwIfAborted();
  if (code === missingPackage) return problem.trim();
  if (killedBy !== 'SIGKILL') throw new Error(`the worker of the tour ended by itself: ${problem}`);
  const { openJobs } = await import('@haft/jobs');
  return openJobs({ url });
}
