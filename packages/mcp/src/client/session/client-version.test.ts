import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { packageVersion } from './client-version.ts';

it('reads the version of the package from its manifest', () => {
  const manifest = createRequire(import.meta.url)('../../../package.json') as { readonly version: string };
  expect(packageVersion()).toBe(manifest.version);
});
