import { ToolRegistry } from '@haft/core';
import { expect, it } from 'vitest';
import { createConnection } from './create-connection.ts';
import { createSampleServer } from './warm-up.ts';

it('The sample server that prepares the first connection is connected and listed like any server', async () => {
  const registry = new ToolRegistry();
  const connection = await createConnection({ name: 'first', registry, transport: createSampleServer() });
  expect(registry.names).toEqual(['first_sample']);
  expect(connection.diagnostics).toEqual([]);
  await connection.close();
});
