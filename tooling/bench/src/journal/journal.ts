import { execFileSync } from 'node:child_process';
import {
  closeSync,
  fdatasync,
  mkdtempSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { allowAll, createDispatcher, createWorkspace, defineTool, type DispatchMiddleware } from '@haft/core';
import { createJournal } from '@haft/journal';

import { formatNumber } from '@haft-tooling/benchmark-page';
import type { Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { bestOf, medianOf, timesRow } from '@haft-tooling/measure';
import { makeSearchTree } from '@haft-tooling/corpora/file-trees';

const filesInTree = 20_000;
const git = 'git status';
const flushes = 'two bare flushes';
const settlingMs = 2_500;
/** Short calls, with and without a journal, one of each in turn: the disk that both wait for is as busy for one as for the other. */
const pairsOfARound = 20;
const warmUpRounds = 2;

/** What it costs to know what a call changed, in a large project that git has to look at as well. */
export const journalBenchmark: Benchmark = {
  summary: `A call in a project of ${formatNumber(filesInTree)} files whose changes are recorded: one that says what it writes, and one that may write anything, beside git status.`,
  async run(options) {
    const tree = makeSearchTree(filesInTree);
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'haft-bench-journal-')));
    try {
      prepareRepository(tree.folder);
      options.log(`  ${tree.files} files, ${formatNumber(tree.bytes / 1e6)} MB`);
      return await measure(tree.folder, directory, options);
    } finally {
      tree.remove();
      rmSync(directory, { recursive: true, force: true });
    }
  },
};

async function measure(folder: string, directory: string, options: BenchmarkOptions): Promise<readonly MeasuredRow[]> {
  const workspace = createWorkspace({ cwd: folder, permission: allowAll });
  const journal = await createJournal({ workspace, directory });
  const flusher = createFlusher(directory);
  try {
    const startedAt = performance.now();
    await journal.refresh();
    const first = performance.now() - startedAt;
    options.log(`  first look: ${formatNumber(first)} ms`);
    // Whatever has just been made is read once more, by git as well.
    await new Promise((resolve) => setTimeout(resolve, settlingMs));
    await journal.refresh();
    writeBack();
    // Those first, and not beside git, which writes its index and leaves the disk busy.
    const short = await takeTurns(
      {
        declared: createCaller(folder, journal.middleware, 'declared'),
        'no journal': createCaller(folder, undefined, 'plain'),
        [flushes]: () => flusher.flush(),
      },
      pairsOfARound * options.rounds,
      pairsOfARound * warmUpRounds,
    );
    const long = await takeTurns(
      {
        undeclared: createCaller(folder, journal.middleware, 'undeclared'),
        [git]: () =>
          execFileSync('git', ['-C', folder, 'status', '--porcelain'], { stdio: ['ignore', 'pipe', 'ignore'] }),
      },
      options.rounds,
      warmUpRounds,
    );
    const of = (name: string): readonly number[] => (short[name] ?? long[name])?.wall ?? [];
    const cpuOf = (name: string): readonly number[] => (short[name] ?? long[name])?.cpu ?? [];
    const added = of('declared').map((wall, at) => wall - (of('no journal')[at] ?? NaN));
    return [
      timesRow(
        'A call that says which file it writes',
        of('declared'),
        { 'no journal': of('no journal'), [flushes]: of(flushes) },
        '≤ 2 ms',
        medianOf(of('declared')) <= 2,
      ),
      timesRow(
        'What the journal adds to such a call, in the median of pairs',
        added,
        {},
        'none: a part of the above',
        true,
      ),
      timesRow(
        'A call that may write anything, such as a shell (one look before it, one after)',
        of('undeclared'),
        { [git]: of(git) },
        '≤ 3 × git status in the best rounds',
        bestOf(of('undeclared')) <= 3 * bestOf(of(git)),
      ),
      timesRow(
        'The same calls in processor time, which does not depend on who else is at work',
        cpuOf('undeclared'),
        { [git]: cpuOf(git), 'a call that says which file it writes': cpuOf('declared') },
        'none: git looks at files side by side, in as many threads as there are processors',
        true,
        'ms CPU, median',
      ),
      timesRow(
        `The first look, which reads and keeps all ${formatNumber(filesInTree)} files`,
        [first],
        {},
        'none: once for a workspace',
        true,
      ),
    ];
  } finally {
    flusher.close();
    await journal.close();
  }
}

/** Two small appends that are flushed at once, as the journal flushes its log and its contents: what the disk itself takes. */
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

/** Has the disk take in what was made so far, for which a short call would wait otherwise. */
function writeBack(): void {
  if (process.platform !== 'win32') execFileSync('sync');
}

/** Milliseconds, by the clock and of processor time, of each round. */
interface Times {
  readonly wall: number[];
  readonly cpu: number[];
}

/** Runs some things one after the other, again and again. */
async function takeTurns(
  contenders: Readonly<Record<string, () => unknown>>,
  rounds: number,
  warmUp: number,
): Promise<Readonly<Record<string, Times>>> {
  const times: Record<string, Times> = {};
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const cpu = cpuMs(name === git);
      const start = performance.now();
      await run();
      const wall = performance.now() - start;
      if (round < 0) continue;
      const own = (times[name] ??= { wall: [], cpu: [] });
      own.wall.push(wall);
      own.cpu.push(cpuMs(name === git) - cpu);
    }
  }
  return times;
}

/** Milliseconds of processor time that this process has spent, or those it has started and waited for. */
function cpuMs(ofChildren: boolean): number {
  if (!ofChildren) {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
  if (process.platform !== 'linux') return 0;
  // The name of the program may hold anything, so the fields are counted from behind it; a tick is a hundredth of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** A call that writes one file, and says so or does not. */
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
      throw new Error('the journal has missed the change');
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
