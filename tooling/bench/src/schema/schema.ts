import type { Benchmark, BenchmarkOptions, Contender, MeasuredRow } from '@haft-tooling/measure';
import { atMost, countRow, cpuRow, measureSideBySide, runModule } from '@haft-tooling/measure';
import { moduleOf } from '@haft-tooling/peers/module-of';
import { versionOf } from '@haft-tooling/peers/version-of';
import { judgeReaders } from './near-misses/judge-readers.ts';
import { makeCases } from '@haft-tooling/corpora/near-misses';
import { toMarkdown, toRows } from './near-misses/near-miss-rows.ts';

const module = moduleOf('validation/validate-arguments');
const listings = 1_000;
/**
 * Fewer listings, because a validator that keeps the schemas of every listing fills the memory long before a thousand.
 */
const listingsOfPeers = 20;
const tools = 200;

/** Measures near-miss arguments, the speed of valid ones, and the memory that recurring schemas keep. */
export const schemaBenchmark: Benchmark = {
  summary:
    'Near-miss arguments and their repair; the validation time of valid ones; the heap after many listings of tools.',
  async run(options) {
    const rows = await measureNearMisses(options);
    for (const sample of ['small', 'nested']) {
      rows.push(await measureTrack(options, sample, 'Haft, JSON Schema', 'ajv', `ajv ${versionOf('ajv')}, compiled`));
      rows.push(await measureTrack(options, sample, 'Haft, zod', 'zod', `zod ${versionOf('zod')}, safeParse`));
    }
    rows.push(await measureListings(options));
    return rows;
  },
};

async function measureNearMisses({ full, log, attach }: BenchmarkOptions): Promise<MeasuredRow[]> {
  const splits = ['development', 'held-out', new Date().toISOString().slice(0, 10)];
  const count = full ? 200 : 20;
  log(`  ranges of seeds: ${splits.join(', ')}`);
  const cases = splits.flatMap((split) => makeCases(split, count));
  log(`  ${cases.length} arguments`);
  const judgements = await judgeReaders(cases);
  attach(
    `${cases.length} arguments of generated tools, a third each from seeds of the development, from held-out seeds, and from seeds of the day of the run (${splits[2]}); held-out ones use names and texts that were not studied. Haft reads with \`repairJson\` and \`compileSchema\`; the others with \`JSON.parse\`, and with \`jsonrepair\` ${versionOf('jsonrepair')} where that fails. Undeclared keys may stay or go; a key that a closed object rejects must be rejected.`,
  );
  attach(toMarkdown(cases, judgements));
  return [...toRows(cases, judgements)];
}

async function measureTrack(
  options: BenchmarkOptions,
  sample: string,
  track: string,
  validator: string,
  peer: string,
): Promise<MeasuredRow> {
  const contenders: readonly Contender[] = [
    { name: track, module, options: { sample, validator: track } },
    { name: peer, module, options: { sample, validator } },
  ];
  const measured = await measureSideBySide(contenders, options);
  const most = 1.5 * (measured[1]?.cpuBest ?? Number.NaN);
  const limit = { ...atMost(most), text: `≤ 1.5 × ${peer}, best rounds` };
  return cpuRow(`${track}: validating ${sample} valid arguments`, measured, limit);
}

async function measureListings({ log }: BenchmarkOptions): Promise<MeasuredRow> {
  const module = new URL('listings-process.ts', import.meta.url);
  const keptOf = async (name: string, count: number): Promise<number> => {
    log(`  ${count} listings of ${tools} tools: ${name}`);
    const args = [name, String(count), String(tools)];
    return (await runModule<number>(module, args, { flags: ['--expose-gc'] })) / 1_024;
  };
  const haft = await keptOf('haft', listings);
  return countRow(
    `Heap kept by ${listings} listings of ${tools} tools with fresh but equal schemas, after a warm-up (peers: ${listingsOfPeers} listings)`,
    'KB a listing',
    haft,
    {
      [`ajv ${versionOf('ajv')}: validate(schema, value)`]: await keptOf('ajv', listingsOfPeers),
      [`MCP SDK ${versionOf('@modelcontextprotocol/sdk')}: client.listTools`]: await keptOf('mcp-sdk', listingsOfPeers),
    },
    atMost(1, 'KB a listing'),
  );
}
