/**
 * The process of one contender. Its parent passes the module, its options and its pace as arguments, then requests one
 * round after another by message.
 */
import type { MakeWork, Pace, Sample, Work } from './contender.ts';

/** Limit of the warm-up's wall time, as a multiple of its processor time. */
const maxWarmUpFactor = 6;

const [modulePath, optionsText = '{}', paceText = ''] = process.argv.slice(2);
if (modulePath === undefined || process.send === undefined) throw new Error('started by measureSideBySide only');

const { default: makeWork } = (await import(modulePath)) as { readonly default: MakeWork };
const work = await makeWork(JSON.parse(optionsText) as Readonly<Record<string, unknown>>);
// The first call proves that the work succeeds.
await work.run();
await work.baseline?.();
const runsPerRound = await warmUp(work, JSON.parse(paceText) as Pace);

process.on('message', () => void measureRound(work, runsPerRound).then((sample) => process.send?.(sample)));
// Ends with the parent, which alone needs the numbers.
process.on('disconnect', () => process.exit());
process.send('ready');

/** Runs until V8 has optimized the code, and determines the number of runs in a round. */
async function warmUp({ run, baseline }: Work, { warmUpMs, roundMs }: Pace): Promise<number> {
  let runs = 0;
  let spentMs = 0;
  const start = performance.now();
  const cpu = process.cpuUsage();
  // Measures its own processor time, because other processes may use the processor. Wall time limits work that only
  // waits.
  while (spentMs < warmUpMs && performance.now() - start < maxWarmUpFactor * warmUpMs) {
    for (let index = 0; index < 10; index += 1) {
      await run();
      await baseline?.();
    }
    runs += 10;
    const { user, system } = process.cpuUsage(cpu);
    spentMs = (user + system) / 1_000;
  }
  const isIdle = spentMs < warmUpMs / 2;
  return Math.max(5, Math.round((runs / (isIdle ? performance.now() - start : spentMs)) * roundMs));
}

async function measureRound({ run, baseline, operations = 1 }: Work, runs: number): Promise<Sample> {
  const empty: Spent = { cpuMicroseconds: 0, wallMicroseconds: 0 };
  const full = await measure(run, runs);
  const less = baseline === undefined ? empty : await measure(baseline, runs);
  return {
    cpuMicroseconds: (full.cpuMicroseconds - less.cpuMicroseconds) / operations,
    wallMicroseconds: (full.wallMicroseconds - less.wallMicroseconds) / operations,
    cpuOfWork: full.cpuMicroseconds / operations,
    cpuOfBaseline: less.cpuMicroseconds / operations,
  };
}

type Spent = Pick<Sample, 'cpuMicroseconds' | 'wallMicroseconds'>;

async function measure(run: () => Promise<unknown>, runs: number): Promise<Spent> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (let index = 0; index < runs; index += 1) await run();
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMicroseconds: (user + system) / runs, wallMicroseconds: (wall * 1_000) / runs };
}
