import type { ExamplePage } from './example-types.ts';
import { readPublishedPackages, readRepositoryFile } from './workspace.ts';

/** Where pages outside a package resolve their imports: the checks have every package at hand. */
const anywhere = 'tooling/checks';

/** Lists every page whose examples run: the READMEs, and what tells how to add something. */
export function listExamplePages(): readonly { readonly path: string; readonly folder: string }[] {
  return [
    { path: 'README.md', folder: anywhere },
    ...['tool', 'model', 'plugin', 'envelope', 'dialect', 'store-driver'].map((page) => ({
      path: `docs/adding/${page}.md`,
      folder: anywhere,
    })),
    // That a README is missing at all is told by the check of its sections.
    ...readPublishedPackages()
      .filter(({ files }) => files.has('README.md'))
      .map(({ folder }) => ({ path: `${folder}/README.md`, folder })),
  ];
}

/** Reads the text of a page. */
export function readExamplePage({ path, folder }: { readonly path: string; readonly folder: string }): ExamplePage {
  return { path, folder, text: readRepositoryFile(path) };
}
