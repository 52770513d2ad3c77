import type { ExamplePage } from './example-types.ts';
import { readSkills } from './skills.ts';
import { readPublishedPackages, readRepositoryFile } from './workspace.ts';

/** Pages outside a package resolve their imports from this one, because it depends on all others. */
const anywhere = 'tooling/checks';

/** The pages of `docs` that have examples, by folder. */
const documents: Readonly<Record<string, readonly string[]>> = {
  docs: ['README'],
  'docs/adding': ['tool', 'model', 'plugin', 'envelope', 'dialect', 'store-driver'],
  'docs/start': ['five-minutes'],
  'docs/concepts': ['life-of-a-call', 'faults', 'risk-labels', 'envelopes', 'footprints', 'trust'],
  'docs/guides': [
    // How one package works.
    'agents',
    'generated-tools',
    'plugins',
    'scripts',
    'toolkit',
    // One for each task.
    'repair-output',
    'calls-in-text',
    'ai-sdk',
    'connect-and-serve-mcp',
    'ask-a-person',
    'jail-commands',
    'undo',
    'stream-to-a-ui',
    'test-tools',
    'trace',
    'scale-out',
    'production',
  ],
};

/** Lists every page whose examples run: the READMEs, the skills, and the pages of `docs` that have some. */
export function listExamplePages(): readonly { readonly path: string; readonly folder: string }[] {
  return [
    { path: 'README.md', folder: anywhere },
    ...Object.entries(documents).flatMap(([folder, pages]) =>
      pages.map((page) => ({ path: `${folder}/${page}.md`, folder: anywhere })),
    ),
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
