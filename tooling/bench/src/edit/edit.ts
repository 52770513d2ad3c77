import type { Bar, Benchmark, BenchmarkOptions, MeasuredRow } from '@haft-tooling/measure';
import { atLeast, atMost, countRow, exactly } from '@haft-tooling/measure';
import { markdownTable } from '@haft-tooling/benchmark-page';
import { haft, peers } from '@haft-tooling/peers/edits/editors';
import { judgeEditor, type Tally } from './judge-editor.ts';
import { editCategories, isLarge, makeCases } from '@haft-tooling/corpora/edits';
import { measureCalls } from './measure-edits.ts';

const splits = ['development', 'held-out'] as const;
const fewest = 60;

/** The outcome of one editor for one kind of edit. */
interface Judged {
  readonly split: (typeof splits)[number];
  readonly category: string;
  readonly editor: string;
  readonly tally: Tally;
}
type Outcome = 'right' | 'wrong' | 'refused';

/** Applies edits as models send them, with slips and mistakes. Counts correct, refused and wrong edits. */
export const editBenchmark: Benchmark = {
  summary:
    'Edits as models send them, with formatting slips and mistakes, applied to files: correct to the byte, refused, or wrong.',
  async run(options) {
    const all: Judged[] = [];
    for (const split of splits) all.push(...(await judgeAll(split, options)));
    const unseen = all.filter(({ split }) => split === 'held-out');
    options.attach(describeCorpus(all));
    options.attach(renderCategories(all));
    const seen = all.filter(({ split }) => split === 'development');
    const studied = shareOf(seen, haft.name, 'P', 'right');
    const alike: Bar = {
      text: `≥ 95 %, within a point of seen material (${studied.toFixed(1)} %)`,
      holds: (share) => share >= Math.max(95, studied - 1),
    };
    return [
      shareRow('Edits with formatting slips: correct to the byte', all, 'P', 'right', atLeast(95, '%')),
      shareRow('The same with unseen material', unseen, 'P', 'right', alike),
      shareRow('Edits with formatting slips: wrong, but reported as done', all, 'P', 'wrong', atMost(0.5, '%')),
      shareRow('Edits with two slips at once: correct to the byte', all, 'D', 'right', atLeast(90, '%')),
      shareRow('Edits with two slips at once: wrong', all, 'D', 'wrong', atMost(0.5, '%')),
      shareRow('Mistaken edits: refused', all, 'N', 'refused', exactly(100, '%')),
      shareRow('Edits that lack a letter: refused', all, 'G', 'refused', exactly(100, '%')),
      ...(await measureCalls(Math.min(options.rounds, 5), options.log)),
    ];
  },
};

async function judgeAll(split: Judged['split'], { full, log }: BenchmarkOptions): Promise<readonly Judged[]> {
  const judged: Judged[] = [];
  for (const category of editCategories) {
    const count = isLarge(category) && !full ? fewest / 10 : fewest;
    const cases = makeCases(split, category, count);
    log(`  ${split}: ${category}, ${cases.length} cases`);
    if (cases.length < count) throw new Error(`${category} has ${cases.length} cases instead of ${count}`);
    for (const editor of [haft, ...peers])
      judged.push({ split, category, editor: editor.name, tally: await judgeEditor(editor, cases) });
  }
  return judged;
}

/** Number of outcomes of an editor, in the categories whose names begin with the prefix. */
function countOf(all: readonly Judged[], editor: string, prefix: string): Record<Outcome | 'total', number> {
  const sum = { right: 0, wrong: 0, refused: 0, total: 0 };
  for (const { category, editor: name, tally } of all) {
    if (name !== editor || !category.startsWith(prefix)) continue;
    for (const outcome of ['right', 'wrong', 'refused'] as const) {
      sum[outcome] += tally[outcome];
      sum.total += tally[outcome];
    }
  }
  return sum;
}

/** Percentage of a group's cases with this outcome, among the cases that the editor supports. */
function shareOf(all: readonly Judged[], editor: string, group: string, outcome: Outcome): number {
  const counts = countOf(all, editor, group);
  return (counts[outcome] / counts.total) * 100;
}

function shareRow(what: string, all: readonly Judged[], group: string, outcome: Outcome, bar: Bar): MeasuredRow {
  const others = Object.fromEntries(peers.map(({ name }) => [name, shareOf(all, name, group, outcome)]));
  return countRow(what, '%', shareOf(all, haft.name, group, outcome), others, bar);
}

function describeCorpus(all: readonly Judged[]): string {
  const count = (group: string): number => countOf(all, haft.name, group).total;
  const kinds = (group: string): number => editCategories.filter((category) => category.startsWith(group)).length;
  return [
    `${count('P')} edits of ${kinds('P')} kinds that should be made, ${count('N')} of ${kinds('N')} kinds that should be refused, ${count('D')} with two slips, and ${count('G')} that lack a letter;`,
    'half of each from material that was studied during development, half from other packages and other words (held-out). Files are this repository’s TypeScript and',
    'Markdown, indented by two blanks, four and tabs, and made-up Python, Go, JSON, YAML and Markdown. The expected result is computed from line numbers, not by matching.',
    'All kinds have the same weight, which does not reflect how often models make such slips. An editor that takes the first of two matches by design counts as wrong if the other was equally good.',
    'A case that an editor cannot express (every occurrence) does not count for that editor. Every edit is made on a file, by the tool itself.',
  ].join(' ');
}

/** A line for each kind of edit: right / wrong / refused in percent, for each editor. */
function renderCategories(all: readonly Judged[]): string {
  const names = [haft.name, ...peers.map(({ name }) => name)];
  const lines = editCategories.map((category) => [
    category,
    ...names.map((name) => {
      const { right, wrong, refused, total } = countOf(all, name, category);
      if (total === 0) return '–';
      const [did, failed, left] = [right, wrong, refused].map((count) => Math.round((count / total) * 100));
      return /^[PD]/.test(category) ? `${did} / ${failed} / ${left}` : `${left} refused`;
    }),
  ]);
  const title = 'Each kind, in percent: right / wrong / refused; for mistaken edits, the percentage refused.';
  return `${title}\n\n${markdownTable(['', ...names], lines)}`;
}
