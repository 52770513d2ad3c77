import type { MeasuredRow } from '@haft-tooling/measure';
import type { Judgement, Verdict } from './judge-readers.ts';
import type { Case } from '@haft-tooling/corpora/near-misses';

/** The rows of the result: cases read as meant, and cases read as something else. */
export function toRows(cases: readonly Case[], judgements: readonly Judgement[]): readonly MeasuredRow[] {
  const of = (...groups: readonly Case['group'][]): readonly number[] =>
    cases.flatMap(({ group }, index) => (groups.includes(group) ? [index] : []));
  const shareRow = (what: string, indexes: readonly number[]): MeasuredRow => {
    const shares = judgements.map(({ name, verdicts }) => [name, shareOf(verdicts, indexes)] as const);
    return toRow(`${what}, as meant`, '%', shares, '≥ 95 %', (haft) => haft >= 95);
  };
  const changes = judgements.map(
    ({ name, verdicts }) => [name, verdicts.filter((verdict) => verdict === 'changed').length] as const,
  );
  return [
    shareRow('Arguments with one near miss', of('one')),
    shareRow('Arguments with two or three near misses', of('several')),
    shareRow('Arguments with a near miss and a slip of JSON', of('slip')),
    toRow(
      `Arguments of all ${cases.length}, ${of('trap').length} of them traps, accepted with another meaning`,
      'cases',
      changes,
      '0',
      (haft) => haft === 0,
    ),
  ];
}

/** A table of the kinds of cases by reader. */
export function toMarkdown(cases: readonly Case[], judgements: readonly Judgement[]): string {
  const kinds = [...new Set(cases.map(({ group, kind }) => `${group}\n${kind}`))];
  const lines = kinds.map((key) => {
    const [group, kind] = key.split('\n');
    const indexes = cases.flatMap((one, index) => (one.group === group && one.kind === kind ? [index] : []));
    const cells = judgements.map(({ verdicts }) => {
      const changed = indexes.filter((index) => verdicts[index] === 'changed').length;
      if (group === 'trap') return changed === 0 ? '–' : `**${changed}**`;
      return `${Math.round(shareOf(verdicts, indexes))}${changed === 0 ? '' : ` (**${changed}**)`}`;
    });
    const words = { one: '', several: ', and more', slip: 'a near miss ', trap: 'trap: ' }[group as Case['group']];
    return `| ${group === 'several' ? `${kind}${words}` : `${words}${kind}`} | ${cells.join(' | ')} |`;
  });
  return [
    '**By kind**: percentage read as meant; in bold the number accepted with another meaning (for traps, only that):',
    '',
    `| | ${judgements.map(({ name }) => name).join(' | ')} |`,
    `|---|${judgements.map(() => '---:').join('|')}|`,
    ...lines,
  ].join('\n');
}

function shareOf(verdicts: readonly Verdict[], indexes: readonly number[]): number {
  const right = indexes.filter((index) => verdicts[index] === 'as meant').length;
  return Number(((right / indexes.length) * 100).toPrecision(4));
}

function toRow(
  what: string,
  unit: string,
  values: readonly (readonly [string, number])[],
  bar: string,
  isReached: (value: number) => boolean,
): MeasuredRow {
  const [[, haft], ...peers] = values as [readonly [string, number], ...(readonly [string, number])[]];
  // Both ranges of seeds must meet the bar.
  const own = values.filter(([name]) => name.startsWith('Haft'));
  return {
    what,
    unit,
    haft,
    peers: Object.fromEntries(peers),
    bar,
    holds: own.every(([, value]) => isReached(value)),
    ratios: {},
  };
}
