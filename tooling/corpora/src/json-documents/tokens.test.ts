import { describe, expect, it } from 'vitest';

import { createMaterial } from '../material/material.ts';
import { createRandom } from '../random.ts';
import { shapes } from './shapes.ts';
import { textOf, unitsOf, writeTokens } from './tokens.ts';
import type { Layout } from './tokens.ts';

const layouts: readonly Layout[] = (['compact', 'spaced', '  ', '    '] as const).flatMap((spacing) => [
  { spacing, ascii: false },
  { spacing, ascii: true },
]);

describe('written documents', () => {
  it.each(shapes.map((shape) => [shape.name, shape] as const))('are valid JSON in every layout: %s', (name, shape) => {
    const random = createRandom(`development/${name}`);
    for (let index = 0; index < 10; index += 1) {
      const value = shape.make(createMaterial(random), random);
      for (const layout of layouts) {
        const text = textOf(writeTokens(value, layout));
        expect(JSON.parse(text)).toEqual(value);
        // eslint-disable-next-line no-control-regex
        if (layout.ascii) expect(text).toMatch(/^[\u0000-\u007E]*$/);
      }
    }
  });

  it('consist of tokens that can be damaged one by one', () => {
    expect(unitsOf('"a\\n\\"\\u00e9\\\\x😀"')).toEqual(['a', '\\n', '\\"', '\\u00e9', '\\\\', 'x', '😀']);
  });
});

describe('a source of numbers', () => {
  it('is identical for the same seed', () => {
    const draw = (seed: string): readonly number[] => {
      const random = createRandom(seed);
      return Array.from({ length: 5 }, () => random.next());
    };
    expect(draw('a/1')).toEqual(draw('a/1'));
    expect(draw('a/1')).not.toEqual(draw('a/2'));
  });

  it('reaches both ends of a range, and picks about evenly', () => {
    const random = createRandom('even');
    const counts = [0, 0, 0, 0];
    for (let index = 0; index < 4_000; index += 1) counts[random.whole(0, 3)]! += 1;
    for (const count of counts) expect(count).toBeGreaterThan(850);
    expect(random.sample([1, 2, 3, 4], 2)).toHaveLength(2);
    expect(() => random.pick([])).toThrow('nothing');
  });
});
