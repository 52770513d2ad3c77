import { codeWords, readTables } from './markdown-tables.ts';
import type { Problem } from './problem.ts';

/** Packages whose promises must each name their tests. */
const bound = ['sandbox', 'builtins', 'mcp'];

/**
 * Checks that every promise under "Enforced today" that concerns the sandbox, the built-in tools or MCP names its test
 * files, and that each named file exists and contains tests.
 *
 * @param page the path of the page, for messages.
 * @param readFile returns the text of a file of the repository, or undefined if the file is missing.
 */
export function findSecurityTestProblems(
  page: string,
  markdown: string,
  readFile: (path: string) => string | undefined,
): readonly Problem[] {
  const rows = readTables(markdown).filter(({ headings }) => headings.includes('Enforced today'));
  if (rows.length === 0)
    return [
      { where: page, what: 'it has no table under "Enforced today"', remedy: 'Write one: promise, package, tests' },
    ];
  return rows.flatMap(({ line, cells }) => {
    const where = `${page}:${line}`;
    const what = cells['promise'] ?? '';
    const files = codeWords(cells['tests'] ?? '');
    if (files.length === 0 && codeWords(cells['package'] ?? '').some((name) => bound.includes(name)))
      return [{ where, what: `"${what}" names no test`, remedy: 'Name one in the column "tests"' }];
    return files
      .filter((file) => !hasTests(file, readFile))
      .map((file) => ({
        where,
        what: `${file} has no tests`,
        remedy: 'Name a test file, or an area of pnpm attack, that exists',
      }));
  });
}

/** Whether the file of a package has tests, or `pnpm attack AREA` names an area. */
function hasTests(name: string, readFile: (path: string) => string | undefined): boolean {
  const area = /^pnpm attack ([\w-]+)$/.exec(name)?.[1];
  if (area !== undefined) return readFile(`tooling/attack/src/areas/${area}/index.ts`) !== undefined;
  return name.endsWith('.test.ts') && /\b(?:it|test)(?:\.\w+)*\(/.test(readFile(`packages/${name}`) ?? '');
}

/** The numbered threats. A test must name the number of each. */
export const vectorCount = 64;

/** Returns the numbers of threats that no test names. */
export function findMissingVectors(texts: readonly string[]): readonly number[] {
  const tried = new Set<number>();
  for (const text of texts) {
    for (const [, from, to = from] of text.matchAll(/\bvectors? (\d+)(?: to (\d+))?/g))
      for (let number = Number(from); number <= Number(to); number += 1) tried.add(number);
    for (const [, number] of text.matchAll(/(?:\bnumber: |^ {4}\[)(\d+),/gm)) tried.add(Number(number));
  }
  return Array.from({ length: vectorCount }, (_, index) => index + 1).filter((number) => !tried.has(number));
}
