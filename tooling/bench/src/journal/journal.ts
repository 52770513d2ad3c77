import { execFileSync } from 'node:child_process';
import { closeSync, fdatasync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { allowAll, createDispatcher, createWorkspace, defineTool, type DispatchMiddleware } from '@haft/core';
import { createJournal } from '@haft/journal';
import { formatNumber } from '@haft-tooling/benchmark-page';
import type { Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { atMost, bar, bestOf, inRounds, makeFolder, millisecondsOf, timesRow } from '@haft-tooling/measure';
import { makeSearchTree } from '@haft-tooling/corpora/file-trees';

const filesInTree = 20_000;
const git = 'git status';
const flushes = 'two bare flushes';
const settlingMs = 2_500;
/** Alternates short calls with and without a journal, so that both wait for an equally busy disk. */
const pairsOfARound = 20;
const warmUpRounds = 2;

/** Measures the cost of recording the changes of a call in a large project, compared with git. */
export const journalBenchmark: Benchmark = {
  summary: `A call in a project of ${formatNumber(filesInTree)} files whose changes are recorded: one that declares its writes, and one that may write anything, compared with git status.`,
  async run(options) {
    const tree = makeSearchTree(filesInTree);
    using directory = makeFolder();
    try {
      prepareRepository(tree.folder);
      options.log(`  ${tree.files} files, ${formatNumber(tree.bytes / 1e6)} MB`);
      return await measure(tree.folder, directory.path, options);
    } finally {
      tree.remove();
    }
  },
};

async function measure(folder: string, directory: string, options: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const workspace = createWorkspace({ cwd: folder, permission: allowAll });
  const journal = await createJournal({ workspace, directory });
  const flusher = createFlusher(directory);
  try {
    await journal.refresh();
    // Waits, because the journal and git both read new files again.
    await new Promise((resolve) => setTimeout(resolve, settlingMs));
    await journal.refresh();
    // Flushes earlier writes to the disk, since a short call would otherwise wait for them.
    if (process.platform !== 'win32') execFileSync('sync');
    // Measured first, because git writes its index and keeps the disk busy.
    const short = await timeInRounds(pairsOfARound * options.rounds, pairsOfARound * warmUpRounds, {
      declared: createCaller(folder, journal.middleware, 'declared'),
      'no journal': createCaller(folder, undefined, 'plain'),
      [flushes]: () => flusher.flush(),
    });
    const status = ['-C', folder, 'status', '--porcelain'];
    const long = await timeInRounds(options.rounds, warmUpRounds, {
      undeclared: createCaller(folder, journal.middleware, 'undeclared'),
      [git]: () => execFileSync('git', status, { stdio: ['ignore', 'pipe', 'ignore'] }),
    });
    const { declared = [], ...others } = short;
    const { undeclared = [], [git]: ofGit = [] } = long;
    const what = 'A call that may write anything, such as a shell (one scan before it, one after)';
    const isMet = bestOf(undeclared) <= 3 * bestOf(ofGit);
    return [
      timesRow('A call that declares the file it writes', declared, others, atMost(2, 'ms')),
      timesRow(what, undeclared, { [git]: ofGit }, bar('≤ 3 × git status in the best rounds', isMet)),
    ];
  } finally {
    flusher.close();
    await journal.close();
  }
}

/**
 * The cost of the disk itself: two small appends, each flushed at once, like the log and the contents of the journal.
 */
function createFlusher(directory: string): { flush(): Promise<unknown>; close(): void } {
  const files = ['log', 'contents'].map((name) => openSync(join(directory, `bare-${name}`), 'a'));
  const flushFile = promisify(fdatasync);
  return {
    flush() {
      for (const file of files) writeSync(file, 'a line of a log\n'.repeat(20));
      return Promise.all(files.map((file) => flushFile(file)));
    },
    close() {
      for (const file of files) closeSync(file);
    },
  };
}

/** Milliseconds of each round of each contender. */
function timeInRounds(
  rounds: number,
  warmUp: number,
  contenders: Readonly<Record<string, () => unknown>>,
): Promise<Readonly<Record<string, readonly number[]>>> {
  const byName = new Map(Object.entries(contenders));
  return inRounds([...byName.keys()], rounds, (name) => millisecondsOf(byName.get(name)!), warmUp);
}

/** A call that writes one file, and reports the change or not. */
function createCaller(
  folder: string,
  middleware: DispatchMiddleware | undefined,
  kind: 'declared' | 'plain' | 'undeclared',
): () => Promise<unknown> {
  const target = join(folder, 'area1', `${kind}.txt`);
  let count = 0;
  const write = defineTool({
    name: 'write_file',
    description: 'Writes a file.',
    input: { type: 'object' },
    kind: 'edit',
    ...(kind === 'undeclared' ? {} : { footprint: () => ({ reads: [], writes: [`file:${target}`] }) }),
    execute: () => writeFileSync(target, `content ${(count += 1)}\n`),
  });
  const source = createDispatcher({
    registry: [write],
    workspace: createWorkspace({ cwd: folder, permission: allowAll }),
    ...(middleware ? { middleware: [middleware] } : {}),
  });
  return async () => {
    const result = await source.dispatch({ id: `call_${count}`, name: 'write_file', arguments: '{}' });
    if (!result.ok) throw new Error(JSON.stringify(result.error));
    if (middleware && (result.metadata['journal'] as { readonly changed?: number }).changed !== 1)
      throw new Error('the journal did not record the change');
  };
}

function prepareRepository(folder: string): void {
  rmSync(join(folder, '.git'), { recursive: true });
  const run = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-C', folder, ...args], { stdio: 'ignore' });
  run('init', '-q');
  run('add', '-A');
  run('-c', 'user.name=bench', '-c', 'user.email=bench@example.com', 'commit', '-q', '-m', 'all');
}
