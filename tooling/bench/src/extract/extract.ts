import type { Bar, Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { markdownTable } from '@haft-tooling/benchmark-page';
import { atLeast, countRow, exactly } from '@haft-tooling/measure';
import { haft, peers } from '@haft-tooling/peers/tool-call-texts/extractors';
import type { TextCase } from '@haft-tooling/corpora/tool-call-texts';
import { makeCallless, makeOutputs, makeTexts, outputsName, readFixtures } from '@haft-tooling/corpora/tool-call-texts';
import { judgeTexts, type JudgedText } from './judge-texts.ts';

/** A generous limit, because other processes use the machine, too. */
const textMs = 10_000;

/**
 * Number of texts for each range of seeds: per kind and envelope, per sort without a call, and per notation by weight.
 */
const someTexts = { perKind: 3, perSort: 6, perNotation: 2 };
const everyText = { perKind: 20, perSort: 40, perNotation: 12 };

/** Extracts calls from texts in every envelope, and from texts without a call. */
export const extractBenchmark: Benchmark = {
  summary:
    'Tool calls in text, in 46 envelopes and in their broken forms: calls that are found, and calls that are invented.',
  async run({ log, full, attach }: BenchmarkOptions) {
    const counts = full ? everyText : someTexts;
    const { examples, probes } = readFixtures();
    const splits = ['development', 'held-out', new Date().toISOString().slice(0, 10)];
    log(`  ranges of seeds: ${splits.join(', ')}`);
    const generated = splits.flatMap((split) => [
      ...makeTexts(split, counts.perKind),
      ...makeCallless(split, counts.perSort),
      ...makeOutputs(split, counts.perNotation),
    ]);
    const texts = [...examples, ...probes, ...generated];
    const results = new Map<string, readonly JudgedText[]>();
    for (const { name } of [haft, ...peers]) {
      log(`  ${name} reads ${texts.length} texts`);
      results.set(name, await judgeTexts(name, texts, { textMs }));
    }
    attach(describeTexts(generated, splits));
    attach(renderEnvelopes(results));
    return toRows(results);
  },
};

type Suits = (judged: JudgedText) => boolean;

function toRows(results: ReadonlyMap<string, readonly JudgedText[]>): readonly MeasuredRow[] {
  const row = (what: string, unit: '%' | 'texts', suits: Suits, hits: Suits, bar: Bar): MeasuredRow => {
    const value = (name: string): number => {
      const suitable = (results.get(name) ?? []).filter(suits);
      if (suitable.length === 0) throw new Error(`${name} was given no text for "${what}"`);
      const found = suitable.filter(hits).length;
      return unit === '%' ? (100 * found) / suitable.length : found;
    };
    return countRow(
      what,
      unit,
      value(haft.name),
      Object.fromEntries(peers.map(({ name }) => [name, value(name)])),
      bar,
    );
  };
  const exact: Suits = ({ verdict }) => verdict.outcome === 'exact';
  const kind =
    (...kinds: readonly string[]): Suits =>
    ({ one }) =>
      kinds.includes(one.kind);
  const generated: Suits = (judged) => !kind('fixture', 'probe', 'no call')(judged);
  const isMangled: Suits = ({ one }) => one.envelope === 'mangled';
  const isOutput: Suits = ({ one }) => one.envelope === outputsName;
  const isClean: Suits = (one) => generated(one) && !isMangled(one) && !isOutput(one) && !kind('cut')(one);
  const isWhole: Suits = (one) => exact(one) && !one.verdict.spoiledText;
  const most = atLeast(98, '%');
  const calls = 'exactly the intended calls';
  const probes = 'Probes: real calls, and texts that only look like calls';
  const hasProse: Suits = ({ one }) => one.left !== undefined;
  return [
    row(`The examples of 46 envelopes: ${calls}`, '%', kind('fixture'), exact, atLeast(99, '%')),
    row(probes, 'texts', kind('probe'), exact, exactly(25, 'of 25')),
    row(`Generated texts in 46 envelopes: ${calls}`, '%', isClean, exact, most),
    row(`Texts without an envelope, or with a broken one: ${calls}`, '%', isMangled, exact, most),
    row(`Texts as models write them, with several habits at once: ${calls}`, '%', isOutput, exact, most),
    row('Cut texts: only the calls before the cut', '%', kind('cut'), exact, exactly(100, '%')),
    row('Texts without a call, in which calls were found', 'texts', kind('no call'), (one) => !exact(one), exactly(0)),
    row('Texts with prose: exactly the calls, and exactly the prose left', '%', hasProse, isWhole, most),
  ];
}

function describeTexts(texts: readonly TextCase[], splits: readonly string[]): string {
  const without = texts.filter(({ kind }) => kind === 'no call').length;
  return [
    `${texts.length - without} generated texts with calls, clean, in prose, with stray tokens, cut, or not closed, and ${without} without a call;`,
    `a third each from seeds of the development, from held-out seeds, and from seeds of the day of the run (${splits[2]}). Held-out calls are made of material that was not studied.`,
    'Each middleware of the peer reads one preselected protocol, and is measured separately.',
  ].join(' ');
}

/** One line per envelope: the percentage of generated texts that are read correctly. */
function renderEnvelopes(results: ReadonlyMap<string, readonly JudgedText[]>): string {
  const names = [...results.keys()];
  const isGenerated = ({ one: { kind } }: JudgedText): boolean =>
    kind !== 'fixture' && kind !== 'probe' && kind !== 'cut';
  const share = (name: string, envelope: string): string => {
    const suitable = (results.get(name) ?? []).filter(
      (judged) => isGenerated(judged) && judged.one.envelope === envelope,
    );
    return ((100 * suitable.filter(({ verdict }) => verdict.outcome === 'exact').length) / suitable.length).toFixed(0);
  };
  const all = (results.get(haft.name) ?? []).filter(isGenerated).map(({ one }) => one.envelope);
  const lines = [...new Set(all)].map((envelope) => [envelope, ...names.map((name) => share(name, envelope))]);
  const title = '**By envelope, and by kind of text without a call**, read as meant, in %:';
  return `${title}\n\n${markdownTable(['', ...names], lines)}`;
}
