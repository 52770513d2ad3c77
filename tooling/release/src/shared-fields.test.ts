import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { readOrganization } from './organization.ts';
import { withSharedFields } from './shared-fields.ts';
import type { ManifestData } from './shared-fields.ts';

const root = new URL('../../../', import.meta.url);
const read = (folder: string): string => readFileSync(new URL(`${folder}/package.json`, root), 'utf8');
const folders = [...readdirSync(new URL('packages', root)).map((name) => `packages/${name}`), 'apps/demo'];
const organization = {
  repository: 'https://code.example/haft',
  homepage: 'https://haft.example',
  documentation: 'https://docs.haft.example',
  funding: 'https://fund.example',
  maintainers: '@haft',
  conduct: 'conduct@haft.example',
};

describe('the shared fields of published manifests', () => {
  it.each(folders)('of %s/package.json are those that the release tooling writes', (folder) => {
    const manifest = JSON.parse(read(folder)) as ManifestData;
    const wanted = withSharedFields(folder, manifest, readOrganization());
    expect(manifest, 'run node tooling/release/src/write-manifests.ts').toEqual(wanted);
  });

  it('name the addresses of the organization and promise provenance', () => {
    const manifest = withSharedFields(
      'packages/repair',
      { name: '@haft/repair', keywords: ['old'], exports: {} },
      organization,
    );
    expect(manifest).toMatchObject({
      homepage: 'https://haft.example/packages/repair#readme',
      bugs: { url: 'https://code.example/haft/issues' },
      repository: { type: 'git', url: 'git+https://code.example/haft.git', directory: 'packages/repair' },
      funding: 'https://fund.example',
      publishConfig: { access: 'public', provenance: true },
    });
    expect(manifest['keywords']).toContain('json-repair');
    expect(manifest['keywords']).not.toContain('old');
  });

  it('keep every other field of a manifest', () => {
    const manifest = { name: '@haft/repair', version: '1.2.3', type: 'module', bin: { a: './a.js' }, custom: 1 };
    expect(withSharedFields('packages/repair', manifest, organization)).toMatchObject(manifest);
  });

  it('are refused for a package without keywords, with the place to add them', () => {
    expect(() => withSharedFields('packages/new', { name: '@haft/new' }, organization)).toThrow(
      'Add keywords for packages/new to tooling/release/src/shared-fields.ts',
    );
  });
});
