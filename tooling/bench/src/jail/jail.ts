import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createCleanEnvironment, createJail, runProcess } from '@haft/sandbox';
import { formatNumber } from '@haft-tooling/benchmark-page';
import { versionOf } from '@haft-tooling/peers/version-of';
import type { Benchmark, MeasuredRow } from '@haft-tooling/measure';
import { atMost, bestOf, countRow, inRounds, makeFolder, medianOf, millisecondsOf, toRow } from '@haft-tooling/measure';

const runtime = `sandbox-runtime ${versionOf('@anthropic-ai/sandbox-runtime')}`;
const bareJail = 'bwrap alone, all namespaces, no filter, no limits';
const withHosts = 'Haft, with listed hosts';
const runsOfRound = 8;

type Way = () => Promise<unknown>;
type Pick = (values: readonly number[]) => number;

/** Measures the cost of a jail for a command. */
export const jailBenchmark: Benchmark = {
  summary: 'What a jail adds to a command: namespaces, a filter of system calls and limits, compared with other jails.',
  async run({ rounds, log, attach }) {
    using folder = makeFolder();
    const command = { command: '/bin/true', cwd: folder.path };
    const jail = await createJail({ policy: 'required', write: [folder.path] });
    if (!jail.ok) throw new Error(jail.message);
    const hosts = ['example.com'];
    const listed = await createJail({ policy: 'required', write: [folder.path], network: { hosts } });
    if (!listed.ok) throw new Error(listed.message);
    const peer = await openRuntime(folder.path, hosts, log);
    const ways = new Map<string, Way>([
      ['plain', () => runProcess(command)],
      ['Haft', () => runProcess({ ...command, jail })],
      [withHosts, () => runProcess({ ...command, jail: listed })],
      [bareJail, () => runBare(folder.path)],
      ...(peer ? [[runtime, peer.run] as const] : []),
    ]);
    const costs = await inRounds([...ways.keys()], rounds * runsOfRound, (name) => costOf(ways.get(name)!), 1);
    await listed.close();
    await peer?.close();
    const added = (name: string, of: 'ms' | 'cpuMs', pick: Pick): number =>
      pick((costs[name] ?? []).map((cost) => cost[of])) - pick((costs['plain'] ?? []).map((cost) => cost[of]));
    const row = (what: string, unit: string, of: 'ms' | 'cpuMs', pick: Pick, where = ''): MeasuredRow => {
      const others = [...ways.keys()].filter((name) => name !== 'plain' && name !== 'Haft');
      const peers = Object.fromEntries(others.map((name) => [name, added(name, of, pick)]));
      return toRow(`Additional ${what}`, unit, added('Haft', of, pick), peers, atMost(15, `ms${where}`));
    };
    const plain = (costs['plain'] ?? []).map(({ ms }) => ms);
    attach(
      `A plain command took ${formatNumber(bestOf(plain))} ms at best, ${formatNumber(medianOf(plain))} ms in the median. Restrictions that the jail lacks on this machine: ${jail.gaps.length === 0 ? 'none' : jail.gaps.join('; ')}.`,
    );
    const atRest = ' on a machine at rest';
    const ofHosts = added(withHosts, 'ms', bestOf) - added('Haft', 'ms', bestOf);
    return [
      row('processor time of a jailed command, independent of the load', 'ms, mean', 'cpuMs', meanOf),
      row('time of a jailed command, best', 'ms', 'ms', bestOf, atRest),
      row('time of a jailed command, median', 'ms', 'ms', medianOf, atRest),
      countRow(
        'What a list of allowed hosts adds to a jailed command, best',
        'ms',
        ofHosts,
        {},
        atMost(25, `ms${atRest}`),
      ),
    ];
  },
};

const meanOf: Pick = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function costOf(run: Way): Promise<{ readonly ms: number; readonly cpuMs: number }> {
  const before = processorTimeOfChildren();
  return { ms: await millisecondsOf(run), cpuMs: processorTimeOfChildren() - before };
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
  allowedDomains: string[],
  log: (line: string) => void,
): Promise<{ readonly run: Way; readonly close: () => unknown } | undefined> {
  const { SandboxManager } = await import('@anthropic-ai/sandbox-runtime');
  try {
    await SandboxManager.initialize({
      network: { allowedDomains, deniedDomains: [] },
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
