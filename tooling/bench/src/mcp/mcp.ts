import type { ChildProcess } from 'node:child_process';
import type { Benchmark, BenchmarkOptions, Cost, MeasuredRow, Measurement } from '@haft-tooling/measure';
import { measureSideBySide, medianOf, toRow } from '@haft-tooling/measure';
import { versionOf } from '@haft-tooling/peers/version-of';
import { measureConnections } from './connections.ts';
import { endProgram, runProgram, startServer } from './run-program.ts';
import { findPort, hasNginx, restartBehindProxy } from './rolling-restart.ts';
import { countSurvivors } from './survivors.ts';

const sdk = `SDK ${versionOf('@modelcontextprotocol/client')}`;
const fastmcp = `fastmcp ${versionOf('fastmcp')}`;
const mega = 1_000_000;
/** A long warm-up, because V8 takes long to optimize the code of two programs. */
const pace = { warmUpMs: 4_000, roundMs: 150 };

/** Compares MCP with the SDK alone: floods, round trips, load, and surviving processes. */
export const mcpBenchmark: Benchmark = {
  summary:
    'MCP on both sides: large messages and floods on stdio, round trips, calls over HTTP on one core, surviving processes, and copies replaced under load.',
  async run(options) {
    return [
      ...(await measureFloods(options)),
      ...(await measureEchoes(options)),
      ...(await measureConnections(options, sdk)),
      ...(await measureLoad(options)),
      ...(await measureSurvivors(options)),
      ...(await measureRestarts(options)),
    ];
  },
};

async function measureFloods({ rounds, log }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const bytes = 50 * mega;
  const count = 100_000;
  const flood = async (name: string, tool: string, times: number): Promise<Cost> => {
    const costs: Cost[] = [];
    for (let round = 0; round < times; round += 1) {
      log(`  ${tool}: ${name}, round ${round + 1} of ${times}`);
      const args = [name, tool, String(bytes), String(count)];
      costs.push(await runProgram<Cost>('flood-process.ts', args, { timeoutMs: 150_000 }));
    }
    const of = (pick: (cost: Cost) => number): number => medianOf(costs.map(pick));
    return {
      ms: of(({ ms }) => ms),
      cpuMs: of(({ cpuMs }) => cpuMs),
      lagMs: of(({ lagMs }) => lagMs),
      rssBytes: of(({ rssBytes }) => rssBytes),
    };
  };
  const times = Math.min(rounds, 3);
  const big = { haft: await flood('haft', 'big', times), sdk: await flood('sdk', 'big', 1) };
  const many = { haft: await flood('haft', 'many', times), sdk: await flood('sdk', 'many', 1) };
  const row = (
    what: string,
    unit: string,
    bar: string,
    most: number,
    costs: typeof big,
    pick: (cost: Cost) => number,
  ): MeasuredRow => toRow(what, unit, pick(costs.haft), { [sdk]: pick(costs.sdk) }, bar, pick(costs.haft) <= most);
  const message = 'A call whose answer is one line of 50 MB';
  const notifications = '100,000 notifications before an answer';
  return [
    row(`${message}: time`, 's', '≤ 1.5 s', 1.5, big, ({ ms }) => ms / 1_000),
    row(
      `${message}: additional memory`,
      'MB',
      '≤ 4 × the message',
      (4 * bytes) / mega,
      big,
      ({ rssBytes }) => rssBytes / mega,
    ),
    row(`${notifications}: time`, 's', '≤ 1 s', 1, many, ({ ms }) => ms / 1_000),
    row(`${notifications}: longest block of the event loop`, 'ms', '≤ 50 ms', 50, many, ({ lagMs }) => lagMs),
  ];
}

async function measureEchoes(options: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const rows: MeasuredRow[] = [];
  for (const over of ['memory', 'stdio'] as const) {
    const [haft, peer] = await measureSideBySide(
      [
        { name: 'Haft', module: new URL('echo-haft.ts', import.meta.url), options: { over } },
        { name: sdk, module: new URL('echo-sdk.ts', import.meta.url), options: { over } },
      ],
      { ...options, pace },
    );
    if (!haft || !peer) throw new Error('nothing was measured');
    const of = (one: Measurement): number => (over === 'memory' ? one.cpuBest : one.wallMedian);
    rows.push(
      toRow(
        over === 'memory'
          ? 'A call in memory, from dispatch to dispatch and back: processor time of both sides'
          : 'The same to a process over its standard input and output: time',
        'µs',
        of(haft),
        { [`${sdk}: its client and its server alone`]: of(peer) },
        '≤ 1.1 × the SDK alone',
        of(haft) <= 1.1 * of(peer),
      ),
    );
  }
  return rows;
}

interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly errors: number;
  readonly failures: readonly unknown[];
}

async function measureLoad({ log }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const calls = 10_000;
  const loadRounds = 3;
  const rows: MeasuredRow[] = [];
  for (const [generation, names] of [
    ['legacy', ['haft', 'sdk', 'fastmcp']],
    ['modern', ['haft', 'sdk']],
  ] as const) {
    const loads = new Map<string, Load[]>(names.map((name) => [name, []]));
    const servers: { readonly name: string; readonly child: ChildProcess; readonly address: string }[] = [];
    try {
      for (const name of names) {
        const args = [name, String(await findPort())];
        const { child, port } = await startServer('http-server-process.ts', args, { core: 0 });
        servers.push({ name, child, address: `http://127.0.0.1:${port}/mcp` });
      }
      const send = (address: string, count: number): Promise<Load> =>
        runProgram('load-process.ts', [address, String(count), '64', generation], { timeoutMs: 120_000, core: 1 });
      for (const { address } of servers) await send(address, 2_000);
      // Contenders alternate in both orders, because a server speeds up for a long time and the machine changes
      // meanwhile.
      for (let round = 0; round < loadRounds; round += 1) {
        log(`  ${calls} calls over HTTP, ${generation}, round ${round + 1} of ${loadRounds}`);
        for (const { name, address } of round % 2 === 0 ? servers : servers.toReversed())
          loads.get(name)?.push(await send(address, calls));
      }
    } finally {
      for (const { child } of servers) await endProgram(child, 'SIGKILL');
    }
    const example = `${sdk}: its own example`;
    const shown = { sdk: example, fastmcp } as const;
    const row = (
      what: string,
      unit: string,
      bar: string,
      pick: (load: Load) => number,
      holds: (haft: number, best: number, peers: Readonly<Record<string, number>>) => boolean,
      over: (values: readonly number[]) => number = medianOf,
    ): MeasuredRow => {
      const of = (name: string): number => over((loads.get(name) ?? []).map(pick));
      const peers = Object.fromEntries(
        names.flatMap((name) => (name === 'haft' ? [] : [[shown[name], of(name)] as const])),
      );
      const values = Object.values(peers);
      const haft = of('haft');
      return toRow(
        what,
        unit,
        haft,
        peers,
        bar,
        holds(haft, unit === 'calls a second' ? Math.max(...values) : Math.min(...values), peers),
      );
    };
    const what = `10,000 calls over HTTP, 64 at once, the server on one core, ${generation === 'legacy' ? '2025-11-25' : '2026-07-28'}`;
    rows.push(
      row(
        what,
        'calls a second',
        '≥ every peer, and ≥ 2 × the example of the SDK',
        ({ perSecond }) => perSecond,
        (haft, best, peers) => haft >= best && haft >= 2 * (peers[example] ?? 0),
      ),
      row(
        `${what}: 99th percentile`,
        'ms',
        '≤ every peer',
        ({ p99Ms }) => p99Ms,
        (haft, best) => haft <= best,
      ),
      row(
        `${what}: failed`,
        'calls',
        '0',
        ({ errors }) => errors,
        (haft) => haft === 0,
        (values) => values.reduce((sum, value) => sum + value, 0),
      ),
    );
  }
  return rows;
}

async function measureSurvivors({ full, log }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const runs = full ? 10 : 3;
  log(`  ${runs} servers of npx, sh, node and setsid: Haft, then the SDK`);
  const haft = await countSurvivors('haft', runs);
  const peers = { [sdk]: await countSurvivors('sdk', runs) };
  const what = `Processes alive 3 s after closing ${runs} servers started by npx, sh and node, with children in separate sessions`;
  return [toRow(what, 'processes', haft, peers, '0', haft === 0)];
}

async function measureRestarts({ full, log }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  if (!hasNginx()) {
    log('  skipped: copies replaced under load, since there is no nginx (Debian: apt-get install nginx-light)');
    return [];
  }
  const calls = full ? 20_000 : 5_000;
  log(`  ${calls} calls while 3 copies behind nginx are replaced: Haft, then the SDK`);
  const haft = await restartBehindProxy('haft', calls);
  if (haft.errors > 0) log(`  ${JSON.stringify(haft.failures)}`);
  const peer = await restartBehindProxy('sdk', calls);
  const what = `${calls} calls to 3 copies behind nginx, each replaced in turn (${haft.restarts} times): failed`;
  return [toRow(what, 'calls', haft.errors, { [`${sdk}: its own example`]: peer.errors }, '0', haft.errors === 0)];
}
