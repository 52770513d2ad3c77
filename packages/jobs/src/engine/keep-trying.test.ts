import pg from 'pg';
import { expect, it, vi } from 'vitest';

import { keepTrying } from './keep-trying.ts';
import { openPostgresEngine } from './postgres-engine.ts';

const failWith = (message: string, severity: string, code: string): Error =>
  Object.assign(new pg.DatabaseError(message, 0, 'error'), { severity, code });
const starting = failWith('the database system is not yet accepting connections', 'FATAL', '57P03');
// It may have waited for a lock of a paused host.
const canceled = failWith('canceling statement due to statement timeout', 'ERROR', '57014');
const isClosed = (): boolean => false;

it('repeats work while the database server is starting or slow, and reports how long it was repeated', async () => {
  // Nothing is connected before the first statement.
  const engine = await openPostgresEngine('postgres://localhost/none', 1_000);
  const work = vi.fn<() => Promise<string>>().mockResolvedValue('stored');
  work.mockRejectedValueOnce(starting).mockRejectedValueOnce(canceled);
  expect(await keepTrying(engine, { timeoutMs: Infinity, isClosed }, 'submit', work)).toBe('stored');
  expect(work).toHaveBeenCalledTimes(3);

  work.mockReset().mockRejectedValue(starting);
  await expect(keepTrying(engine, { timeoutMs: 40, isClosed }, 'submit', work)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: `submit: ${starting.message} (tried again for 40 ms; the option timeoutMs changes that)`,
  });
  await engine.close();
});
