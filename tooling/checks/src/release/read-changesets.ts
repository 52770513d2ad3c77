import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { readRepositoryFile, repositoryRoot } from '../workspace.ts';
import { parseChangeset } from './changesets.ts';
import type { Changeset } from './changesets.ts';

/** Reads the changesets of the repository. */
export function readChangesets(): readonly Changeset[] {
  return readdirSync(join(repositoryRoot, '.changeset'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => parseChangeset(file.slice(0, -'.md'.length), readRepositoryFile(`.changeset/${file}`)));
}
