import { allowAll, createDispatcher, defineTool } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { describe, expect, test } from 'vitest';
import { findOverlap, createStopwatch } from './overlap.ts';

describe('findOverlap', () => {
  test.each([
    [[], []],
    [[[0, 5]], [0]],
    [
      [
        [0, 5],
        [5, 9],
      ],
      [0],
    ],
    [
      [
        [0, 5],
        [4, 9],
      ],
      [0, 1],
    ],
    [
      [
        [0, 9],
        [1, 2],
        [3, 4],
      ],
      [0, 1],
    ],
    [
      [
        [0, 9],
        [1, 8],
        [2, 3],
        [20, 30],
      ],
      [0, 1, 2],
    ],
  ] as const)('for %j, returns the overlapping spans %j', (spans, expected) => {
    expect(findOverlap(spans.map(([start, end]) => ({ start, end })))).toEqual(expected);
  });
});

describe('createStopwatch', () => {
  test('records concurrent calls as overlapping, and sequential calls as not', async () => {
    const stopwatch = createStopwatch();
    let arrived = 0;
    let meet = (): void => {};
    const together = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const input = { type: 'object', properties: {} } as const;
    const wait = defineTool({
      name: 'wait',
      description: 'Waits until two calls are here.',
      kind: 'read',
      input,
      execute: async () => {
        arrived += 1;
        if (arrived === 2) meet();
        await together;
      },
    });
    const alone = defineTool({ name: 'alone', description: 'Runs alone.', input, execute: async () => 'done' });
    const dispatcher = createDispatcher({
      registry: [eraseTool(wait), eraseTool(alone)],
      permission: allowAll,
      middleware: [stopwatch],
    });
    const overlapOf = async (name: string): Promise<number> => {
      const calls = ['1', '2'].map((id) => ({ id: `${name}${id}`, name, arguments: {} }));
      const results = await dispatcher.dispatchBatch(calls);
      expect(results.every((result) => result.ok)).toBe(true);
      return findOverlap(calls.map((call) => stopwatch.spanOf(call.id)!)).length;
    };
    expect(await overlapOf('wait')).toBe(2);
    expect(await overlapOf('alone')).toBe(1);
  });
});
