import { versionOf } from '@haft-tooling/peers/version-of';
import type { Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { medianOf, toRow } from '@haft-tooling/measure';
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
  const costs = new Map<string, CommandCost[]>(flooding.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of flooding) {
      log(`  ${what}: ${names[name]}, round ${round + 1} of ${rounds}`);
      costs.get(name)?.push(await runInProcess(name, line, 200_000));
    }
  const row = (
    of: string,
    unit: string,
    bar: string,
    most: number,
    pick: (cost: CommandCost) => number,
  ): MeasuredRow => {
    const costOf = (name: string): number => medianOf((costs.get(name) ?? []).map(pick));
    const haft = costOf('haft');
    return toRow(`A flood of ${what}: ${of}`, unit, haft, { [pi]: costOf('pi') }, bar, haft <= most);
  };
  return [
    row('time', 's', '≤ 8 s', 8, ({ ms }) => ms / 1_000),
    row('additional memory', 'MB', '≤ 64 MB', 64, ({ rssBytes }) => rssBytes / 1e6),
    row('longest block of the event loop', 'ms', '≤ 50 ms', 50, ({ lagMs }) => lagMs),
    row('on disk', 'MB', '≤ 64 MiB, the cap', spillBytes / 1e6 + 0.1, ({ diskBytes }) => diskBytes / 1e6),
  ];
}

async function measureBackground({ rounds, log }: BenchmarkOptions): Promise<MeasuredRow> {
  const times = new Map<string, number[]>(leaving.map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1)
    for (const name of leaving) {
      log(`  sleep 3 &: ${names[name]}, round ${round + 1} of ${rounds}`);
      times.get(name)?.push((await runInProcess(name, 'sleep 3 & echo done', 20_000)).ms);
    }
  const timeOf = (name: string): number => medianOf(times.get(name) ?? []);
  const haft = timeOf('haft');
  const peers = Object.fromEntries(leaving.slice(1).map((name) => [names[name], timeOf(name)]));
  return toRow('sleep 3 & echo done: time to the result', 'ms', haft, peers, '≤ 300 ms', haft <= 300);
}

async function measureSurvivors({ full, log }: BenchmarkOptions): Promise<MeasuredRow> {
  const runs = full ? 100 : 10;
  const left = new Map<string, number>();
  for (const name of leaving) {
    log(`  ${runs} commands that will not end: ${names[name]}`);
    left.set(name, await countSurvivors(name, runs));
  }
  const peers = Object.fromEntries(leaving.slice(1).map((name) => [names[name], left.get(name) ?? 0]));
  const what = `Processes alive 10 s after the time limit of ${runs} commands with setsid, double fork and ignored SIGTERM`;
  return toRow(what, 'processes', left.get('haft') ?? 0, peers, '0', left.get('haft') === 0);
}
