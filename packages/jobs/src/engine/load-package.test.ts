import { expect, it } from 'vitest';

import { loadPackage } from './load-package.ts';

it('the error for a missing package names the package and the command that installs all packages of the database', async () => {
  const load = (): Promise<unknown> => import('pg-boss-that-is-missing' as string);
  await expect(loadPackage('pg-boss', 'pglite', load)).rejects.toMatchObject({
    code: 'MISSING_PACKAGE',
    message: 'the package pg-boss is missing (run npm install pg-boss @electric-sql/pglite better-sqlite3)',
  });
  await expect(loadPackage('pg', 'postgres', load)).rejects.toThrow('(run npm install pg-boss pg)');
  expect(await loadPackage('pg-boss', 'postgres', async () => 'module')).toBe('module');
});
