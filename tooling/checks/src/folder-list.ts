import { codeWords, readTables } from './markdown-tables.ts';
import type { Problem } from './problem.ts';
import { listSourceFiles } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

const page = 'ARCHITECTURE.md';

/** Compares the folders in the table "Inside the packages" of ARCHITECTURE.md with the folders that the packages have. */
export function findFolderListProblems(markdown: string, packages: readonly WorkspacePackage[]): readonly Problem[] {
  const rows = readTables(markdown).filter(
    ({ cells }) => cells['package'] !== undefined && cells['folders'] !== undefined,
  );
  if (rows.length === 0)
    return [
      { where: page, what: 'it has no table of folders', remedy: 'Write one with the columns package and folders' },
    ];
  return packages.flatMap((each) => {
    const name = each.folder.slice('packages/'.length);
    const row = rows.find(({ cells }) => codeWords(cells['package'] ?? '').includes(name));
    const listed = codeWords(row?.cells['folders'] ?? '').filter((word) => word.endsWith('/'));
    const actual = foldersOf(each);
    const where = row === undefined ? page : `${page}:${row.line}`;
    return [
      ...actual
        .filter((folder) => !listed.includes(folder))
        .map((folder) => ({
          where,
          what: `${name}/src/${folder} is not listed`,
          remedy: 'Add it to the table of folders, with what it holds',
        })),
      ...listed
        .filter((folder) => !actual.includes(folder))
        .map((folder) => ({
          where,
          what: `${name}/src/${folder} does not exist`,
          remedy: 'Remove it from the table of folders, or correct its name',
        })),
    ];
  });
}

/** The folders directly in `src/` that hold shipped files: `documents/`. */
function foldersOf(workspacePackage: WorkspacePackage): readonly string[] {
  const folders = listSourceFiles(workspacePackage)
    .filter(({ role }) => role === 'shipped')
    .map(({ path }) => path.split('/'))
    .flatMap(([, first, ...rest]) => (first !== undefined && rest.length > 0 ? [`${first}/`] : []));
  return [...new Set(folders)].toSorted();
}
