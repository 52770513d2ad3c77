import { codeWords, readTables } from './markdown-tables.ts';
import type { Problem } from './problem.ts';
import { listSourceFiles } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

const page = 'ARCHITECTURE.md';

/**
 * Compares the tables of folders under "Inside the packages" in ARCHITECTURE.md with the folders that the packages have.
 * Each package has a heading with its name and a table with the columns `folder` and `contains`.
 */
export function findFolderListProblems(markdown: string, packages: readonly WorkspacePackage[]): readonly Problem[] {
  const listed = listFolders(markdown);
  if (listed.size === 0)
    return [
      { where: page, what: 'it has no table of folders', remedy: 'Write one with the columns folder and contains' },
    ];
  const actual = new Set(packages.flatMap((each) => foldersOf(each)));
  const missing = [...actual].filter((folder) => !listed.has(folder));
  return [
    ...missing.map((folder) => ({
      where: page,
      what: `${folder} is not listed`,
      remedy: 'Add it to the table of its package, with what it contains',
    })),
    ...[...listed].flatMap(([folder, { line, contains }]) => {
      const where = `${page}:${line}`;
      if (!actual.has(folder))
        return [{ where, what: `${folder} does not exist`, remedy: 'Remove it from the table, or correct its name' }];
      if (contains !== '') return [];
      return [{ where, what: `${folder} has no description`, remedy: 'Write what the folder contains' }];
    }),
  ];
}

/** The listed folders, such as `core/dispatch/steps/`. */
function listFolders(markdown: string): ReadonlyMap<string, { readonly line: number; readonly contains: string }> {
  return new Map(
    readTables(markdown).flatMap(({ cells: { folder, contains }, headings, line }) => {
      if (folder === undefined || contains === undefined) return [];
      const [name = ''] = codeWords(headings.at(-1) ?? '');
      const folders = codeWords(folder).filter((word) => word.endsWith('/'));
      return folders.map((path) => [`${name}/${path}`, { line, contains }] as const);
    }),
  );
}

/** The folders that directly contain shipped files, and those directly in `src/`. */
function foldersOf(workspacePackage: WorkspacePackage): readonly string[] {
  const name = workspacePackage.folder.slice('packages/'.length);
  return listSourceFiles(workspacePackage)
    .filter(({ role }) => role === 'shipped')
    .map(({ path }) => path.split('/').slice(1, -1))
    .filter(({ length }) => length > 0)
    .flatMap((folders) => [`${name}/${folders[0]}/`, `${name}/${folders.join('/')}/`]);
}
