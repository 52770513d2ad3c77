import type { Bar, Benchmark, Contender, MeasuredRow, Measurement } from '@haft-tooling/measure';
import { bar, bestCpuOf, countRow, cpuRow, measureSideBySide, medianOf, runModule, toRow } from '@haft-tooling/measure';
import { moduleOf } from '@haft-tooling/peers/module-of';
import { versionOf } from '@haft-tooling/peers/version-of';

/** A longer warm-up, because a loop contains more code for V8 to optimize than a single call. */
const pace = { warmUpMs: 4_000, roundMs: 150 };
/**
 * Many short rounds, because the cost of more tools is small compared with the noise of a round.
 */
const roundsAmongTools = 5;

/** The loops, Haft first, each with its options. */
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

/**
 * Measures the cost of a loop around its tools, with few and many tools, compared with other loops; and the memory that
 * a long run keeps.
 */
export const loopBenchmark: Benchmark = {
  summary:
    'The cost of the agent loop with a model that answers at once: a call, a turn, 1, 200 and 1,000 tools, and the heap kept by 500 turns.',
  async run(options) {
    const measure = (given: Readonly<Record<string, unknown>>): Promise<readonly Measurement[]> =>
      measureSideBySide(contenders(given), { ...options, pace });
    const call = await measure({});
    const turn = await measure({ turn: true });
    const some = await measure({ turn: true, tools: 200 });
    const many = await measure({ turn: true, tools: 1_000 });
    const isAhead = ([haft, ...peers]: readonly Measurement[]): boolean =>
      haft !== undefined && peers.every((peer) => bestCpuOf(haft) < bestCpuOf(peer));
    const ahead = (limit: number, measured: readonly Measurement[]): Bar => ({
      text: `the best round takes ≤ ${limit} µs, less than that of every peer`,
      holds: (best) => best <= limit && isAhead(measured),
    });
    return [
      cpuRow('One more call in a turn', call, ahead(15, call)),
      cpuRow('One more turn with a call', turn, ahead(50, turn)),
      cpuRow('The same turn with 200 tools', some, bar('ahead of every peer', isAhead(some))),
      cpuRow('The same turn with 1,000 tools', many, bar('ahead of every peer', isAhead(many))),
      await measureAmongTools(roundsAmongTools * options.rounds),
      await measureHeap(),
    ];
  },
};

/**
 * Measures one additional turn with 1, 200 and 1,000 tools, alternating in one process. Each round gives a ratio; the
 * median counts.
 */
async function measureAmongTools(rounds: number): Promise<MeasuredRow> {
  const module = new URL('many-tools-process.ts', import.meta.url);
  const [one = [], some = [], many = []] = await runModule<readonly number[][]>(module, [`${rounds}`]);
  const growth = medianOf(many.map((turn, round) => turn / (one[round] ?? NaN)));
  return toRow(
    `One more turn among 1,000 tools, in ${rounds} rounds of one process`,
    'µs CPU, median',
    medianOf(many),
    { 'among 200 tools': medianOf(some), 'with one tool': medianOf(one) },
    bar('≤ 1.2 × of one tool, in the median of the rounds', growth <= 1.2),
  );
}

async function measureHeap(): Promise<MeasuredRow> {
  const module = new URL('heap-process.ts', import.meta.url);
  const { grown, history } = await runModule<{ readonly grown: number; readonly history: number }>(module, [], {
    flags: ['--expose-gc'],
  });
  return countRow(
    'Heap that 400 turns of a run leave behind, from the 100th to the 500th',
    'KB',
    grown / 1_024,
    { 'a copy of their messages and results alone': history / 1_024 },
    bar('≤ 1.5 × the size of a copy of messages and results', grown <= 1.5 * history),
  );
}
