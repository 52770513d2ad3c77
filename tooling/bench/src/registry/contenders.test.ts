import { describe, expect, it } from 'vitest';

import makeWork from './next-snapshot.ts';
import { runModule } from '@haft-tooling/measure';

describe('the registry benchmark', { timeout: 60_000 }, () => {
  it('verifies the outcome of each measured operation', async () => {
    for (const options of [{ tools: 3 }, { tools: 3, unchanged: true }]) {
      const work = await makeWork(options);
      await work.run();
      await work.run();
    }
    expect.assertions(0);
  });

  it('runs random batches', async () => {
    expect(await runModule(new URL('batch-process.ts', import.meta.url), ['20'])).toBe(0);
  });
});
