import { fileURLToPath } from 'node:url';
import { atMost, bar, buildPackages, countRow, round, type Benchmark, type MeasuredRow } from '@haft-tooling/measure';
import { versionOf } from '@haft-tooling/peers/version-of';
import { measureImports, type ImportCost, type ImportingProgram } from './measure-imports.ts';

/** The bar of each package, as a multiple of an empty process. */
const bars: Readonly<Record<string, number>> = {
  core: 1.6,
  repair: 1.5,
  schema: 1.5,
  store: 1.5,
  otel: 1.5,
  sandbox: 2,
  permission: 2,
  runner: 2,
  journal: 2,
  'ai-sdk': 2,
  builtins: 2.5,
  'dynamic-tools': 2.5,
  mcp: 3,
  toolkit: 3.5,
};

/** Other packages that do comparable work, by the package of ours to which they are compared. */
const peers: Readonly<Record<string, readonly string[]>> = {
  core: ['ai', '@langchain/core/tools'],
  repair: ['jsonrepair', 'partial-json', 'json5'],
  schema: ['zod', 'ajv'],
  store: ['better-sqlite3'],
  sandbox: ['execa', '@anthropic-ai/sandbox-runtime'],
  runner: ['@earendil-works/pi-agent-core', '@openai/agents-core'],
  mcp: ['@modelcontextprotocol/client', '@modelcontextprotocol/sdk/client/index.js', 'fastmcp'],
  toolkit: ['@earendil-works/pi-coding-agent', 'ai'],
};

const empty = 'an empty process';
const here = import.meta.dirname;
const memory = 'A process with a toolkit without tools: resident memory';
const makeToolkit = `const { createToolkit } = await import('@haft/toolkit'); await createToolkit({ builtins: false });`;

/** Measures the cost of one import. */
export const importBenchmark: Benchmark = {
  summary:
    'The import of each built package in a fresh process, beside an empty process and peers, in the same rounds.',
  async run({ rounds, log }) {
    log('  building');
    await buildPackages(...Object.keys(bars));
    const libraries = [...new Set(Object.values(peers).flat())];
    const programs: readonly ImportingProgram[] = [
      { name: empty, code: '', cwd: here },
      ...Object.keys(bars).map((name) => ({ name, code: `await import('@haft/${name}');`, cwd: folderOf(name) })),
      ...libraries.map((name) => ({ name, code: `await import('${name}');`, cwd: here })),
      { name: makeToolkit, code: makeToolkit, cwd: folderOf('toolkit') },
    ];
    log(`  ${programs.length} programs, ${rounds} times each`);
    const costs = new Map((await measureImports(programs, rounds)).map((cost) => [cost.name, cost]));
    const costOf = (name: string): ImportCost => {
      const cost = costs.get(name);
      if (cost === undefined) throw new Error(`${name} was not measured`);
      return cost;
    };
    const made = costOf(makeToolkit);
    return [
      ...Object.entries(bars).map(([name, most]) =>
        importRow(costOf(name), most, [costOf(empty), ...(peers[name] ?? []).map(costOf)]),
      ),
      countRow(memory, 'MB, median', made.megabytes, { [empty]: costOf(empty).megabytes }, atMost(75, 'MB')),
    ];
  },
};

function importRow(haft: ImportCost, most: number, others: readonly ImportCost[]): MeasuredRow {
  const nothing = others.find(({ name }) => name === empty);
  if (nothing === undefined) throw new Error('no empty process was measured');
  const medians = Object.fromEntries(others.map(({ name, median }) => [labelOf(name), median]));
  const limit = bar(`≤ ${most} × an empty process`, haft.best <= most * nothing.best);
  return {
    ...countRow(`Import of @haft/${haft.name}`, 'ms CPU, median', haft.median, medians, limit),
    ratios: Object.fromEntries(others.map(({ name, best }) => [labelOf(name), round(best / haft.best)])),
  };
}

/** The library with its version: `MCP SDK` has two generations. */
function labelOf(name: string): string {
  if (name === empty) return name;
  const library = /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name;
  return `${name} ${versionOf(library)}`;
}

/** A package can import itself by its name, and is then resolved as for its users. */
function folderOf(name: string): string {
  return fileURLToPath(new URL(`../../../../packages/${name}/`, import.meta.url));
}
