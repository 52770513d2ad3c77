import { atMost, bar, inRounds, medianOf, runModule, startModule, toRow } from '@haft-tooling/measure';
import type { BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';

const mega = 1_000_000;
const connections = 100;

/** Runs `connect-process.ts`. */
function connect<Outcome>(...args: readonly string[]): Promise<Outcome> {
  return runModule(new URL('connect-process.ts', import.meta.url), args, {
    flags: ['--expose-gc'],
    timeoutMs: 60_000,
  });
}

/** Measures the cost of connections: starting a server, waiting, and connecting many at once. */
export async function measureConnections({ log }: BenchmarkOptions, sdk: string): Promise<readonly MeasuredRow[]> {
  // By default, the SDK's client does not ask for a modern server. With the option, it starts a second process for
  // that.
  const starts = await inRounds(['haft', 'sdk', 'sdk-legacy'], 15, async (name, round) => {
    log(`  starting a server, round ${round + 1}: ${name}`);
    return (await connect<{ ms: number }>('start', name)).ms;
  });
  const startOf = (name: keyof typeof starts): number => medianOf(starts[name]);
  const peers = { [sdk]: startOf('sdk'), [`${sdk}: legacy servers only`]: startOf('sdk-legacy') };
  const isFast = startOf('haft') <= 1.05 * Math.min(...Object.values(peers));

  await using server = startModule(new URL('http-server-process.ts', import.meta.url), ['sdk', '0']);
  const [, port] = await server.line(/^port (\d+)$/);
  const idle = async (name: string): Promise<number> => {
    log(`  ${connections} idle connections: ${name}`);
    const url = `http://127.0.0.1:${port}/mcp`;
    return (await connect<{ bytes: number }>('idle', name, `${connections}`, url)).bytes / mega;
  };
  const own = await idle('haft');
  const others = { [sdk]: await idle('sdk') };

  log('  100 servers at once');
  const { alone, together } = await connect<{ alone: number; together: number }>('many', '100');
  const ratio = together / alone;
  const starting = 'Starting a server process, until its tools are listed: time';
  return [
    toRow(starting, 'ms', startOf('haft'), peers, bar('≤ 1.05 × the SDK', isFast)),
    toRow('An idle connection over HTTP, 100 at once: memory', 'MB', own, others, atMost(1, 'MB')),
    toRow('Connecting 100 servers at once, beside the slowest alone', '×', ratio, {}, atMost(1.3, '× the slowest')),
  ];
}
