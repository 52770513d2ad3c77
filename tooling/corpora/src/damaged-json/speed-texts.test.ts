import { describe, expect, it } from 'vitest';

import { pathologicalShapes } from './pathological-shapes.ts';
import { speedTexts } from './speed-texts.ts';

describe('texts that are read for speed', () => {
  it.each(speedTexts.map((text) => [text.name, text] as const))(
    'have the requested length, and are damaged if stated: %s',
    (_, text) => {
      const written = text.make(20_000);
      expect(written.length).toBeGreaterThan(19_000);
      expect(written.length).toBeLessThan(28_000);
      if (text.valid === true) expect(JSON.parse(written)).toBeTypeOf('object');
      else expect(() => JSON.parse(written) as unknown).toThrow(SyntaxError);
    },
  );
});

describe('pathological shapes', () => {
  it('are at least fifty, each with a name and of the requested length', () => {
    expect(pathologicalShapes.length).toBeGreaterThanOrEqual(50);
    expect(new Set(pathologicalShapes.map(({ name }) => name)).size).toBe(pathologicalShapes.length);
    for (const { name, make } of pathologicalShapes) {
      const { length } = make(10_000);
      expect([name, length >= 9_900, length <= 30_000]).toEqual([name, true, true]);
    }
  });
});
