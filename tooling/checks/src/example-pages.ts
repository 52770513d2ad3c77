import type { ExamplePage } from './example-types.ts';
import { readPublishedPackages, readRepositoryFile } from './workspace.ts';

/** The package from which pages outside a package resolve their imports: the checks depend on every package. */
const anywhere = 'tooling/checks';

/** Lists every page whose examples run: the READMEs and the guides in `docs/adding`. */
export function listExamplePages(): readonly { readonly path: string; readonly folder: string }[] {
  return [
    { path: 'README.md', folder: anywhere },
    ...['tool', 'model', 'plugin', 'envelope', 'dialect', 'store-driver'].map((page) => ({
      path: `docs/adding/${page}.md`,
      folder: anywhere,
    })),
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
