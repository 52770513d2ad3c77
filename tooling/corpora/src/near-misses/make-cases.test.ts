import { compileSchema } from '@haft/schema';
import { describe, expect, it } from 'vitest';

import { makeCases } from './make-cases.ts';
import { toJsonSchema, toZod } from './part.ts';
import { spoilers } from './spoil.ts';
import { traps } from './traps.ts';
import { slips } from './write-with-slip.ts';

const cases = makeCases('development', 3);

describe('generated near misses', () => {
  it('are identical for the same seeds, and differ for others', () => {
    expect(makeCases('development', 3)).toEqual(cases);
    expect(makeCases('held-out', 1)[0]?.text).not.toBe(cases[0]?.text);
  });

  it('exist in every kind, in the requested number', () => {
    const kinds = (group: string): readonly string[] => [
      ...new Set(cases.filter((one) => one.group === group).map(({ kind }) => kind)),
    ];
    expect(kinds('one')).toEqual(Object.keys(spoilers));
    expect(kinds('slip')).toEqual(Object.keys(slips));
    expect(kinds('trap')).toEqual(Object.keys(traps));
    expect(cases).toHaveLength(3 * (2 * kinds('one').length + kinds('slip').length + kinds('trap').length));
  });

  it('mean arguments that are valid for both schemas', async () => {
    for (const { group, tool, meant } of cases) {
      for (const value of group === 'trap' ? [] : meant) {
        expect(await compileSchema(toJsonSchema(tool)).validate(value)).toMatchObject({ ok: true, coercions: [] });
        expect(toZod(tool).safeParse(value).success).toBe(true);
      }
    }
  });

  it('are rejected by strict validators, except for traps that are valid', () => {
    for (const { tool, text, meant } of cases.filter(({ group }) => group === 'trap')) {
      const result = toZod(tool).safeParse(JSON.parse(text));
      expect(result.success ? meant.length > 0 : true).toBe(true);
    }
  });
});
