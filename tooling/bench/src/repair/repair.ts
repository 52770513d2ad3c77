import type { Benchmark, BenchmarkOptions, MeasuredRow } from '../row.ts';
import { makeCompositions, makeControls, makeSingles } from './cases.ts';
import type { Case } from './cases.ts';
import { judgeCases } from './judge-cases.ts';
import { haft, haftWithoutOptions, haftWithSchema, peers } from './readers.ts';
import type { Reader } from './readers.ts';
import { countShare, isUnambiguous } from './shares.ts';
import type { Judged, Results } from './shares.ts';

/** Generous: other processes want the machine as well, and a text is a few hundred characters. */
const caseMs = 10_000;

/** How many cases of each kind, for each of the rows of seeds. */
const counts = { perClass: 10, compositions: 150, controls: 60 };

/** What comes back from damaged JSON, Haft beside its peers. */
export const repairBenchmark: Benchmark = {
  summary: 'JSON as models break it, with what was meant known: what comes back, from Haft and from its peers.',
  async run({ log }: BenchmarkOptions) {
    const today = new Date().toISOString().slice(0, 10);
    const splits = ['development', 'held-out', today];
    log(`  rows of seeds: ${splits.join(', ')}`);
    const cases = splits.flatMap((split) => [
      ...makeSingles(split, counts.perClass),
      ...makeCompositions(split, 2, counts.compositions),
      ...makeCompositions(split, 3, counts.compositions),
      ...makeControls(split, counts.controls),
    ]);
    const results = new Map<string, readonly Judged[]>();
    for (const reader of [haft, haftWithoutOptions, haftWithSchema, ...peers]) {
      log(`  ${reader.name} reads ${cases.length} texts`);
      const judged = await readAll(reader, cases);
      const hung = judged.filter(({ verdict }) => verdict.outcome === 'hung').length;
      if (hung > 0) log(`    ${hung} of them without coming back in ${caseMs / 1_000} s`);
      results.set(reader.name, judged);
    }
    return toRows(results);
  },
};

async function readAll(reader: Reader, cases: readonly Case[]): Promise<readonly Judged[]> {
  const wanted = reader === haftWithSchema ? cases.filter(({ group }) => group === 'schema') : cases;
  const answers = await judgeCases(reader.name, wanted, { caseMs });
  return wanted.flatMap((one, index): readonly Judged[] => {
    const verdict = answers[index]?.verdict;
    return verdict === undefined ? [] : [{ one, verdict }];
  });
}

function toRows(results: Results): readonly MeasuredRow[] {
  const row = (
    what: string,
    suits: (one: Case) => boolean,
    hits: (judged: Judged) => boolean,
    bar: string,
    holds: (value: number) => boolean,
  ): MeasuredRow => {
    const share = (name: string): number => countShare(results, name, suits, hits);
    const haftShare = share(haft.name);
    const others = [haftWithoutOptions, ...peers].map(({ name }): [string, number] => [name, share(name)]);
    return {
      what,
      unit: '%',
      haft: haftShare,
      peers: Object.fromEntries(others),
      bar,
      holds: holds(haftShare),
      ratios: {},
    };
  };
  const exact = ({ verdict }: Judged): boolean => verdict.outcome === 'exact';
  const single = (one: Case): boolean => isUnambiguous(one) && one.damages.length === 1;
  return [
    row('Single damages, no schema: the exact value', single, exact, '≥ 97 %', (value) => value >= 97),
    row(
      'Two damages: the exact value',
      ({ group }) => group === 'double',
      exact,
      '≥ 90 %',
      (value) => value >= 90,
    ),
    row(
      'Three damages: the exact value',
      ({ group }) => group === 'triple',
      exact,
      '≥ 85 %',
      (value) => value >= 85,
    ),
    row(
      'A wrong value, and no mark that it might be',
      isUnambiguous,
      ({ verdict }) => verdict.unmarked,
      '0 %',
      (value) => value === 0,
    ),
    row(
      'A value without a string that the damage had not touched',
      (one) => isUnambiguous(one) && one.untouched.length > 0,
      ({ verdict }) => verdict.changedString,
      '0 %',
      (value) => value === 0,
    ),
    row(
      'Undamaged documents: the exact value',
      ({ group }) => group === 'control',
      exact,
      '100 %',
      (value) => value === 100,
    ),
  ];
}
