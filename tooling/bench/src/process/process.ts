import { versionOf } from '@haft-tooling/peers/version-of';
import type { Bar, Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { atMost, exactly, inRounds, medianOf, toRow } from '@haft-tooling/measure';
import { countSurvivors } from './count-survivors.ts';
import { runInProcess, type CommandCost } from './run-in-process.ts';

const mebi = 1_048_576;
const pi = `pi-coding-agent ${versionOf('@earendil-works/pi-coding-agent')}: bash`;
const execa = `execa ${versionOf('execa')}`;
const bare = 'node:child_process exec';
const names = { haft: 'Haft', pi, execa, exec: bare } as const;

const flooding = ['haft', 'pi'] as const;
const leaving = ['haft', 'pi', 'execa', 'exec'] as const;
const spillBytes = 64 * mebi;

/**
 * Measures the cost of misbehaving commands for the program that runs them, and the processes and files that they leave
 * behind.
 */
export const processBenchmark: Benchmark = {
  summary:
    'Commands that flood, outlive their shell or do not end: memory, delays, disk and survivors, compared with other tools for agents.',
  async run(options) {
    const rounds = Math.min(options.rounds, 3);
    const bytes = options.full ? 1_000_000_000 : 200_000_000;
    const rows: MeasuredRow[] = [];
    for (const [what, line] of [
      ['in lines', `yes 'some words of a line that a program prints over and over' | head -c ${bytes}`],
      ['without a line break', `head -c ${bytes} /dev/zero | tr '\\0' x`],
    ] as const)
      rows.push(...(await measureFlood(`${bytes / 1e6} MB ${what}`, line, rounds, options)));
    rows.push(await measureBackground(options), await measureSurvivors(options));
    return rows;
  },
};

async function measureFlood(
  what: string,
  line: string,
  rounds: number,
  { log }: BenchmarkOptions,
): Promise<readonly MeasuredRow[]> {
  const costs = await inRounds(flooding, rounds, (name, round) => {
    log(`  ${what}: ${names[name]}, round ${round + 1} of ${rounds}`);
    return runInProcess(name, line, 200_000);
  });
  const row = (of: string, unit: string, limit: Bar, pick: (cost: CommandCost) => number): MeasuredRow => {
    const peers = { [pi]: medianOf(costs.pi.map(pick)) };
    return toRow(`A flood of ${what}: ${of}`, unit, medianOf(costs.haft.map(pick)), peers, limit);
  };
  const spilled = { ...atMost(spillBytes / 1e6 + 0.1), text: '≤ 67.2 MB (the cap of 64 MiB)' };
  return [
    row('time', 's', atMost(8, 's'), ({ ms }) => ms / 1_000),
    row('additional memory', 'MB', atMost(64, 'MB'), ({ rssBytes }) => rssBytes / 1e6),
    row('longest block of the event loop', 'ms', atMost(50, 'ms'), ({ lagMs }) => lagMs),
    row('on disk', 'MB', spilled, ({ diskBytes }) => diskBytes / 1e6),
  ];
}

async function measureBackground({ rounds, log }: BenchmarkOptions): Promise<MeasuredRow> {
  const times = await inRounds(leaving, rounds, async (name, round) => {
    log(`  sleep 3 &: ${names[name]}, round ${round + 1} of ${rounds}`);
    return (await runInProcess(name, 'sleep 3 & echo done', 20_000)).ms;
  });
  const peers = Object.fromEntries(leaving.slice(1).map((name) => [names[name], medianOf(times[name])]));
  return toRow('sleep 3 & echo done: time to the result', 'ms', medianOf(times.haft), peers, atMost(300, 'ms'));
}

async function measureSurvivors({ full, log }: BenchmarkOptions): Promise<MeasuredRow> {
  const runs = full ? 100 : 10;
  const left = await inRounds(leaving, 1, (name) => {
    log(`  ${runs} commands that will not end: ${names[name]}`);
    return countSurvivors(name, runs);
  });
  const peers = Object.fromEntries(leaving.slice(1).map((name) => [names[name], left[name][0] ?? 0]));
  const what = `Processes alive 10 s after the time limit of ${runs} commands with setsid, double fork and ignored SIGTERM`;
  return toRow(what, 'processes', left.haft[0] ?? Number.NaN, peers, exactly(0));
}
