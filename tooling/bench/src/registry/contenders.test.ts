import { describe, expect, it } from 'vitest';

import makeWork from './next-snapshot.ts';
import { measureImports } from './measure-imports.ts';
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

  it('measures imports, and fails for a missing module', async () => {
    const [url, nothing] = await measureImports({ url: 'node:url', nothing: undefined }, 1);
    expect([url?.name, nothing?.name, (url?.best ?? 0) > 0]).toEqual(['url', 'nothing', true]);
    await expect(measureImports({ missing: './no-such-module.js' }, 1)).rejects.toThrow('no-such-module');
  });
});
