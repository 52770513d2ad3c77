import { markdownTable } from '@haft-tooling/benchmark-page';
import { atLeast, countRow, exactly, type Bar, type MeasuredRow } from '@haft-tooling/measure';
import type { Judgement, Verdict } from './judge-readers.ts';
import type { Case } from '@haft-tooling/corpora/near-misses';

/** The rows of the result: cases read as meant, and cases read as something else. */
export function toRows(cases: readonly Case[], judgements: readonly Judgement[]): readonly MeasuredRow[] {
  const row = (
    what: string,
    unit: string,
    bar: Bar,
    valueOf: (verdicts: readonly Verdict[]) => number,
  ): MeasuredRow => {
    const values = Object.fromEntries(judgements.map(({ name, verdicts }) => [name, valueOf(verdicts)]));
    const { Haft: own = Number.NaN, ...others } = values;
    // Every form of Haft must meet the bar.
    const forms = Object.entries(values).filter(([name]) => name.startsWith('Haft'));
    return countRow(what, unit, own, others, { ...bar, holds: () => forms.every(([, value]) => bar.holds(value)) });
  };
  const count = (group: Case['group']): number => cases.filter((one) => one.group === group).length;
  const shares = (
    [
      ['one', 'Arguments with one near miss'],
      ['several', 'Arguments with two or three near misses'],
      ['slip', 'Arguments with a near miss and a slip of JSON'],
    ] as const
  ).map(([group, what]) =>
    row(`${what}, as meant`, '%', atLeast(95, '%'), (verdicts) =>
      shareOf(verdicts.filter((_, index) => cases[index]?.group === group)),
    ),
  );
  const changed = `Of all ${cases.length} arguments, ${count('trap')} of them traps: accepted with another meaning`;
  return [...shares, row(changed, 'cases', exactly(0), countChanged)];
}

/** Titles of kinds on the page. The corpora keep the names of these kinds, because the names are parts of the seeds. */
const titles: Readonly<Record<string, string>> = {
  'text that is no number': 'text that is not a number',
  'text that is no truth': 'text that is not a boolean',
  'a number for a truth, a truth for a number': 'a number for a boolean, or a boolean for a number',
  'text that looks like something else, where text is taken': 'text that looks like another type',
  'a value of an enum that could be two': 'a text that could be either of two enum values',
  'a key that could be two': 'a key that could be either of two declared keys',
};

/** A table of the kinds of cases by reader. */
export function toMarkdown(cases: readonly Case[], judgements: readonly Judgement[]): string {
  const kinds = Map.groupBy(cases.keys(), (index) => `${cases[index]?.group}\n${cases[index]?.kind}`);
  const lines = [...kinds].map(([key, indexes]) => {
    const [group, kind = ''] = key.split('\n');
    const cells = judgements.map(({ verdicts }) => {
      const own = indexes.flatMap((index) => verdicts[index] ?? []);
      const changed = countChanged(own);
      if (group === 'trap') return changed === 0 ? '–' : `**${changed}**`;
      return `${Math.round(shareOf(own))}${changed === 0 ? '' : ` (**${changed}**)`}`;
    });
    const words = { one: '', several: ', and more', slip: 'a near miss ', trap: 'trap: ' }[group as Case['group']];
    const shown = titles[kind] ?? kind;
    return [group === 'several' ? `${shown}${words}` : `${words}${shown}`, ...cells];
  });
  const title =
    '**By kind**: percentage read as meant; in bold the number accepted with another meaning (for traps, only that):';
  return `${title}\n\n${markdownTable(['', ...judgements.map(({ name }) => name)], lines)}`;
}

function shareOf(verdicts: readonly Verdict[]): number {
  return (100 * verdicts.filter((verdict) => verdict === 'as meant').length) / verdicts.length;
}

function countChanged(verdicts: readonly Verdict[]): number {
  return verdicts.filter((verdict) => verdict === 'changed').length;
}
