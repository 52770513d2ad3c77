import { readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { readOrganization } from './organization.ts';

const read = (path: string): string => readFileSync(new URL(`../../../.github/${path}`, import.meta.url), 'utf8');

describe('the addresses of the project', () => {
  const { repository, maintainers, conduct } = readOrganization();

  it.each([
    ['CODEOWNERS', maintainers],
    ['CODE_OF_CONDUCT.md', conduct],
    ['ISSUE_TEMPLATE/config.yml', `${repository}/security/advisories/new`],
  ])('are the same in .github/%s as in organization.json', (path, address) => {
    expect(read(path)).toContain(address);
  });
});
