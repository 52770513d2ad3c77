import { describe, expect, it } from 'vitest';

import { makeOutputs } from './make-outputs.ts';
import { notations } from './notations.ts';

const texts = makeOutputs('development', 2);

describe('texts as models write them', () => {
  it('are identical for the same seeds, and differ for others', () => {
    expect(makeOutputs('development', 2)).toEqual(texts);
    expect(makeOutputs('held-out', 1)[0]?.text).not.toBe(texts[0]?.text);
  });

  it('are written in every notation, in proportion to its weight', () => {
    for (const { name, weight } of notations) {
      const own = texts.filter(({ form }) => form === name || form.startsWith(`${name} + `));
      expect([name, own.length]).toEqual([name, weight * 2]);
    }
  });

  it('name the tools that they call, and offer them', () => {
    for (const { text, expected, tools } of texts) {
      expect(expected.length).toBeGreaterThan(0);
      for (const { name } of expected) {
        expect(text).toContain(name);
        expect(tools.some((tool) => tool.name === name)).toBe(true);
      }
    }
  });
});
