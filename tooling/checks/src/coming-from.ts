import { codeWords, readTables } from './markdown-tables.ts';
import type { TableRow } from './markdown-tables.ts';
import { packageOfSpecifier } from './package-of-specifier.ts';
import type { Problem } from './problem.ts';

/** The names that exist, to compare a right-hand cell with. */
export interface KnownNames {
  /** Every exported name, values and types, by import specifier. */
  readonly exports: ReadonlyMap<string, ReadonlySet<string>>;
  /** The members of every interface and class, by package and name of the type. */
  readonly members: ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;
  /** The names of the tools that come with the packages: `read`, `bash`, … by package. */
  readonly tools: ReadonlyMap<string, ReadonlySet<string>>;
  /** Every code of `docs/errors.md`. */
  readonly codes: ReadonlySet<string>;
  /** Every file of the repository that a row may point to. */
  hasFile(path: string): boolean;
}

const page = 'docs/coming-from.md';

/**
 * Checks the table that maps the names of other systems to the names here. A right-hand cell has one of these forms:
 *
 * - `` `@haft/core` `defineTool` ``: that export exists (several may follow, and other packages); of
 *   `ToolContext.signal` the member exists too;
 * - `` tool `read` of `@haft/builtins` ``: that tool exists;
 * - `` code `TIMEOUT` ``: that code is documented;
 * - `` not built yet: `@haft/journal` `createJournal` ``: that export does not exist;
 * - `not carried over: [why](decisions/…)`: that page exists.
 */
export function findComingFromProblems(markdown: string, known: KnownNames): readonly Problem[] {
  const rows = readTables(markdown).filter((row) => row.cells['Here'] !== undefined);
  if (rows.length === 0) return [{ where: page, what: 'it has no table with a column "Here"', remedy: 'Write one' }];
  return rows.flatMap((row) => judgeRow(row, known));
}

function judgeRow(row: TableRow, known: KnownNames): readonly Problem[] {
  const where = `${page}:${row.line}`;
  const here = row.cells['Here'] ?? '';
  const there = row.cells['There'] ?? '';
  if (there === '') return [{ where, what: 'the row names no counterpart', remedy: 'Fill in "There"' }];
  const report = (what: string, remedy: string): Problem => ({ where, what: `${there} → ${what}`, remedy });
  if (here === '')
    return [report('a cell is empty', 'Name the counterpart here, "not built yet: …" or "not carried over: …"')];
  if (here.startsWith('not carried over: ')) return judgeDecision(here, known, report);
  if (here.startsWith('not built yet: ')) {
    const { named, unknown } = namesIn(here, known);
    if (named.length + unknown.length === 0)
      return [report(`"${here}" contains no name`, 'Name the package and the planned export')];
    return named
      .filter((name) => missingPart(name, known) === undefined)
      .map(({ specifier, path }) =>
        report(`\`${path}\` of ${specifier} is marked as not built yet, but exists`, 'Remove the mark'),
      );
  }
  const code = /^code (.+)$/.exec(here)?.[1];
  if (code !== undefined) {
    return codeWords(code)
      .filter((word) => !known.codes.has(word))
      .map((word) => report(`code ${word} is not in docs/errors.md`, 'Name an existing code'));
  }
  const tool = /^tools? (.+) of `([^`]+)`/.exec(here);
  if (tool !== null) {
    const tools = known.tools.get(tool[2] ?? '');
    return codeWords(tool[1] ?? '')
      .filter((word) => tools?.has(word) !== true)
      .map((word) =>
        report(`${tool[2]} has no tool \`${word}\``, 'Name an existing tool, or write "not built yet: …"'),
      );
  }
  return judgeExports(here, known, report);
}

function judgeExports(
  here: string,
  known: KnownNames,
  report: (what: string, remedy: string) => Problem,
): readonly Problem[] {
  const { named, unknown } = namesIn(here, known);
  if (named.length === 0 && unknown.length === 0) {
    return [
      report(`"${here}" contains no export`, 'Write the package and the name as code: `@haft/core` `defineTool`'),
    ];
  }
  return [
    ...unknown.map((specifier) =>
      report(`there is no entry ${specifier}`, 'Name an existing entry, or write "not built yet: …"'),
    ),
    ...named.flatMap((name) => {
      const missing = known.exports.has(name.specifier) ? missingPart(name, known) : undefined;
      return missing === undefined
        ? []
        : [
            report(
              `${name.specifier} exports no \`${missing}\``,
              'Name an existing export, or write "not built yet: …"',
            ),
          ];
    }),
  ];
}

/** Returns the missing export, or the missing member of an export. Returns undefined if all of them exist. */
function missingPart({ specifier, path }: NamedExport, known: KnownNames): string | undefined {
  const [name = '', member] = path.split('.');
  if (known.exports.get(specifier)?.has(name) !== true) return name;
  if (member === undefined) return undefined;
  return known.members.get(packageOfSpecifier(specifier))?.get(name)?.has(member) === true ? undefined : path;
}

interface NamedExport {
  readonly specifier: string;
  /** `defineTool`, or `ToolContext.signal`. */
  readonly path: string;
}

/** Reads `` `@haft/core` `a`, `b.c`, `@haft/runner` `d` `` into pairs. */
function namesIn(
  here: string,
  known: KnownNames,
): { readonly named: readonly NamedExport[]; readonly unknown: readonly string[] } {
  const named: NamedExport[] = [];
  const unknown: string[] = [];
  let specifier: string | undefined;
  for (const word of codeWords(here)) {
    if (word.startsWith('@haft/')) {
      specifier = word;
      if (!known.exports.has(word)) unknown.push(word);
    } else if (specifier !== undefined) {
      named.push({ specifier, path: /^[\w$]+(?:\.[\w$]+)?/.exec(word)?.[0] ?? word });
    }
  }
  return { named, unknown };
}

function judgeDecision(
  here: string,
  known: KnownNames,
  report: (what: string, remedy: string) => Problem,
): readonly Problem[] {
  const target = /\]\(([^)#]+)/.exec(here)?.[1];
  if (target === undefined) return [report('a row that is not carried over gives no reason', 'Link the decision')];
  return known.hasFile(`docs/${target}`) ? [] : [report(`docs/${target} does not exist`, 'Link an existing page')];
}
