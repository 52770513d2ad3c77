import type { Benchmark, Contender, MeasuredRow } from '@haft-tooling/measure';
import { buildPackages, countRow, cpuRow, measureSideBySide, round, runModule } from '@haft-tooling/measure';
import { versionOf } from '@haft-tooling/peers/version-of';
import { measureImports } from './measure-imports.ts';
import type { ImportTime } from './measure-imports.ts';

const module = new URL('next-snapshot.ts', import.meta.url);
const tools = 10_000;
const fewer = 1_000;
const calls = 100_000;
const batches = 10_000;

const changes: readonly Contender[] = [
  { name: 'Haft', module, options: { tools } },
  { name: 'among 1,000 tools', module, options: { tools: fewer } },
];
const unchanged: readonly Contender[] = [{ name: 'Haft', module, options: { tools, unchanged: true } }];

const empty = 'an empty process';
const imports = {
  Haft: '@haft/core',
  [empty]: undefined,
  [`AI SDK ${versionOf('ai')}: ai`]: 'ai',
  [`LangChain core ${versionOf('@langchain/core')}: tools`]: '@langchain/core/tools',
  [`MCP SDK ${versionOf('@modelcontextprotocol/sdk')}: client`]: '@modelcontextprotocol/sdk/client/index.js',
  [`MCP SDK ${versionOf('@modelcontextprotocol/client')}: client`]: '@modelcontextprotocol/client',
};

/** Measures the cost of many tools, many calls, and the import itself. */
export const registryBenchmark: Benchmark = {
  summary:
    'Snapshots of a changing registry, memory kept by many calls, the order of batches, and the import in a new process.',
  async run(options) {
    const changed = await measureSideBySide(changes, options);
    const same = await measureSideBySide(unchanged, options);
    options.log(`  ${calls} calls`);
    const heap = new URL('heap-process.ts', import.meta.url);
    const kept = await runModule<number>(heap, [String(calls)], { flags: ['--expose-gc'] });
    options.log(`  ${batches} batches in each mode`);
    const player = new URL('batch-process.ts', import.meta.url);
    const wrong = await runModule<number>(player, [String(batches)]);
    options.log('  imports');
    await buildPackages('core');
    const loaded = await measureImports(imports, options.rounds);
    return [
      cpuRow('The next snapshot after one change among 10,000 tools', changed, '≤ 1 ms', (best) => best <= 1_000),
      // Throws if a contender returns a different object.
      cpuRow('A snapshot of 10,000 tools without a change', same, 'the same object', () => true),
      countRow(`Heap kept after ${calls} calls`, 'bytes a call', round(kept), {}, '≤ 10 bytes a call', kept <= 10),
      countRow(
        `${batches} random batches in each of 3 modes, and batches of independent calls`,
        'that leave something else than one call after the other, or do not reach the limit',
        wrong,
        {},
        '0',
        wrong === 0,
      ),
      importRow(loaded),
    ];
  },
};

function importRow(loaded: readonly ImportTime[]): MeasuredRow {
  const [haft, ...others] = loaded;
  const nothing = others.find(({ name }) => name === empty);
  if (haft === undefined || nothing === undefined) throw new Error('no import was measured');
  const peers = others.filter((other) => other !== nothing);
  return {
    what: 'Import in a new process',
    unit: 'ms CPU, median',
    haft: round(haft.median),
    peers: Object.fromEntries(others.map(({ name, median }) => [name, round(median)])),
    bar: '≤ 2 × an empty process, and ahead of every peer',
    holds: haft.best <= 2 * nothing.best && peers.every(({ best }) => haft.best < best),
    ratios: Object.fromEntries(others.map(({ name, best }) => [name, round(best / haft.best)])),
  };
}
