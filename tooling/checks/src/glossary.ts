import { readTables } from './markdown-tables.ts';
import type { Problem } from './problem.ts';
import type { RepositoryFile } from './repository-words.ts';

const where = 'docs/glossary.md';

/** Finds glossary terms that are out of order, or that no file of the named packages contains. */
export function findGlossaryProblems(
  text: string,
  packages: readonly string[],
  files: readonly RepositoryFile[],
): readonly Problem[] {
  const rows = readTables(text).filter(({ cells }) => cells['term'] !== undefined);
  if (rows.length === 0)
    return [{ where, what: 'it has no table of terms', remedy: 'Write the columns term and used in' }];
  const problems: Problem[] = [];
  let previous = '';
  for (const { cells } of rows) {
    const term = cells['term'] ?? '';
    if (term.localeCompare(previous, 'en') < 0) {
      problems.push({ where, what: `"${term}" stands after "${previous}"`, remedy: 'Sort the terms' });
    }
    previous = term;
    for (const name of [...(cells['used in'] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name ?? '')) {
      if (!packages.includes(name)) {
        problems.push({
          where,
          what: `"${term}" names the unknown package ${name}`,
          remedy: 'Name an existing package',
        });
      } else if (!term.split(', ').every((each) => occursIn(each, `packages/${name}/`, files))) {
        problems.push({ where, what: `"${term}" does not occur in ${name}`, remedy: 'Correct the column "used in"' });
      }
    }
  }
  return problems;
}

/** Whether a file contains a term as words, as an identifier or as part of a file name. */
function occursIn(term: string, folder: string, files: readonly RepositoryFile[]): boolean {
  const pattern = new RegExp(term.split(/[\s-]+/).join('[\\s_-]*(?:\\* )?'), 'i');
  return files.some(({ path, text }) => path.startsWith(folder) && (pattern.test(path) || pattern.test(text)));
}
