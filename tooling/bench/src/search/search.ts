import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import fastGlob from 'fast-glob';
import { glob as tinyGlob } from 'tinyglobby';

import { versionOf } from '@haft-tooling/peers/version-of';
import { formatNumber } from '@haft-tooling/benchmark-page';
import type { Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { bestOf, timesRow } from '@haft-tooling/measure';
import type { SearchTree } from '@haft-tooling/corpora/file-trees';
import { makeSearchTree } from '@haft-tooling/corpora/file-trees';
import { measurePause } from './measure-pause.ts';
import type { Searcher } from '@haft-tooling/peers/search/searchers';
import { createCaller, makeFinders, makeGreppers } from '@haft-tooling/peers/search/searchers';

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
  const searchers = makeGreppers(tree.folder, pattern);
  const { found, times } = await race(searchers, options);
  const isSame = found[own] === found[ripgrep];
  const ratio = ratioOf(times, own, ripgrep);
  const title = `${what}: ${pattern}, ${formatNumber(found[own] ?? 0)} lines`;
  return toRow(title, times, '≤ 1.5 × ripgrep in the best rounds, the same lines', ratio <= 1.5 && isSame);
}

async function raceFinders(tree: SearchTree, options: BenchmarkOptions): Promise<MeasuredRow> {
  const { found, times } = await race(await makeFinders(tree.folder), options);
  const ratio = ratioOf(times, own, listing);
  const isSame = found[own] === found[listing];
  const title = `Files by name: **/*.ts, ${formatNumber(found[own] ?? 0)} of ${formatNumber(tree.files)}`;
  return toRow(title, times, '≤ 1.5 × ripgrep --files in the best rounds, the same number', ratio <= 1.5 && isSame);
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
 * Wall time, because ripgrep and worker threads run beside this process. Contenders alternate, so that noise affects
 * all alike. Slow contenders without a bar take part in the first rounds only.
 */
async function race(searchers: Readonly<Record<string, Searcher>>, { rounds, log }: BenchmarkOptions): Promise<Race> {
  const found: Record<string, number> = {};
  const times: Record<string, number[]> = {};
  for (let round = -1; round < rounds; round += 1) {
    log(round < 0 ? '  warming up' : `  round ${round + 1} of ${rounds}`);
    for (const [name, search] of Object.entries(searchers)) {
      if (round >= roundsOfOthers && !judged.has(name)) continue;
      const start = performance.now();
      found[name] = await search();
      if (round >= 0) (times[name] ??= []).push(performance.now() - start);
    }
  }
  return { found, times };
}

async function measurePauses({ rounds, log }: BenchmarkOptions): Promise<MeasuredRow> {
  const folder = mkdtempSync(join(tmpdir(), 'haft-bench-many-'));
  try {
    log(`  making ${entriesInFolder} files`);
    mkdirSync(join(folder, 'many'));
    for (let index = 0; index < entriesInFolder - 1_000; index += 1)
      writeFileSync(join(folder, 'many', `f${index}`), '');
    const call = createCaller(folder);
    const walkers: Readonly<Record<string, () => Promise<unknown>>> = {
      Haft: () => call('glob', { pattern: '*7' }),
      [`tinyglobby ${versionOf('tinyglobby')}`]: () => tinyGlob('**/*7', { cwd: folder }),
      [`fast-glob ${versionOf('fast-glob')}`]: () => fastGlob('**/*7', { cwd: folder }),
    };
    const pauses: Record<string, number[]> = {};
    for (let round = -1; round < Math.min(rounds, 5); round += 1) {
      for (const [name, walk] of Object.entries(walkers)) {
        if (round >= roundsOfOthers && !judged.has(name)) continue;
        const pause = await measurePause(walk);
        if (round >= 0) (pauses[name] ??= []).push(pause);
      }
    }
    const title = `The longest pause while a folder of ${formatNumber(entriesInFolder)} entries is searched`;
    return toRow(title, pauses, '≤ 50 ms in the best round', bestOf(pauses[own] ?? []) <= 50);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ratioOf(times: Race['times'], name: string, other: string): number {
  return bestOf(times[name] ?? []) / bestOf(times[other] ?? []);
}

function toRow(what: string, { [own]: ours = [], ...others }: Race['times'], bar: string, holds: boolean): MeasuredRow {
  return timesRow(what, ours, others, bar, holds);
}
