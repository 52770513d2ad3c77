import { describe, expect, it } from 'vitest';

import { race } from './race.ts';

describe('a race of readers', () => {
  it('measures every contender with every length', { timeout: 60_000 }, async () => {
    const options = { rounds: 1, lapMs: 5, limitMs: 20_000 };
    const [first, second] = await race(['Haft', 'JSON.parse'], 'valid records', [1_000, 4_000], options);
    expect([...(first?.times.keys() ?? [])]).toEqual(['Haft', 'JSON.parse']);
    for (const { speed, read } of second?.times.values() ?? []) {
      expect(read).toBe(true);
      expect(speed).toBeGreaterThan(0);
    }
  });
});
