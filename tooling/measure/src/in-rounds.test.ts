import { expect, it } from 'vitest';

import { inRounds } from './in-rounds.ts';

it('runs contenders in both orders, and drops the warm-up', async () => {
  const order: string[] = [];
  const outcomes = await inRounds(['a', 'b'], 2, (name, round) => (order.push(`${name}${round}`), round), 1);
  expect(order).toEqual(['b-1', 'a-1', 'a0', 'b0', 'b1', 'a1']);
  expect(outcomes).toEqual({ a: [0, 1], b: [0, 1] });
});
