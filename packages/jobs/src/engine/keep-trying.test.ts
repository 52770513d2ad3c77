import pg from 'pg';
import { expect, it, vi } from 'vitest';

import { keepTrying } from './keep-trying.ts';
import { openPostgresEngine } from './postgres-engine.ts';

const starting = Object.assign(
  new pg.DatabaseError('the database system is not yet accepting connections', 0, 'error'),
  {
    severity: 'FATAL',
    code: '57P03',
  },
);
const isClosed = (): boolean => false;

it('repeats work while the database server is starting, and reports how long it was repeated', async () => {
  // Nothing is connected before the first statement.
  const engine = await openPostgresEngine('postgres://localhost/none', 1_000);
  const work = vi.fn<() => Promise<string>>().mockResolvedValue('stored');
  work.mockRejectedValueOnce(starting).mockRejectedValueOnce(starting);
  expect(await keepTrying(engine, { timeoutMs: Infinity, isClosed }, 'submit', work)).toBe('stored');
  expect(work).toHaveBeenCalledTimes(3);

  work.mockReset().mockRejectedValue(starting);
  await expect(keepTrying(engine, { timeoutMs: 40, isClosed }, 'submit', work)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: `submit: ${starting.message} (tried again for 40 ms; the option timeoutMs changes that)`,
  });
  await engine.close();
});
