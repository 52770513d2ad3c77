import { medianOf, toRow, type BenchmarkOptions, type MeasuredRow } from '@haft-tooling/measure';
import { endProgram, runProgram, startServer } from './run-program.ts';

const program = 'connect-process.ts';
const mega = 1_000_000;

/** Measures the cost of connections: starting a server, waiting, and connecting many at once. */
export async function measureConnections(
  { full, log }: BenchmarkOptions,
  sdk: string,
): Promise<readonly MeasuredRow[]> {
  const rounds = full ? 9 : 5;
  // By default, the SDK's client does not ask for a modern server. With the option, it starts a second process for
  // that.
  const names = ['haft', 'sdk', 'sdk-legacy'] as const;
  const starts: Record<(typeof names)[number], number[]> = { haft: [], sdk: [], 'sdk-legacy': [] };
  for (let round = 0; round < rounds; round += 1) {
    log(`  starting a server, round ${round + 1} of ${rounds}`);
    for (const name of round % 2 === 0 ? names : names.toReversed())
      starts[name].push((await runProgram<{ ms: number }>(program, ['start', name], { timeoutMs: 60_000 })).ms);
  }
  const [haftStart, sdkStart, legacyStart] = names.map((name) => medianOf(starts[name])) as [number, number, number];

  const connections = 100;
  const { child, port } = await startServer('http-server-process.ts', ['sdk', '0']);
  const idle = async (name: string): Promise<number> => {
    log(`  ${connections} idle connections: ${name}`);
    const args = ['idle', name, String(connections), `http://127.0.0.1:${port}/mcp`];
    return (await runProgram<{ bytes: number }>(program, args, { timeoutMs: 60_000 })).bytes / mega;
  };
  const idles = { haft: 0, sdk: 0 };
  try {
    idles.haft = await idle('haft');
    idles.sdk = await idle('sdk');
  } finally {
    await endProgram(child, 'SIGKILL');
  }

  log('  100 servers at once');
  const { alone, together } = await runProgram<{ alone: number; together: number }>(program, ['many', '100'], {
    timeoutMs: 60_000,
  });
  return [
    toRow(
      'Starting a server process, until its tools are listed: time',
      'ms',
      haftStart,
      { [sdk]: sdkStart, [`${sdk}: legacy servers only`]: legacyStart },
      '≤ 1.05 × the SDK',
      haftStart <= 1.05 * Math.min(sdkStart, legacyStart),
    ),
    toRow(
      'An idle connection over HTTP, 100 at once: memory',
      'MB',
      idles.haft,
      { [sdk]: idles.sdk },
      '≤ 1 MB',
      idles.haft <= 1,
    ),
    toRow(
      'Connecting 100 servers at once, beside the slowest alone',
      '×',
      together / alone,
      {},
      '≤ 1.3 × the slowest',
      together / alone <= 1.3,
    ),
  ];
}
