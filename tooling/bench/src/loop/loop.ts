import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import type { Benchmark, Contender, MeasuredRow, Measurement } from '@haft-tooling/measure';
import { measureSideBySide, medianOf, toRow as toPlainRow } from '@haft-tooling/measure';
import { moduleOf } from '@haft-tooling/peers/module-of';
import { versionOf } from '@haft-tooling/peers/version-of';

const file = (name: string): URL => new URL(name, import.meta.url);

/** A loop is so much code that V8 takes longer to settle than with a single call. */
const pace = { warmUpMs: 4_000, roundMs: 150 };
/** What the number of tools adds is little beside what disturbs a round, so that it takes more of them; each is short. */
const roundsAmongTools = 5;

/** The loops, Haft first, each with these options. */
function contenders(options: Readonly<Record<string, unknown>>): readonly Contender[] {
  return [
    { name: 'Haft', module: moduleOf('loops/haft'), options },
    { name: `pi ${versionOf('@earendil-works/pi-agent-core')}: runAgentLoop`, module: moduleOf('loops/pi'), options },
    { name: `AI SDK ${versionOf('ai')}: generateText`, module: moduleOf('loops/ai-sdk'), options },
    {
      name: `OpenAI Agents ${versionOf('@openai/agents-core')}: run`,
      module: moduleOf('loops/openai-agents'),
      options,
    },
  ];
}

/** What a loop costs around its tools, beside others, with few and many tools; and what a long run keeps. */
export const loopBenchmark: Benchmark = {
  summary:
    'What the loop around the tools costs, against a model that answers at once: a call, a turn, with 1, 200 and 1,000 tools, and what 500 turns leave in the heap.',
  async run(options) {
    const measure = (given: Readonly<Record<string, unknown>>): Promise<readonly Measurement[]> =>
      measureSideBySide(contenders(given), { ...options, pace });
    const call = await measure({});
    const turn = await measure({ turn: true });
    const some = await measure({ turn: true, tools: 200 });
    const many = await measure({ turn: true, tools: 1_000 });
    const isAhead = ([haft, ...peers]: readonly Measurement[]): boolean =>
      haft !== undefined && peers.every((peer) => bestOf(haft) < bestOf(peer));
    return [
      toRow(
        'One more call in a turn',
        call,
        '≤ 15 µs in the best round, and ahead of every peer',
        (haft) => haft <= 15 && isAhead(call),
      ),
      toRow(
        'One more turn with a call',
        turn,
        '≤ 50 µs in the best round, and ahead of every peer',
        (haft) => haft <= 50 && isAhead(turn),
      ),
      toRow('The same turn with 200 tools', some, 'ahead of every peer', () => isAhead(some)),
      toRow('The same turn with 1,000 tools', many, 'ahead of every peer', () => isAhead(many)),
      amongToolsRow(roundsAmongTools * options.rounds),
      heapRow(),
    ];
  },
};

/** One turn more among 1, 200 and 1,000 tools, taken in turn in one process: each round gives a ratio, and the median counts. */
function amongToolsRow(rounds: number): MeasuredRow {
  const [one = [], some = [], many = []] = runProgram(
    'many-tools-process.ts',
    [],
    [`${rounds}`],
  ) as readonly number[][];
  const growth = medianOf(many.map((turn, round) => turn / (one[round] ?? NaN)));
  return toPlainRow(
    `One more turn among 1,000 tools, in ${rounds} rounds of one process`,
    'µs CPU, median',
    round(medianOf(many)),
    { 'among 200 tools': round(medianOf(some)), 'with one tool': round(medianOf(one)) },
    '≤ 1.2 × of one tool, in the median of the rounds',
    growth <= 1.2,
  );
}

function heapRow(): MeasuredRow {
  const { grown, history } = runProgram('heap-process.ts', ['--expose-gc'], []) as {
    readonly grown: number;
    readonly history: number;
  };
  return {
    what: 'Heap that 400 turns of a run leave behind, from the 100th to the 500th',
    unit: 'KB',
    haft: round(grown / 1_024),
    peers: { 'a copy of their messages and results alone': round(history / 1_024) },
    bar: '≤ 1.5 × of what a copy of messages and results takes',
    holds: grown <= 1.5 * history,
    ratios: {},
  };
}

/** What a program of this folder prints. */
function runProgram(name: string, flags: readonly string[], args: readonly string[]): unknown {
  const all = ['--conditions=@haft/source', ...flags, fileURLToPath(file(name)), ...args];
  return JSON.parse(execFileSync(process.execPath, all, { encoding: 'utf8' }));
}

/** Where what a run begins with costs far more than a turn, the difference of the best may be lost in noise: then the median counts. */
function bestOf({ cpuBest, cpuMedian }: Measurement): number {
  return cpuBest > 0 ? cpuBest : cpuMedian;
}

function toRow(
  what: string,
  measurements: readonly Measurement[],
  bar: string,
  holds: (haft: number) => boolean,
): MeasuredRow {
  const [haft, ...peers] = measurements;
  if (haft === undefined) throw new Error(`nothing was measured for "${what}"`);
  return {
    what,
    unit: 'µs CPU, median',
    haft: round(haft.cpuMedian),
    peers: Object.fromEntries(peers.map(({ name, cpuMedian }) => [name, round(cpuMedian)])),
    bar,
    holds: holds(bestOf(haft)),
    ratios: Object.fromEntries(peers.map((peer) => [peer.name, round(bestOf(peer) / bestOf(haft))])),
  };
}

function round(value: number): number {
  return Number(value.toPrecision(4));
}
