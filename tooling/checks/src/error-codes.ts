import { lineAt } from './module-references.ts';
import { codeWords, readTables } from './markdown-tables.ts';
import type { TableRow } from './markdown-tables.ts';
import type { Problem } from './problem.ts';
import { listSourceFiles } from './source-files.ts';
import type { WorkspacePackage } from './workspace.ts';

/** The facts about a code in the source. Core also declares its fault and whether to retry. */
export interface KnownCode {
  readonly code: string;
  readonly fault?: string;
  readonly retryable?: boolean;
}

/** One exported list of codes: `errorCodes` of `@haft/core`. */
export interface CodeList {
  readonly owner: string;
  readonly name: string;
  readonly codes: readonly KnownCode[];
}

const page = 'docs/errors.md';

/** Reads the code lists of an imported package: every export whose name ends in `Codes`. */
export function findCodeLists(owner: string, exported: Readonly<Record<string, unknown>>): readonly CodeList[] {
  return Object.entries(exported)
    .filter(([name, value]) => /codes$/i.test(name) && typeof value === 'object' && value !== null)
    .map(([name, value]) => ({ owner, name, codes: readCodes(value) }));
}

function readCodes(list: unknown): readonly KnownCode[] {
  if (Array.isArray(list)) return list.map((code) => ({ code: String(code) }));
  return Object.entries(list as Readonly<Record<string, { fault?: string; retryable?: boolean } | undefined>>).map(
    ([code, kind]) => ({
      code,
      ...(kind?.fault !== undefined && { fault: kind.fault }),
      ...(kind?.retryable !== undefined && { retryable: kind.retryable }),
    }),
  );
}

/** Compares the code lists with their sections of `docs/errors.md`, in both directions. */
export function findErrorCodeProblems(lists: readonly CodeList[], markdown: string): readonly Problem[] {
  const rows = readTables(markdown);
  const problems: Problem[] = [];
  const claimed = new Set<TableRow>();
  for (const list of lists) {
    const title = `\`${list.name}\` of \`${list.owner}\``;
    const section = rows.filter((row) => row.headings.some((heading) => heading.includes(title)));
    for (const row of section) claimed.add(row);
    if (section.length === 0) {
      problems.push({
        where: page,
        what: `no heading names ${title}`,
        remedy: 'Add a section with a table of its codes',
      });
      continue;
    }
    problems.push(...compareSection(list, section));
  }
  for (const row of rows) {
    if (!claimed.has(row) && row.cells['Code'] !== undefined) {
      problems.push({
        where: `${page}:${row.line}`,
        what: `${row.cells['Code']} is under a heading that names no exported list of codes`,
        remedy: 'Move the code to its list, or remove it',
      });
    }
  }
  return problems;
}

function compareSection(list: CodeList, section: readonly TableRow[]): readonly Problem[] {
  const problems: Problem[] = [];
  const known = new Map(list.codes.map((code) => [code.code, code]));
  const documented = new Set<string>();
  for (const row of section) {
    const where = `${page}:${row.line}`;
    const code = codeWords(row.cells['Code'] ?? '')[0] ?? '';
    const source = known.get(code);
    if (documented.has(code)) problems.push({ where, what: `${code} has two rows`, remedy: 'Keep one' });
    documented.add(code);
    if (source === undefined) {
      problems.push({
        where,
        what: `${code} is not a code of ${list.owner}`,
        remedy: `Remove it, or add it to ${list.name}`,
      });
      continue;
    }
    for (const [column, cell] of Object.entries(row.cells)) {
      if (cell === '')
        problems.push({ where, what: `"${column}" of ${code} is empty`, remedy: 'Fill it in, or write –' });
    }
    if (source.fault !== undefined && row.cells['Fault'] !== source.fault) {
      problems.push({
        where,
        what: `${code} has the fault ${row.cells['Fault'] ?? 'missing'}`,
        remedy: `The source says ${source.fault}`,
      });
    }
    const retry = source.retryable === true ? 'yes' : 'no';
    if (source.retryable !== undefined && row.cells['Retry'] !== retry) {
      problems.push({
        where,
        what: `"Retry" of ${code} is ${row.cells['Retry'] ?? 'missing'}`,
        remedy: `The source says ${retry}`,
      });
    }
  }
  for (const { code } of list.codes) {
    if (!documented.has(code)) {
      problems.push({
        where: page,
        what: `${code} of ${list.owner} (${list.name}) has no row`,
        remedy: 'Describe what happened and what to do',
      });
    }
  }
  return problems;
}

/** Finds codes in the source of a package that are in no list, so that no reader could look them up. */
export function findUnlistedCodes(workspacePackage: WorkspacePackage, lists: readonly CodeList[]): readonly Problem[] {
  const known = new Set(lists.flatMap((list) => list.codes.map(({ code }) => code)));
  return listSourceFiles(workspacePackage)
    .filter((file) => file.role === 'shipped')
    .flatMap(({ path, text }) =>
      // The codes of system calls (ENOENT) are Node's, not ours.
      [...text.matchAll(/\bcode: '([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)'/g)]
        .filter(([, code = '']) => !known.has(code) && !/^E[A-Z0-9]+$/.test(code))
        .map((match) => ({
          where: `${workspacePackage.folder}/${path}:${lineAt(text, match.index)}`,
          what: `it fails with ${match[1]}, which is in no exported list of codes`,
          remedy: 'Use a code that exists, or add it to a list and to docs/errors.md',
        })),
    );
}
