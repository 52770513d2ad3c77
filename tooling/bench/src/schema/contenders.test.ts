import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { runChild } from '@haft-tooling/measure';
import makeWork from '@haft-tooling/peers/validation/validate-arguments';

describe('the schema benchmark', { timeout: 60_000 }, () => {
  it('does what is measured: each validator takes what fits and refuses what does not', async () => {
    for (const sample of ['small', 'nested']) {
      for (const validator of ['Haft, JSON Schema', 'Haft, zod', 'ajv', 'zod']) {
        await (await makeWork({ sample, validator })).run();
      }
    }
    await expect(makeWork({ sample: 'small', validator: 'nobody' })).rejects.toThrow('nobody');
  });

  it.each(['haft', 'ajv', 'mcp-sdk'])('takes listings as %s does', async (name) => {
    const program = fileURLToPath(new URL('listings-process.ts', import.meta.url));
    expect(await runChild(['--expose-gc', '--conditions=@haft/source', program, name, '10', '3'])).toEqual(
      expect.any(Number),
    );
  });
});
