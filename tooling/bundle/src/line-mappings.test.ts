import { decode, encode } from '@jridgewell/sourcemap-codec';
import { expect, it } from 'vitest';

import { mapLinesOnly } from './line-mappings.ts';

it('keeps one segment for each source line of a line of code, in order', () => {
  const mappings = encode([
    [[0, 0, 3, 2], [4, 0, 3, 9, 0], [8, 0, 4, 1], [9], [12, 1, 4, 0], [20, 0, 3, 2]],
    [],
    [[2, 0, 3, 5]],
  ]);
  const map = JSON.parse(mapLinesOnly(JSON.stringify({ version: 3, sources: ['a', 'b'], names: ['n'], mappings }))) as {
    readonly mappings: string;
  };
  expect(decode(map.mappings)).toEqual([
    [
      [0, 0, 3, 2],
      [8, 0, 4, 1],
      [12, 1, 4, 0],
      [20, 0, 3, 2],
    ],
    [],
    [[2, 0, 3, 5]],
  ]);
  expect(map).toEqual({ version: 3, sources: ['a', 'b'], names: [], mappings: map.mappings });
});
