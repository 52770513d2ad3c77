import type { Bar, Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { atLeast, atMost, countRow, exactly } from '@haft-tooling/measure';
import { haft, peers } from '@haft-tooling/peers/edits/editors';
import { judgeEditor, type Tally } from './judge-editor.ts';
import { editCategories, isLarge, makeCases } from '@haft-tooling/corpora/edits';
import { measureCalls } from './measure-edits.ts';

const rows = ['development', 'held-out'] as const;
const fewest = 60;

const none: Tally = { right: 0, wrong: 0, refused: 0, touched: 0 };

type Tallies = ReadonlyMap<string, ReadonlyMap<string, Tally>>;

/** Applies edits as models send them, with slips and mistakes. Counts correct, refused and wrong edits. */
export const editBenchmark: Benchmark = {
  summary:
    'Edits as models send them, with formatting slips and mistakes, applied to files: correct to the byte, refused, or wrong.',
  async run(options) {
    const byRow = new Map<string, Tallies>();
    for (const row of rows) byRow.set(row, await judgeAll(row, options));
    const tallies = (row: string): Tallies => byRow.get(row) ?? new Map();
    const all = joinTallies([...byRow.values()]);
    options.attach(describeCorpus(all));
    options.attach(renderCategories(all));
    const studied = shareOf(tallies('development'), haft.name, 'P', 'right');
    const alike: Bar = {
      text: `≥ 95 %, within a point of seen material (${studied.toFixed(1)} %)`,
      holds: (share) => share >= Math.max(95, studied - 1),
    };
    return [
      shareRow('Edits with formatting slips: correct to the byte', all, 'P', 'right', atLeast(95, '%')),
      shareRow('The same with unseen material', tallies('held-out'), 'P', 'right', alike),
      shareRow('Edits with formatting slips: wrong, but reported as done', all, 'P', 'wrong', atMost(0.5, '%')),
      shareRow('Edits with two slips at once: correct to the byte', all, 'D', 'right', atLeast(90, '%')),
      shareRow('Edits with two slips at once: wrong', all, 'D', 'wrong', atMost(0.5, '%')),
      shareRow('Mistaken edits: refused', all, 'N', 'refused', exactly(100, '%')),
      shareRow('Edits that lack a letter: refused', all, 'G', 'refused', exactly(100, '%')),
      ...(await measureCalls(Math.min(options.rounds, 5), options.log)),
    ];
  },
};

async function judgeAll(row: string, { full, log }: BenchmarkOptions): Promise<Tallies> {
  const tallies = new Map<string, Map<string, Tally>>();
  for (const category of editCategories) {
    const count = isLarge(category) && !full ? fewest / 10 : fewest;
    const cases = makeCases(row, category, count);
    log(`  ${row}: ${category}, ${cases.length} cases`);
    if (cases.length < count) throw new Error(`${category} has ${cases.length} cases instead of ${count}`);
    const own = new Map<string, Tally>();
    for (const editor of [haft, ...peers]) own.set(editor.name, await judgeEditor(editor, cases));
    tallies.set(category, own);
  }
  return tallies;
}

function joinTallies(all: readonly Tallies[]): Tallies {
  const joined = new Map<string, Map<string, Tally>>();
  for (const category of editCategories) {
    const own = new Map<string, Tally>();
    for (const { name } of [haft, ...peers]) {
      const sum = { right: 0, wrong: 0, refused: 0, touched: 0 };
      for (const tallies of all) {
        const tally = tallies.get(category)?.get(name);
        for (const key of ['right', 'wrong', 'refused', 'touched'] as const) sum[key] += tally?.[key] ?? 0;
      }
      own.set(name, sum);
    }
    joined.set(category, own);
  }
  return joined;
}

/** Percentage of a group's cases with this outcome, among the cases that the editor supports. */
function shareOf(tallies: Tallies, name: string, group: string, outcome: 'right' | 'wrong' | 'refused'): number {
  let hits = 0;
  let total = 0;
  for (const [category, own] of tallies) {
    const tally = own.get(name);
    if (!category.startsWith(group) || tally === undefined) continue;
    hits += tally[outcome];
    total += tally.right + tally.wrong + tally.refused;
  }
  return (hits / total) * 100;
}

function shareRow(
  what: string,
  tallies: Tallies,
  group: string,
  outcome: 'right' | 'wrong' | 'refused',
  bar: Bar,
): MeasuredRow {
  const share = (name: string): number => shareOf(tallies, name, group, outcome);
  const own = share(haft.name);
  const others = Object.fromEntries(peers.map(({ name }) => [name, share(name)]));
  return countRow(what, '%', own, others, bar.text, bar.holds(own));
}

function describeCorpus(all: Tallies): string {
  const count = (group: string): number =>
    [...all].reduce((sum, [category, own]) => {
      const tally = own.get(haft.name) ?? none;
      return category.startsWith(group) ? sum + tally.right + tally.wrong + tally.refused : sum;
    }, 0);
  const kinds = (group: string): number => editCategories.filter((category) => category.startsWith(group)).length;
  return [
    `${count('P')} edits of ${kinds('P')} kinds that should be made, ${count('N')} of ${kinds('N')} kinds that should be refused, ${count('D')} with two slips, and ${count('G')} that lack a letter;`,
    'half of each from material that was studied during development, half from other packages and other words (held-out). Files are this repository’s TypeScript and',
    'Markdown, indented by two blanks, four and tabs, and made-up Python, Go, JSON, YAML and Markdown. The expected result is computed from line numbers, not by matching.',
    'All kinds have the same weight, which does not reflect how often models make such slips. An editor that takes the first of two matches by design counts as wrong if the other was equally good.',
    'A case that an editor cannot express (every occurrence) does not count for that editor. Every edit is made on a file, by the tool itself.',
  ].join(' ');
}

/** One table per kind of edit: right / wrong / refused in percent, for each editor. */
function renderCategories(all: Tallies): string {
  const names = [haft.name, ...peers.map(({ name }) => name)];
  const lines = [...all].map(([category, own]) => {
    const cells = names.map((name) => {
      const { right, wrong, refused } = own.get(name) ?? none;
      const total = right + wrong + refused;
      if (total === 0) return '–';
      const percent = (value: number): string => String(Math.round((value / total) * 100));
      return /^[PD]/.test(category)
        ? `${percent(right)} / ${percent(wrong)} / ${percent(refused)}`
        : `${percent(refused)} refused`;
    });
    return `| ${category} | ${cells.join(' | ')} |`;
  });
  return [
    'Each kind, in percent: right / wrong / refused; for mistaken edits, the percentage refused.',
    '',
    `| | ${names.join(' | ')} |`,
    `|---|${names.map(() => '---:').join('|')}|`,
    ...lines,
  ].join('\n');
}
