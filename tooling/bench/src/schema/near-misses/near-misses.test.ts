import { compileSchema } from '@haft/schema';
import { describe, expect, it } from 'vitest';

import { judge } from './judge-readers.ts';
import { makeCases } from './make-cases.ts';
import { toRows } from './near-miss-rows.ts';
import { toJsonSchema, toZod } from './part.ts';
import { readers } from './readers.ts';
import { spoilers } from './spoil.ts';
import { traps } from './traps.ts';
import { slips } from './write-with-slip.ts';

const cases = makeCases('development', 3);

describe('generated near misses', () => {
  it('are the same for the same row of seeds, and others for another', () => {
    expect(makeCases('development', 3)).toEqual(cases);
    expect(makeCases('held-out', 1)[0]?.text).not.toBe(cases[0]?.text);
  });

  it('are there in every kind, as often as asked', () => {
    const kinds = (group: string): readonly string[] => [
      ...new Set(cases.filter((one) => one.group === group).map(({ kind }) => kind)),
    ];
    expect(kinds('one')).toEqual(Object.keys(spoilers));
    expect(kinds('slip')).toEqual(Object.keys(slips));
    expect(kinds('trap')).toEqual(Object.keys(traps));
    expect(cases).toHaveLength(3 * (2 * kinds('one').length + kinds('slip').length + kinds('trap').length));
  });

  it('are made of arguments that fit both schemas as they are meant', async () => {
    for (const { group, tool, meant } of cases) {
      for (const value of group === 'trap' ? [] : meant) {
        expect(await compileSchema(toJsonSchema(tool)).validate(value)).toMatchObject({ ok: true, coercions: [] });
        expect(toZod(tool).safeParse(value).success).toBe(true);
      }
    }
  });

  it('and traps are refused by strict validators, or fit already', () => {
    for (const { tool, text, meant } of cases.filter(({ group }) => group === 'trap')) {
      const result = toZod(tool).safeParse(JSON.parse(text));
      expect(result.success ? meant.length > 0 : true).toBe(true);
    }
  });
});

describe('the judge of readings', () => {
  const [one] = cases;
  if (one === undefined) throw new Error('there is no case');

  it('takes added keys or leaves them, and nothing else', () => {
    const meant = one.meant[0] as Record<string, unknown>;
    expect(judge(one, { value: structuredClone(meant) })).toBe('as meant');
    expect(judge(one, { value: { ...meant, explanation: 'why' } })).toBe('as meant');
    expect(judge(one, { value: { ...meant, other: 1 } })).toBe('changed');
    expect(judge(one, undefined)).toBe('refused');
  });

  it('has a row fail when one of the two tracks does', () => {
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
  it.each(readers.map((reader) => [reader.name, reader] as const))('%s reads what fits', async (_, reader) => {
    for (const { group, tool, meant } of cases.slice(0, 10)) {
      if (group === 'trap') continue;
      const read = await reader.prepare(tool);
      expect(read(JSON.stringify(meant[0]))).toEqual({ value: meant[0] });
      expect(read('that is all')).toBeUndefined();
    }
  });
});
