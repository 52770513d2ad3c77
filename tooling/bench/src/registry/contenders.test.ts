import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import makeWork from './next-snapshot.ts';
import { measureImports } from './measure-imports.ts';
import { runChild } from '@haft-tooling/measure';

describe('the registry benchmark', { timeout: 60_000 }, () => {
  it('does what is measured: each checks its own outcome', async () => {
    for (const options of [{ tools: 3 }, { tools: 3, unchanged: true }]) {
      const work = await makeWork(options);
      await work.run();
      await work.run();
    }
    expect.assertions(0);
  });

  it('plays batches', async () => {
    const player = fileURLToPath(new URL('batch-process.ts', import.meta.url));
    expect(await runChild(['--conditions=@haft/source', player, '20'])).toBe(0);
  });

  it('measures imports, and fails for what is not there', async () => {
    const [url, nothing] = await measureImports({ url: 'node:url', nothing: undefined }, 1);
    expect([url?.name, nothing?.name, (url?.best ?? 0) > 0]).toEqual(['url', 'nothing', true]);
    await expect(measureImports({ missing: './no-such-module.js' }, 1)).rejects.toThrow('no-such-module');
  });
});
