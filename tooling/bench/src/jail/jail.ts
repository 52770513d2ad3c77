import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createCleanEnvironment, createJail, runProcess } from '@haft/sandbox';

import { versionOf } from '@haft-tooling/peers/version-of';
import type { Benchmark, MeasuredRow } from '@haft-tooling/measure';
import { bestOf, countRow, medianOf, toRow } from '@haft-tooling/measure';

const runtime = `sandbox-runtime ${versionOf('@anthropic-ai/sandbox-runtime')}`;
const bareJail = 'bwrap alone, all namespaces, no filter, no limits';
const withHosts = 'Haft, with listed hosts';
const runsOfRound = 8;

type Way = () => Promise<unknown>;

/** Measures the cost of a jail for a command. */
export const jailBenchmark: Benchmark = {
  summary: 'What a jail adds to a command: namespaces, a filter of system calls and limits, compared with other jails.',
  async run({ rounds, log, attach }) {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'haft-bench-jail-')));
    const closing: (() => unknown)[] = [];
    try {
      const ways = new Map<string, Way>();
      const command = { command: '/bin/true', cwd: folder };
      ways.set('plain', () => runProcess(command));
      const jail = await createJail({ policy: 'required', write: [folder] });
      if (!jail.ok) throw new Error(jail.message);
      ways.set('Haft', () => runProcess({ ...command, jail }));
      const listed = await createJail({ policy: 'required', write: [folder], network: { hosts: ['example.com'] } });
      if (!listed.ok) throw new Error(listed.message);
      closing.push(() => listed.close());
      ways.set(withHosts, () => runProcess({ ...command, jail: listed }));
      ways.set(bareJail, () => runBare(folder));
      const peer = await openRuntime(folder, log);
      if (peer) {
        ways.set(runtime, peer.run);
        closing.push(peer.close);
      }
      const { times, processor } = await race(ways, rounds, log);
      const added = (name: string, pick: (values: readonly number[]) => number): number =>
        pick(times.get(name) ?? []) - pick(times.get('plain') ?? []);
      const others = [...ways.keys()].filter((name) => name !== 'plain' && name !== 'Haft');
      const row = (what: string, pick: (values: readonly number[]) => number, bar: string): MeasuredRow => {
        const haft = added('Haft', pick);
        const peers = Object.fromEntries(others.map((name) => [name, added(name, pick)]));
        return toRow(what, 'ms', haft, peers, bar, haft <= 15);
      };
      attach(
        `A plain command took ${bestOf(times.get('plain') ?? []).toFixed(1)} ms at best, ${medianOf(times.get('plain') ?? []).toFixed(1)} ms in the median. Gaps of the jail here: ${jail.gaps.length === 0 ? 'none' : jail.gaps.join('; ')}.`,
      );
      const costOf = (name: string): number => (processor.get(name) ?? 0) - (processor.get('plain') ?? 0);
      const cost = costOf('Haft');
      const costs = Object.fromEntries(others.map((name) => [name, costOf(name)]));
      return [
        toRow(
          'Additional processor time of a jailed command, independent of the load',
          'ms, mean',
          cost,
          costs,
          '≤ 15 ms',
          cost <= 15,
        ),
        row('Additional time of a jailed command, best', bestOf, '≤ 15 ms on a machine at rest'),
        row('Additional time of a jailed command, median', medianOf, '≤ 15 ms on a machine at rest'),
        moreForHosts(times),
      ];
    } finally {
      for (const close of closing) await close();
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Measures the cost of an egress proxy. */
function moreForHosts(times: ReadonlyMap<string, readonly number[]>): MeasuredRow {
  const haft = bestOf(times.get(withHosts) ?? []) - bestOf(times.get('Haft') ?? []);
  const what = 'Additional time of a jail with listed hosts, best';
  return countRow(what, 'ms', haft, {}, '≤ 25 ms on a machine at rest', haft <= 25);
}

async function race(
  ways: ReadonlyMap<string, Way>,
  rounds: number,
  log: (line: string) => void,
): Promise<{
  readonly times: ReadonlyMap<string, readonly number[]>;
  readonly processor: ReadonlyMap<string, number>;
}> {
  const processor = new Map<string, number>();
  const times = new Map<string, number[]>([...ways.keys()].map((name) => [name, []]));
  for (const run of ways.values()) await run();
  for (let round = 0; round < rounds; round += 1) {
    log(`  round ${round + 1} of ${rounds}`);
    for (let turn = 0; turn < runsOfRound; turn += 1)
      for (const [name, run] of ways) {
        const before = processorTimeOfChildren();
        const startedAt = performance.now();
        await run();
        processor.set(name, (processor.get(name) ?? 0) + (processorTimeOfChildren() - before) / rounds / runsOfRound);
        times.get(name)?.push(performance.now() - startedAt);
      }
  }
  return { times, processor };
}

/** Milliseconds of processor time of the child processes that have ended, with a resolution of 10 ms. */
function processorTimeOfChildren(): number {
  const text = readFileSync('/proc/self/stat', 'latin1');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

function runBare(folder: string): Promise<unknown> {
  const args = '--unshare-all --die-with-parent --new-session --ro-bind / / --proc /proc --dev /dev --tmpfs /tmp'.split(
    ' ',
  );
  return runProcess({ command: 'bwrap', args: [...args, '--bind', folder, folder, '/bin/true'], cwd: folder });
}

/** The peer, if its dependencies are installed. */
async function openRuntime(
  folder: string,
  log: (line: string) => void,
): Promise<{ readonly run: Way; readonly close: () => unknown } | undefined> {
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime');
  try {
    await SandboxManager.initialize({
      network: { allowedDomains: ['example.com'], deniedDomains: [] },
      filesystem: { denyRead: [], allowWrite: [folder], denyWrite: [] },
    });
  } catch (error) {
    log(`  ${runtime} cannot be measured here: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
  return {
    run: async () => {
      const line = await SandboxManager.wrapWithSandbox('/bin/true');
      const child = spawn('/bin/sh', ['-c', line], { cwd: folder, stdio: 'ignore', env: createCleanEnvironment() });
      const [code] = (await once(child, 'exit')) as [number | null];
      if (code !== 0) throw new Error(`${runtime} ended with ${code}`);
    },
    close: () => SandboxManager.reset(),
  };
}
