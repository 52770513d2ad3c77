import { describe, expect, it } from 'vitest';

import { runModule } from '@haft-tooling/measure';
import makeWork from '@haft-tooling/peers/validation/validate-arguments';

describe('the schema benchmark', { timeout: 60_000 }, () => {
  it('verifies that each validator accepts valid values and rejects invalid ones', async () => {
    for (const sample of ['small', 'nested']) {
      for (const validator of ['Haft, JSON Schema', 'Haft, zod', 'ajv', 'zod']) {
        await (await makeWork({ sample, validator })).run();
      }
    }
    await expect(makeWork({ sample: 'small', validator: 'nobody' })).rejects.toThrow('nobody');
  });

  it.each(['haft', 'ajv', 'mcp-sdk'])('verifies that %s accepts listings', async (name) => {
    const module = new URL('listings-process.ts', import.meta.url);
    expect(await runModule(module, [name, '10', '3'], { flags: ['--expose-gc'] })).toEqual(expect.any(Number));
  });
});
