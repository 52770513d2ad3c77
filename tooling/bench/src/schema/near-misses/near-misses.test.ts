import { makeCases } from '@haft-tooling/corpora/near-misses';
import { describe, expect, it } from 'vitest';
import { judge } from './judge-readers.ts';
import { toRows } from './near-miss-rows.ts';
import { readers } from '@haft-tooling/peers/near-misses/readers';

const cases = makeCases('development', 3);

describe('the judge of readings', () => {
  const [one] = cases;
  if (one === undefined) throw new Error('there is no case');

  it('accepts added keys whether kept or removed, and no other difference', () => {
    const meant = one.meant[0] as Record<string, unknown>;
    expect(judge(one, { value: structuredClone(meant) })).toBe('as meant');
    expect(judge(one, { value: { ...meant, explanation: 'why' } })).toBe('as meant');
    expect(judge(one, { value: { ...meant, other: 1 } })).toBe('changed');
    expect(judge(one, undefined)).toBe('refused');
  });

  it('fails a row if one of the two ranges of seeds fails', () => {
    const verdictsOf = (isRight: boolean) => cases.map(() => (isRight ? ('as meant' as const) : ('changed' as const)));
    const rows = toRows(cases, [
      { name: 'Haft', verdicts: verdictsOf(true) },
      { name: 'Haft, zod schemas', verdicts: verdictsOf(false) },
    ]);
    expect(rows.map(({ haft, holds }) => [haft, holds])).toEqual([
      [100, false],
      [100, false],
      [100, false],
      [0, false],
    ]);
  });
});

describe('every reader', () => {
  it.each(readers.map((reader) => [reader.name, reader] as const))('%s reads valid arguments', async (_, reader) => {
    for (const { group, tool, meant } of cases.slice(0, 10)) {
      if (group === 'trap') continue;
      const read = await reader.prepare(tool);
      expect(read(JSON.stringify(meant[0]))).toEqual({ value: meant[0] });
      expect(read('that is all')).toBeUndefined();
    }
  });
});
