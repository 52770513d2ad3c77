import { describe, expect, it } from 'vitest';
import { createResourceTree } from './resource-tree.ts';
import { createPosition, endPosition } from './queue-position.ts';

describe('the resource tree', () => {
  it('is empty after all calls have ended and unused resources are discarded', () => {
    const tree = createResourceTree();
    const turn = () => createPosition(() => undefined);
    const stays = turn();
    tree.enter(stays, { reads: ['file:/kept/here'], writes: [] });
    for (let index = 0; index < 100; index += 1) {
      const passing = turn();
      tree.enter(passing, { reads: [`file:/a/${index}`], writes: [`file:/b/${index}/`] });
      endPosition(passing);
    }
    expect(tree.size).toBeGreaterThan(200);
    tree.sweep();
    // The nodes for all resources, file:/, kept/ and here.
    expect(tree.size).toBe(4);
    const writer = turn();
    tree.enter(writer, { reads: [], writes: ['*'] });
    expect(writer.waitsFor).toBe(1);
    endPosition(stays);
    expect(writer.waitsFor).toBe(0);
  });

  it('waits for unrelated calls, rather than miss a conflict, below the maximum depth', () => {
    const tree = createResourceTree();
    const [first, second] = [createPosition(() => undefined), createPosition(() => undefined)];
    tree.enter(first, { reads: [], writes: [`${'a/'.repeat(100_000)}x`] });
    tree.enter(second, { reads: [`${'a/'.repeat(100_000)}x`], writes: [] });
    tree.sweep();
    expect(second.waitsFor).toBeGreaterThan(0);
  });
});
