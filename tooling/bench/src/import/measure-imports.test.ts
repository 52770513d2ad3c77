import { expect, it } from 'vitest';

import { measureImports } from './measure-imports.ts';

const cwd = import.meta.dirname;

it('measures programs in fresh processes, and fails for a missing module', { timeout: 60_000 }, async () => {
  const programs = [
    { name: 'url', code: `await import('node:url');`, cwd },
    { name: 'nothing', code: '', cwd },
  ];
  const [url, nothing] = await measureImports(programs, 1);
  expect([url?.name, nothing?.name, (url?.best ?? 0) > 0, (nothing?.megabytes ?? 0) > 10]).toEqual([
    'url',
    'nothing',
    true,
    true,
  ]);
  const missing = [{ name: 'missing', code: `await import('./no-such-module.js');`, cwd }];
  await expect(measureImports(missing, 1)).rejects.toThrow('no-such-module');
});
