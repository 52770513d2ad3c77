import { describe, expect, it } from 'vitest';

import { makeCompositions, makeControls, makeSingles } from './cases.ts';
import { damages, plainDamages } from './damages/index.ts';
import { makePrefixes } from './make-prefixes.ts';
import { createMaterial } from '../material/material.ts';
import { createRandom } from '../random.ts';

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return 'not JSON';
  }
};

describe('generated cases', () => {
  it('are identical for the same seeds, and differ for others', () => {
    const make = (split: string): unknown => [
      makeSingles(split, 1),
      makeCompositions(split, 2, 5),
      makeControls(split, 5),
    ];
    expect(make('development')).toEqual(make('development'));
    expect(JSON.stringify(make('held-out'))).not.toBe(JSON.stringify(make('development')));
  });

  it('have the same meaning as the undamaged document', () => {
    for (const { text, truth } of makeControls('development', 60)) expect(JSON.parse(text)).toEqual(truth);
  });

  it.each(damages.map((damage) => [damage.name, damage] as const))(
    'no longer contain the original value: %s',
    (_, damage) => {
      for (const { text, truth } of makeSingles('development', 6, [damage])) {
        const parsed = parse(text);
        // If the text is still valid JSON, its value differs, and the case states that.
        if (damage.parses === undefined) expect(parsed).toBe('not JSON');
        else expect(parsed).not.toEqual(truth);
      }
    },
  );

  it('name the strings that the damage did not touch', () => {
    for (const { text, untouched, truth } of makeSingles('development', 2, plainDamages)) {
      for (const string of untouched) expect(JSON.stringify(truth)).toContain(JSON.stringify(string));
      if (untouched.length > 0) expect(text.length).toBeGreaterThan(untouched.join('').length);
    }
    expect(
      makeSingles('development', 5, plainDamages).filter(({ untouched }) => untouched.length > 0).length,
    ).toBeGreaterThan(200);
  });

  it('combine only damages that touch no common token', () => {
    for (const { damages: names } of makeCompositions('development', 3, 60)) {
      const aspects = damages.filter(({ name }) => names.includes(name)).flatMap(({ touches }) => touches);
      expect(names).toHaveLength(3);
      expect(new Set(aspects).size).toBe(aspects.length);
    }
  });

  it('are made of different material for the held-out seeds', () => {
    const texts = (row: string): readonly string[] =>
      Array.from({ length: 200 }, (_, index) => createMaterial(createRandom(`${row}/${index}`)).make('unicode'));
    const studied = new Set(texts('development'));
    expect(texts('held-out').filter((text) => studied.has(text))).toEqual([]);
    expect(texts('2026-01-01').some((text) => studied.has(text))).toBe(true);
  });

  it('include every prefix of a document', () => {
    const [first, ...others] = makePrefixes('development', 1);
    expect(first).toMatchObject({ text: '{', truth: {} });
    expect(others.every(({ text }, index) => text.length === index + 2)).toBe(true);
  });
});

describe('the table of damages', () => {
  it('has a name for each damage, and every class of its reference benchmark', () => {
    expect(new Set(damages.map(({ name }) => name)).size).toBe(damages.length);
    const counts = Map.groupBy(damages, ({ group }) => group);
    expect([...counts].map(([group, { length }]) => [group, length])).toEqual([
      ['string', 16],
      ['quotes', 18],
      ['literal', 9],
      ['structure', 22],
      ['style', 2],
      ['truncation', 9],
      ['concatenation', 2],
      ['wrapper', 17],
      ['ambiguous', 8],
      ['schema', 21],
    ]);
  });
});
