import { expect, test } from 'vitest';
import { createCleanup } from './cleanup.ts';

test('createCleanup runs every action once, newest first, and rejects with the first failure', async () => {
  const cleanup = createCleanup();
  const ended: string[] = [];
  cleanup.defer(async () => void ended.push('oldest'));
  cleanup.defer(async () => {
    ended.push('second');
    throw new Error('second fails');
  });
  cleanup.defer(async () => {
    ended.push('newest');
    throw new Error('newest fails');
  });
  await expect(cleanup.run()).rejects.toThrow('newest fails');
  expect(ended).toEqual(['newest', 'second', 'oldest']);
  await cleanup.run();
  expect(ended).toHaveLength(3);
});
