import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { repositoryRoot } from './site-map.ts';

/** The addresses of the project that the site needs. */
export const organization: { readonly repository: string; readonly documentation: string } = JSON.parse(
  readFileSync(join(repositoryRoot, 'tooling/release/organization.json'), 'utf8'),
) as { readonly repository: string; readonly documentation: string };
