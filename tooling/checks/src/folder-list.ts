import { codeWords, readTables } from './markdown-tables.ts';
import type { TableRow } from './markdown-tables.ts';
import type { Problem } from './problem.ts';
import { listSourceFiles } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

const page = 'ARCHITECTURE.md';

/** Compares the tables of folders under "Inside the packages" in ARCHITECTURE.md with the folders that the packages have. */
export function findFolderListProblems(markdown: string, packages: readonly WorkspacePackage[]): readonly Problem[] {
  const rows = readTables(markdown).filter(
    ({ cells }) => cells['package'] !== undefined && cells['folders'] !== undefined,
  );
  if (rows.length === 0)
    return [
      { where: page, what: 'it has no table of folders', remedy: 'Write one with the columns package and folders' },
    ];
  return [...findPackageProblems(rows, packages), ...findNestedProblems(markdown, packages)];
}

function findPackageProblems(rows: readonly TableRow[], packages: readonly WorkspacePackage[]): readonly Problem[] {
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

/** Compares the table of folders in folders: `| `repair/json` | `text/` characters; … |`. */
function findNestedProblems(markdown: string, packages: readonly WorkspacePackage[]): readonly Problem[] {
  const actual = new Set(packages.flatMap((each) => nestedFoldersOf(each)));
  const listed = new Map<string, number>(
    readTables(markdown)
      .filter(({ cells }) => cells['folder'] !== undefined && cells['contains'] !== undefined)
      .flatMap(({ cells, line }) => {
        const [parent = ''] = codeWords(cells['folder'] ?? '');
        const inside = codeWords(cells['contains'] ?? '').filter((word) => word.endsWith('/'));
        return inside.map((folder) => [`${parent}/${folder}`, line] as const);
      }),
  );
  const missing = [...actual].filter((folder) => !listed.has(folder));
  const stale = [...listed].filter(([folder]) => !actual.has(folder));
  return [
    ...missing.map((folder) => ({
      where: page,
      what: `${folder} is not listed`,
      remedy: 'Add it to the table of folders in folders, with what it holds',
    })),
    ...stale.map(([folder, line]) => ({
      where: `${page}:${line}`,
      what: `${folder} does not exist`,
      remedy: 'Remove it from the table of folders in folders, or correct its name',
    })),
  ];
}

/** The folders below those of {@link foldersOf} that hold shipped files: `repair/calls/message/scan/`. */
function nestedFoldersOf(workspacePackage: WorkspacePackage): readonly string[] {
  const name = workspacePackage.folder.slice('packages/'.length);
  return listSourceFiles(workspacePackage)
    .filter(({ role }) => role === 'shipped')
    .map(({ path }) => path.split('/').slice(1, -1))
    .filter(({ length }) => length > 1)
    .map((folders) => `${name}/${folders.join('/')}/`);
}
