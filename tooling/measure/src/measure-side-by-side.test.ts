import { describe, expect, it } from 'vitest';

import { measureSideBySide } from './measure-side-by-side.ts';

const spin = new URL('fixtures/spin.ts', import.meta.url);
const options = { rounds: 3, log: () => {}, pace: { warmUpMs: 100, roundMs: 40 } };

describe('measureSideBySide', { timeout: 60_000 }, () => {
  it('finds that ten times the work takes longer', async () => {
    const [small, large] = await measureSideBySide(
      [
        { name: 'small', module: spin, options: { size: 20_000 } },
        { name: 'large', module: spin, options: { size: 200_000 } },
      ],
      options,
    );
    expect(small?.name).toBe('small');
    expect((large?.cpuBest ?? 0) / (small?.cpuBest ?? 1)).toBeGreaterThan(4);
    expect(small?.cpuBest).toBeLessThanOrEqual(small?.cpuMedian ?? 0);
  });

  it('subtracts the baseline, and divides by the operations', async () => {
    const [plain, derived] = await measureSideBySide(
      [
        { name: 'plain', module: spin, options: { size: 200_000 } },
        { name: 'derived', module: spin, options: { size: 200_000, baseline: true } },
      ],
      options,
    );
    const ratio = (derived?.cpuBest ?? 0) / (plain?.cpuBest ?? 1);
    expect(ratio).toBeGreaterThan(0.4);
    expect(ratio).toBeLessThan(2.5);
  });

  it('rejects with the name of a contender whose work fails', async () => {
    const broken = { name: 'the broken one', module: new URL('fixtures/broken.ts', import.meta.url) };
    await expect(measureSideBySide([broken], options)).rejects.toThrow(/the broken one ended with[^]*wrong answer/);
  });
});
