import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import { fittingVersions, loadPackage } from './load-package.ts';

it('the error for a missing package names the package and the command that installs all packages of the database', async () => {
  const load = (): Promise<unknown> => import('pg-boss-that-is-missing' as string);
  await expect(loadPackage('pg-boss', 'pglite', load)).rejects.toMatchObject({
    code: 'MISSING_PACKAGE',
    message:
      'the package pg-boss is missing (run npm install pg-boss@12.38.0 @electric-sql/pglite@0.5.16 better-sqlite3)',
  });
  await expect(loadPackage('pg', 'postgres', load)).rejects.toThrow('(run npm install pg-boss pg)');
  expect(await loadPackage('pg-boss', 'postgres', async () => 'module')).toBe('module');
});

it('the versions in the commands that install the packages are those of the shipped database', () => {
  const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const { devDependencies } = JSON.parse(read('package.json')) as { devDependencies: Readonly<Record<string, string>> };
  const versions = ['pg-boss', '@electric-sql/pglite'].map((name) => `${name}@${devDependencies[name]}`);
  expect(fittingVersions).toBe(versions.join(' '));
  for (const path of ['README.md', '../../apps/demo/README.md', '../../docs/guides/scale-out.md'])
    for (const version of versions) expect(read(path)).toContain(version);
});
