import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { ExamplePage } from './example-types.ts';
import { readSkills } from './skills.ts';
import { readPublishedPackages, readRepositoryFile, repositoryRoot } from './workspace.ts';

/** Pages outside a package resolve their imports from this one, because it depends on all others. */
const anywhere = 'tooling/checks';

/** Lists the pages below `docs` that have an example that runs. */
function listDocuments(): readonly string[] {
  return readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((path) => `docs/${path.replaceAll('\\', '/')}`)
    .filter((path) => path.endsWith('.md') && /^```ts$/m.test(readRepositoryFile(path)))
    .toSorted();
}

/** Lists every page whose examples run: the READMEs, the skills, and the pages of `docs` that have some. */
export function listExamplePages(): readonly { readonly path: string; readonly folder: string }[] {
  return [
    { path: 'README.md', folder: anywhere },
    ...listDocuments().map((path) => ({ path, folder: anywhere })),
    ...readSkills().map(({ path }) => ({ path, folder: anywhere })),
    // A missing README is reported by the check of its sections.
    ...readPublishedPackages()
      .filter(({ files }) => files.has('README.md'))
      .map(({ folder }) => ({ path: `${folder}/README.md`, folder })),
  ];
}

/** Reads the text of a page. */
export function readExamplePage({ path, folder }: { readonly path: string; readonly folder: string }): ExamplePage {
  return { path, folder, text: readRepositoryFile(path) };
}
