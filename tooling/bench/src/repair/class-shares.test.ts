import { describe, expect, it } from 'vitest';
import { damages, makeSingles } from '@haft-tooling/corpora/damaged-json';
import { countClassShares, renderClasses } from './class-shares.ts';
import { countShare, isExact, type Judged } from './reading/shares.ts';

const cases = makeSingles('development', 2);
/** The outcomes of a reader that reads some classes correctly and the others wrongly. */
const readerOf = (reads: (name: string) => boolean): readonly Judged[] =>
  cases.map((one) => ({
    one,
    verdict: { outcome: reads(one.damages[0] ?? '') ? 'exact' : 'wrong', unmarked: false, changedString: false },
  }));

const results = new Map([
  ['Haft', readerOf((name) => name !== 'backticks')],
  ['Haft with the schema', readerOf(() => true)],
  ['first 1.0.0', readerOf((name) => name === 'backticks')],
]);

describe('the shares of classes', () => {
  it('are counted for Haft and for each peer, and form a table', () => {
    const shares = countClassShares(results, 'Haft', 'Haft with the schema', ['first 1.0.0']);
    const table = renderClasses(shares);
    expect(shares).toHaveLength(damages.length);
    for (const { name } of damages) expect(table).toContain(`| ${name} |`);
    expect(table).toContain('| backticks | 0 | 100 |');
    expect(table).toContain('| raw newlines | 100 | 0 |');
  });

  it('report that no case matches instead of a share', () => {
    expect(countShare(results, 'Haft', () => true, isExact)).toBeGreaterThan(98);
    expect(() => countShare(results, 'Haft', () => false, isExact)).toThrow('no case of this kind was given to Haft');
  });
});
