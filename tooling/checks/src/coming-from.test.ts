import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { findComingFromProblems } from './coming-from.ts';
import type { KnownNames } from './coming-from.ts';
import { listDeclaredMembers } from './declared-members.ts';
import { listExportsOfPackage } from './exported-names.ts';
import { listToolsOfPackages } from './tools-of-packages.ts';
import { madeUpPackage } from './made-up-package.ts';
import { codeWords, readTables } from './markdown-tables.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readPublishedPackages, readRepositoryFile, repositoryRoot } from './workspace.ts';

const made: KnownNames = {
  exports: new Map([['@haft/core', new Set(['defineTool', 'Tool'])]]),
  members: new Map([['@haft/core', new Map([['Tool', new Set(['name'])]])]]),
  tools: new Map([['@haft/builtins', new Set(['read'])]]),
  codes: new Set(['TIMEOUT']),
  hasFile: (path) => path === 'docs/decisions/0001-a.md',
};

const problemsOf = (...cells: readonly string[]): string => {
  const rows = cells.map((cell) => `| \`theirs\` | ${cell} |`);
  return describeProblems(findComingFromProblems(['| There | Here |', '|---|---|', ...rows].join('\n'), made));
};

describe('docs/coming-from.md', () => {
  const markdown = readRepositoryFile('docs/coming-from.md');

  it('maps every name to one that exists, or marks it as not built yet', () => {
    const lists = readPublishedPackages().flatMap((each) => [...listExportsOfPackage(each)]);
    const codes = readTables(readRepositoryFile('docs/errors.md')).flatMap((row) => codeWords(row.cells['Code'] ?? ''));
    assertNoProblems(
      findComingFromProblems(markdown, {
        exports: new Map(lists.map(([specifier, names]) => [specifier, new Set(names.map(({ name }) => name))])),
        members: new Map(readPublishedPackages().map((each) => [each.manifest.name, listDeclaredMembers(each)])),
        tools: listToolsOfPackages(),
        codes: new Set(codes),
        hasFile: (path) => existsSync(join(repositoryRoot, path)),
      }),
    );
  });

  it('imports every value that it names', async () => {
    const values = readPublishedPackages()
      .flatMap((each) => [...listExportsOfPackage(each)])
      .map(([specifier, names]) => ({ specifier, names: names.filter(({ kind }) => kind === 'value') }));
    for (const { specifier, names } of values) {
      const exported = (await import(specifier)) as Readonly<Record<string, unknown>>;
      for (const { name } of names) expect(exported[name], `${specifier} exports ${name}`).toBeDefined();
    }
  });

  it('has a table for each framework that visitors know, then for each system that Haft grew from', () => {
    const headings = readTables(markdown).map((row) => row.headings[1]);
    const frameworks = ['AI SDK', 'LangChain', 'OpenAI Agents', 'Mastra', 'pi', 'MCP SDK'];
    const origins = ['zarlmono', 'pagantic', 'hygge', 'go-llm', 'dskcode'];
    expect([...new Set(headings)]).toEqual([...frameworks, ...origins]);
  });

  it('accepts exports, tools, codes, planned names and names that are left out on purpose', () => {
    expect(
      problemsOf(
        '`@haft/core` `defineTool`, `Tool.name`',
        'not built yet: `@haft/core` `Tool.weight`',
        'tool `read` of `@haft/builtins`',
        'code `TIMEOUT`',
        'not built yet: `@haft/journal` `createJournal`',
        'not built yet: `@haft/core` `defineCliTool`',
        'not carried over: [why](decisions/0001-a.md)',
      ),
    ).toBe('');
  });

  it('rejects an empty cell, and one without a name', () => {
    expect(problemsOf('')).toContain('docs/coming-from.md:3: `theirs` → a cell is empty');
    expect(problemsOf('something like it')).toContain('names no export');
    expect(problemsOf('not built yet: some day')).toContain('contains no name');
  });

  it('rejects a name that does not exist', () => {
    expect(problemsOf('`@haft/core` `defineTools`')).toContain('@haft/core exports no `defineTools`');
    expect(problemsOf('`@haft/core` `Tool.nickname`')).toContain('@haft/core exports no `Tool.nickname`');
    expect(problemsOf('`@haft/attic` `a`')).toContain('there is no entry @haft/attic');
    expect(problemsOf('tool `write` of `@haft/builtins`')).toContain('@haft/builtins has no tool `write`');
    expect(problemsOf('code `TIMEOUTS`')).toContain('code TIMEOUTS is not in docs/errors.md');
    expect(problemsOf('not carried over: no')).toContain('without a word why');
    expect(problemsOf('not carried over: [why](decisions/0002-b.md)')).toContain(
      'docs/decisions/0002-b.md does not exist',
    );
  });

  it('rejects a name that is marked as not built but exists', () => {
    expect(problemsOf('not built yet: `@haft/core` `defineTool`')).toContain(
      'is called not built yet, but it is there',
    );
  });

  it('rejects a page without a table', () => {
    expect(describeProblems(findComingFromProblems('# Coming from', made))).toContain('no table with a column "Here"');
  });
});

describe('the members that a row may name', () => {
  it('include inherited members of interfaces and classes', () => {
    const files = {
      'src/index.ts':
        'export interface A { readonly a: string; b(): void }\nexport interface B extends A { c?: number }',
      'src/c.ts': 'export class C { d = 1; e(): void {} get f() { return 1; } }',
    };
    const members = listDeclaredMembers(madeUpPackage({ files }));
    expect([...(members.get('B') ?? [])].toSorted()).toEqual(['a', 'b', 'c']);
    expect([...(members.get('C') ?? [])].toSorted()).toEqual(['d', 'e', 'f']);
  });
});
