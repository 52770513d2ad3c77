import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fastGlob from 'fast-glob';
import { glob as tinyGlob } from 'tinyglobby';
import { versionOf } from '@haft-tooling/peers/version-of';
import { formatNumber } from '@haft-tooling/benchmark-page';
import type { Bar, Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { bar, bestOf, costOf, inRounds, makeFolder, millisecondsOf, timesRow } from '@haft-tooling/measure';
import { makeSearchTree, type SearchTree } from '@haft-tooling/corpora/file-trees';
import { createCaller, makeFinders, makeGreppers, type Searcher } from '@haft-tooling/peers/search/searchers';

const filesInTree = 12_000;
const entriesInFolder = 100_000;

/**
 * Searches a generated project beside ripgrep and other tools. Measures how long a large folder blocks the event loop.
 */
export const searchBenchmark: Benchmark = {
  summary: `Lines and files found in a generated project of ${formatNumber(filesInTree)} files with ignore rules, and the longest pause while a folder of ${formatNumber(entriesInFolder)} entries is searched.`,
  async run(options) {
    const tree = makeSearchTree(filesInTree);
    options.log(`  ${tree.files} files, ${formatNumber(tree.bytes / 1e6)} MB`);
    try {
      return [
        await raceGreppers('A text in few files', 'needleInHay', tree, options),
        await raceGreppers('A pattern in every third file', 'export\\s+function\\s+\\w+\\(', tree, options),
        await raceGreppers('A pattern without a fixed text', '(?i)[a-z]+[0-9]{3} = handler\\b', tree, options),
        await raceFinders(tree, options),
        await measurePauses(options),
      ];
    } finally {
      tree.remove();
    }
  },
};

async function raceGreppers(
  what: string,
  pattern: string,
  tree: SearchTree,
  options: BenchmarkOptions,
): Promise<MeasuredRow> {
  const { found, times } = await race(makeGreppers(tree.folder, pattern), options);
  const title = `${what}: ${pattern}, ${formatNumber(found[own] ?? 0)} lines`;
  const isMet = ratioOf(times, own, ripgrep) <= 1.5 && found[own] === found[ripgrep];
  return toRow(title, times, bar('≤ 1.5 × ripgrep in the best rounds, the same lines', isMet));
}

async function raceFinders(tree: SearchTree, options: BenchmarkOptions): Promise<MeasuredRow> {
  const { found, times } = await race(await makeFinders(tree.folder), options);
  const title = `Files by name: **/*.ts, ${formatNumber(found[own] ?? 0)} of ${formatNumber(tree.files)}`;
  const isMet = ratioOf(times, own, listing) <= 1.5 && found[own] === found[listing];
  return toRow(title, times, bar('≤ 1.5 × ripgrep --files in the best rounds, the same number', isMet));
}

const own = 'Haft';
const ripgrep = 'ripgrep alone';
const listing = 'ripgrep alone: --files';

/** The contenders whose times a bar compares. */
const judged: ReadonlySet<string> = new Set([own, ripgrep, listing]);
const roundsOfOthers = 3;

interface Race {
  readonly found: Readonly<Record<string, number>>;
  readonly times: Readonly<Record<string, readonly number[]>>;
}

/**
 * Wall time, because ripgrep and worker threads run beside this process. Slow contenders without a bar take part in the
 * first rounds only.
 */
async function race(searchers: Readonly<Record<string, Searcher>>, { rounds, log }: BenchmarkOptions): Promise<Race> {
  const found: Record<string, number> = {};
  const times = await takeTurns(searchers, rounds, log, (search, name) =>
    millisecondsOf(async () => (found[name] = await search())),
  );
  return { found, times };
}

async function takeTurns<Contender>(
  contenders: Readonly<Record<string, Contender>>,
  rounds: number,
  log: BenchmarkOptions['log'],
  measure: (contender: Contender, name: string) => Promise<number>,
): Promise<Race['times']> {
  const byName = new Map(Object.entries(contenders));
  const run = async (name: string, round: number): Promise<readonly number[]> => {
    if (round >= roundsOfOthers && !judged.has(name)) return [];
    log(round < 0 ? `  warming up ${name}` : `  round ${round + 1} of ${rounds}: ${name}`);
    return [await measure(byName.get(name)!, name)];
  };
  const times = await inRounds([...byName.keys()], rounds, run, 1);
  return Object.fromEntries(Object.entries(times).map(([name, values]) => [name, values.flat()]));
}

async function measurePauses({ rounds, log }: BenchmarkOptions): Promise<MeasuredRow> {
  using folder = makeFolder();
  log(`  making ${entriesInFolder} files`);
  mkdirSync(join(folder.path, 'many'));
  for (let index = 0; index < entriesInFolder - 1_000; index += 1)
    writeFileSync(join(folder.path, 'many', `f${index}`), '');
  const call = createCaller(folder.path);
  const walkers: Readonly<Record<string, () => Promise<unknown>>> = {
    Haft: () => call('glob', { pattern: '*7' }),
    [`tinyglobby ${versionOf('tinyglobby')}`]: () => tinyGlob('**/*7', { cwd: folder.path }),
    [`fast-glob ${versionOf('fast-glob')}`]: () => fastGlob('**/*7', { cwd: folder.path }),
  };
  const pauses = await takeTurns(walkers, Math.min(rounds, 5), log, async (walk) => (await costOf(walk)).cost.lagMs);
  const title = `The longest pause while a folder of ${formatNumber(entriesInFolder)} entries is searched`;
  return toRow(title, pauses, bar('≤ 50 ms in the best round', bestOf(pauses[own] ?? []) <= 50));
}

function ratioOf(times: Race['times'], name: string, other: string): number {
  return bestOf(times[name] ?? []) / bestOf(times[other] ?? []);
}

function toRow(what: string, { [own]: ours = [], ...others }: Race['times'], limit: Bar): MeasuredRow {
  return timesRow(what, ours, others, limit);
}
