import type { Bar, Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { atLeast, bar, countRow, exactly } from '@haft-tooling/measure';
import type { Case } from '@haft-tooling/corpora/damaged-json';
import { damages, makeCompositions, makeControls, makePrefixes, makeSingles } from '@haft-tooling/corpora/damaged-json';
import { countClassShares, renderClasses } from './class-shares.ts';
import { hung, judgeCases } from './reading/judge-cases.ts';
import { makeUncut } from './cuts.ts';
import { measureCuts } from './measure-cuts.ts';
import { measurePathological } from './speed/measure-pathological.ts';
import { measureSize } from './measure-size.ts';
import { measureSpeed } from './speed/measure-speed.ts';
import type { Reader } from '@haft-tooling/peers/damaged-json/readers';
import {
  haft,
  haftWithFallback,
  haftWithSchema,
  haftWithoutOptions,
  peers,
} from '@haft-tooling/peers/damaged-json/readers';
import { countShare, isExact, isUnambiguous } from './reading/shares.ts';
import type { IsHit, Judged, Results, SuitsCase } from './reading/shares.ts';

/** Generous, because other processes use the machine too, and a text has only a few hundred characters. */
const caseMs = 10_000;

/** Number of cases per kind, for each range of seeds. */
const someCases = { perClass: 8, compositions: 120, controls: 60, documents: 4 };
const everyCase = { perClass: 40, compositions: 400, controls: 200, documents: 15 };

/** Measures which values are recovered from damaged JSON, and how fast, compared with peers. */
export const repairBenchmark: Benchmark = {
  summary:
    'Damaged JSON with a known original value: how often the value is recovered, and how fast, by Haft and by its peers.',
  async run(options) {
    const { log, attach, full } = options;
    const splits = ['development', 'held-out', new Date().toISOString().slice(0, 10)];
    log(`  ranges of seeds: ${splits.join(', ')}`);
    const cases = splits.flatMap((split) => makeCases(split, full ? everyCase : someCases));
    const results = await readAll(cases, log);
    const names = peers.map(({ name }) => name);
    const shares = countClassShares(results, haft.name, haftWithSchema.name, names);
    attach(describeCases(cases, splits));
    attach('![How much of each class of damaged JSON comes back](benchmarks/repair-by-class.svg)');
    attach(renderClasses(shares));
    log('  Haft reads documents that are cut at every place');
    const { perClass, compositions, controls } = full ? everyCase : someCases;
    const cuts = measureCuts(splits.flatMap((split) => makeUncut(split, perClass / 2, compositions, controls)));
    return [
      ...toRows(results, splits),
      ...cuts,
      ...(await measureSpeed(options)),
      ...(await measurePathological(options)),
      ...(await measureSize()),
    ];
  },
};

function makeCases(split: string, counts: typeof someCases): readonly Case[] {
  return [
    ...makeSingles(split, counts.perClass),
    ...makeCompositions(split, 2, counts.compositions),
    ...makeCompositions(split, 3, counts.compositions),
    ...makeControls(split, counts.controls),
    ...makePrefixes(split, counts.documents),
  ];
}

async function readAll(cases: readonly Case[], log: BenchmarkOptions['log']): Promise<Results> {
  const results = new Map<string, readonly Judged[]>();
  for (const reader of [haft, haftWithoutOptions, haftWithFallback, haftWithSchema, ...peers]) {
    const wanted = reader === haftWithSchema ? cases.filter(({ group }) => group === 'schema') : cases;
    log(`  ${reader.name} reads ${wanted.length} texts`);
    const answers = await judgeCases(reader.name, wanted, { caseMs });
    const judged = wanted.map((one, index): Judged => ({ one, verdict: (answers[index] ?? hung).verdict }));
    const late = judged.filter(({ verdict }) => verdict.outcome === 'hung').length;
    if (late > 0) log(`    ${late} of them without coming back in ${caseMs / 1_000} s`);
    results.set(reader.name, judged);
  }
  return results;
}

function toRows(results: Results, [development = '', heldOut = '']: readonly string[]): readonly MeasuredRow[] {
  const row = (what: string, suits: SuitsCase, hits: IsHit, limit: Bar, own = haft): MeasuredRow => {
    const share = ({ name }: Reader): number => countShare(results, name, suits, hits);
    const others = own === haft ? [haftWithoutOptions, haftWithFallback, ...peers] : peers;
    const shares = Object.fromEntries(others.map((one) => [one.name, share(one)]));
    return countRow(what, '%', share(own), shares, limit);
  };
  const isSingle: SuitsCase = (one) => isUnambiguous(one) && one.damages.length === 1 && one.group !== 'prefix';
  const inRow =
    (split: string, suits: SuitsCase): SuitsCase =>
    (one) =>
      one.id.startsWith(`${split}/`) && suits(one);
  const isDamaged: SuitsCase = (one) => isUnambiguous(one) && one.damages.length > 0 && one.group !== 'prefix';
  const decidedByCharacters = new Set(
    damages.filter(({ decides }) => decides === 'characters').map(({ name }) => name),
  );
  const studied = countShare(results, haft.name, inRow(development, isSingle), isExact);
  const isWhole: SuitsCase = (one) => isDamaged(one) && one.untouched.length > 0;
  const isBySchema: SuitsCase = ({ damages: [name = ''] }) => decidedByCharacters.has(name);
  const group =
    (wanted: string): SuitsCase =>
    (one) =>
      one.group === wanted;
  const exact = 'the exact value';
  const alike = bar(
    `within a point of seen material (${studied.toFixed(1)} %), or better`,
    countShare(results, haft.name, inRow(heldOut, isSingle), isExact) >= studied - 1,
  );
  const unmarked: IsHit = ({ verdict }) => verdict.unmarked;
  const changed: IsHit = ({ verdict }) => verdict.changedString;
  const bySchema = `Damages that only a schema decides, with the schema (peers take none): ${exact}`;
  return [
    row(`Single damages, no schema: ${exact}`, isSingle, isExact, atLeast(97, '%')),
    row(`Single damages in unseen material: ${exact}`, inRow(heldOut, isSingle), isExact, alike),
    row(`Two damages: ${exact}`, group('double'), isExact, atLeast(90, '%')),
    row(`Three damages: ${exact}`, group('triple'), isExact, atLeast(85, '%')),
    row('A wrong value without a reported ambiguity', isDamaged, unmarked, exactly(0, '%')),
    row('A value without a string that the damage did not touch', isWhole, changed, exactly(0, '%')),
    row(`Undamaged documents: ${exact}`, group('control'), isExact, exactly(100, '%')),
    row(`Every prefix of short documents: ${exact}`, group('prefix'), isExact, exactly(100, '%')),
    row(bySchema, isBySchema, isExact, atLeast(95, '%'), haftWithSchema),
  ];
}

function describeCases(cases: readonly Case[], splits: readonly string[]): string {
  const count = (suits: SuitsCase): number => cases.filter(suits).length;
  return [
    `${count((one) => one.damages.length === 1 && one.group !== 'prefix')} texts with one of ${damages.length} damages, ${count(({ group }) => group === 'double')} with two,`,
    `${count(({ group }) => group === 'triple')} with three, ${count(({ group }) => group === 'control')} with none and ${count(({ group }) => group === 'prefix')} prefixes;`,
    `a third each from seeds of the development, from held-out seeds, and from seeds of the day of the run (${splits[2]}). The damages and their weights are a choice, not a sample of what models do;`,
    'cases of one class are alike. Held-out documents are made of material that was not studied. “Haft” receives the information that the root is an object, as arguments of tools always are.',
  ].join(' ');
}
