import type { Bar, Benchmark, BenchmarkOptions, Cost, MeasuredRow } from '@haft-tooling/measure';
import {
  atMost,
  bar,
  exactly,
  inRounds,
  measureSideBySide,
  medianOf,
  runModule,
  startModule,
  toRow,
} from '@haft-tooling/measure';
import { versionOf } from '@haft-tooling/peers/version-of';
import { measureConnections } from './connections.ts';
import type { Load } from './load-process.ts';
import { findPort, hasNginx, loadProgram, restartBehindProxy, serverProgram } from './rolling-restart.ts';
import { countSurvivors } from './survivors.ts';

const sdk = `SDK ${versionOf('@modelcontextprotocol/client')}`;
const example = `${sdk}: its own example`;
const fastmcp = `fastmcp ${versionOf('fastmcp')}`;
const mega = 1_000_000;
/** A long warm-up, because V8 takes long to optimize the code of two programs. */
const pace = { warmUpMs: 4_000, roundMs: 150 };

/** Compares MCP with the SDK alone: floods, round trips, load, and surviving processes. */
export const mcpBenchmark: Benchmark = {
  summary:
    'MCP on both sides: large messages and floods on stdio, round trips, calls over HTTP on one core, and processes that survive.',
  async run(options) {
    return [
      ...(await measureFloods(options)),
      ...(await measureEchoes(options)),
      ...(await measureConnections(options, sdk)),
      ...(await measureLoad(options, '2025-11-25', { sdk: example, fastmcp })),
      ...(await measureLoad(options, '2026-07-28', { sdk: example })),
      await measureSurvivors(options),
      ...(await measureRestarts(options)),
    ];
  },
};

async function measureFloods({ rounds, log }: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const bytes = 50 * mega;
  const count = 100_000;
  const module = new URL('flood-process.ts', import.meta.url);
  const flood = async (tool: string): Promise<(of: keyof Cost, divisor?: number) => readonly [number, number]> => {
    const once = (name: string): Promise<Cost> => {
      log(`  ${tool}: ${name}`);
      return runModule(module, [name, tool, String(bytes), String(count)], { timeoutMs: 150_000 });
    };
    const { haft } = await inRounds(['haft'], Math.min(rounds, 3), once);
    const peer = await once('sdk');
    return (of, divisor = 1) => [medianOf(haft.map((cost) => cost[of])) / divisor, peer[of] / divisor];
  };
  const row = (what: string, unit: string, [haft, peer]: readonly [number, number], limit: Bar): MeasuredRow =>
    toRow(what, unit, haft, { [sdk]: peer }, limit);
  const [big, many] = [await flood('big'), await flood('many')];
  const message = 'A call whose answer is one line of 50 MB';
  const notifications = '100,000 notifications before an answer';
  const fourTimes = { ...atMost((4 * bytes) / mega), text: '≤ 4 × the message' };
  return [
    row(`${message}: time`, 's', big('ms', 1_000), atMost(1.5, 's')),
    row(`${message}: additional memory`, 'MB', big('rssBytes', mega), fourTimes),
    row(`${notifications}: time`, 's', many('ms', 1_000), atMost(1, 's')),
    row(`${notifications}: longest block of the event loop`, 'ms', many('lagMs'), atMost(50, 'ms')),
  ];
}

async function measureEchoes(options: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const rows: MeasuredRow[] = [];
  for (const [over, of, what] of [
    ['memory', 'cpuMedian', 'A call in memory, from dispatch to dispatch and back: processor time of both sides'],
    ['stdio', 'wallMedian', 'The same to a process over its standard input and output: time'],
  ] as const) {
    const contenders = [
      { name: 'Haft', module: new URL('echo-haft.ts', import.meta.url), options: { over } },
      { name: sdk, module: new URL('echo-sdk.ts', import.meta.url), options: { over } },
    ];
    const [haft = Number.NaN, peer = Number.NaN] = (await measureSideBySide(contenders, { ...options, pace })).map(
      (measurement) => measurement[of],
    );
    const peers = { [`${sdk}: its client and its server alone`]: peer };
    rows.push(toRow(what, 'µs', haft, peers, bar('≤ 1.1 × the SDK alone', haft <= 1.1 * peer)));
  }
  return rows;
}

/** Measures one revision of the protocol. The peers are named by their argument of `http-server-process.ts`. */
async function measureLoad(
  { log }: BenchmarkOptions,
  revision: string,
  peers: Readonly<Record<string, string>>,
): Promise<readonly MeasuredRow[]> {
  const calls = 10_000;
  const names = ['haft', ...Object.keys(peers)];
  const generation = revision < '2026' ? 'legacy' : 'modern';
  await using servers = new AsyncDisposableStack();
  const urls = new Map<string, string>();
  for (const name of names) {
    const server = servers.use(startModule(serverProgram, [name, String(await findPort())], { core: 0 }));
    const [, port] = await server.line(/^port (\d+)$/);
    urls.set(name, `http://127.0.0.1:${port}/mcp`);
  }
  const send = (name: string, count: number): Promise<Load> =>
    runModule(loadProgram, [urls.get(name)!, `${count}`, '64', generation], { timeoutMs: 120_000, core: 1 });
  for (const name of names) await send(name, 2_000);
  // In both orders, because a server speeds up for a long time and the machine changes meanwhile.
  const loads = await inRounds(names, 3, (name, round) => {
    log(`  ${calls} calls over HTTP, ${revision}, round ${round + 1}: ${name}`);
    return send(name, calls);
  });
  type Key = 'perSecond' | 'p99Ms' | 'errors';
  const valueOf = (name: string, key: Key, over = medianOf): number =>
    over((loads[name] ?? []).map((load) => load[key]));
  const ofPeers = (key: Key, over = medianOf): Record<string, number> =>
    Object.fromEntries(Object.entries(peers).map(([name, label]) => [label, valueOf(name, key, over)]));
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const [speeds, delays, failures] = [ofPeers('perSecond'), ofPeers('p99Ms'), ofPeers('errors', sum)];
  const isFast = valueOf('haft', 'perSecond') >= Math.max(...Object.values(speeds), 2 * (speeds[example] ?? 0));
  const fast = bar('≥ every peer, and ≥ 2 × the example of the SDK', isFast);
  const least = { ...atMost(Math.min(...Object.values(delays))), text: '≤ every peer' };
  const what = `10,000 calls over HTTP, 64 at once, the server on one core, ${revision}`;
  return [
    toRow(what, 'calls a second', valueOf('haft', 'perSecond'), speeds, fast),
    toRow(`${what}: 99th percentile`, 'ms', valueOf('haft', 'p99Ms'), delays, least),
    toRow(`${what}: failed`, 'calls', valueOf('haft', 'errors', sum), failures, exactly(0)),
  ];
}

async function measureSurvivors({ full, log }: BenchmarkOptions): Promise<MeasuredRow> {
  const runs = full ? 10 : 3;
  log(`  ${runs} servers of npx, sh, node and setsid: Haft, then the SDK`);
  const haft = await countSurvivors('haft', runs);
  const peers = { [sdk]: await countSurvivors('sdk', runs) };
  const what = `Processes alive 3 s after closing ${runs} servers started by npx, sh and node, with children in separate sessions`;
  return toRow(what, 'processes', haft, peers, exactly(0));
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
  return [toRow(what, 'calls', haft.errors, { [example]: peer.errors }, exactly(0))];
}
