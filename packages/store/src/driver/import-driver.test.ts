import { expect, it } from 'vitest';

import { importDriver } from './import-driver.ts';

const failing = (message: string, code: string) => (): Promise<never> =>
  Promise.reject(Object.assign(new Error(message), { code }));

it('names the package to install if it is missing', async () => {
  const missing = importDriver(
    'better-sqlite3',
    failing("Cannot find package 'better-sqlite3' imported from /a/b.js", 'ERR_MODULE_NOT_FOUND'),
  );
  await expect(missing).rejects.toMatchObject({
    name: 'StoreError',
    code: 'DRIVER_MISSING',
    message: 'the package better-sqlite3 is not installed; run npm install better-sqlite3',
  });
});

it('does not suggest to install a package that is broken', async () => {
  const broken = importDriver(
    'pg',
    failing("Cannot find package 'pg-pool' imported from /a/pg.js", 'ERR_MODULE_NOT_FOUND'),
  );
  await expect(broken).rejects.toMatchObject({ code: 'UNAVAILABLE', message: expect.stringContaining('pg-pool') });
});

it('returns the package', async () => {
  expect(await importDriver('pg', () => Promise.resolve(5))).toBe(5);
});
