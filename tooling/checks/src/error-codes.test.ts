import { describe, expect, it } from 'vitest';

import { findCodeLists, findErrorCodeProblems, findUnlistedCodes } from './error-codes.ts';
import type { CodeList } from './error-codes.ts';
import { madeUpPackage } from './made-up-package.ts';
import { codeWords, readTables } from './markdown-tables.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { referenceCodes } from './reference-codes.ts';
import { readPublishedPackages, readRepositoryFile } from './workspace.ts';

const list = { owner: '@haft/core', name: 'errorCodes', codes: [{ code: 'TIMEOUT', fault: 'world', retryable: true }] };

const sound = `# Errors
## Results: \`errorCodes\` of \`@haft/core\`
| Code | Fault | Retry | What happened |
|---|---|---|---|
| \`TIMEOUT\` | world | yes | It took too long |
`;

const problemsOf = (markdown: string): string => describeProblems(findErrorCodeProblems([list], markdown));

describe('docs/errors.md', () => {
  const allLists = async (): Promise<readonly CodeList[]> => {
    const lists = await Promise.all(
      readPublishedPackages().map(async ({ manifest }) =>
        findCodeLists(manifest.name, (await import(manifest.name)) as Readonly<Record<string, unknown>>),
      ),
    );
    expect(lists.flat().length, 'packages that export a list of codes').toBeGreaterThan(3);
    return lists.flat();
  };

  it('lists every code that a package exports, and no other', { timeout: 60_000 }, async () => {
    assertNoProblems(findErrorCodeProblems(await allLists(), readRepositoryFile('docs/errors.md')));
  });

  it('lists every code that appears in the source of a package', { timeout: 60_000 }, async () => {
    const lists = await allLists();
    assertNoProblems(readPublishedPackages().flatMap((each) => findUnlistedCodes(each, lists)));
    const stray = madeUpPackage({
      files: { 'src/index.ts': `fail({ code: 'TIMEOUT' });\nfail({ code: 'NO_SUCH_CODE' });` },
    });
    expect(describeProblems(findUnlistedCodes(stray, [list]))).toBe(
      '- packages/core/src/index.ts:2: it fails with NO_SUCH_CODE, which is in no exported list of codes. ' +
        'Use a code that exists, or add it to a list and to docs/errors.md.',
    );
  });

  it('is linked from every error that a package throws', { timeout: 60_000 }, async () => {
    const { documentation } = JSON.parse(readRepositoryFile('tooling/release/organization.json')) as Record<
      string,
      string
    >;
    let classes = 0;
    for (const { manifest } of readPublishedPackages()) {
      const exported = (await import(manifest.name)) as Readonly<Record<string, unknown>>;
      for (const [name, value] of Object.entries(exported)) {
        if (!name.endsWith('Error') || typeof value !== 'function' || !(value.prototype instanceof Error)) continue;
        const thrown = Reflect.construct(value, ['SOME_CODE', 'a message']) as Error & { readonly url?: string };
        expect(thrown.url, name).toBe(`${documentation}/errors/#${manifest.name.replace('@haft/', '')}-SOME_CODE`);
        classes += 1;
      }
    }
    expect(classes).toBeGreaterThan(8);
  });

  it('maps the spelling of each reference system to the code here', () => {
    const rows = readTables(readRepositoryFile('docs/errors.md'));
    const aliases = new Set(
      rows.flatMap((row) => [row.cells['Code'] ?? '', row.cells['Also known as'] ?? '']).flatMap(codeWords),
    );
    assertNoProblems(
      referenceCodes
        .filter((code) => !aliases.has(code))
        .map((code) => ({
          where: 'docs/errors.md',
          what: `\`${code}\` leads nowhere`,
          remedy: 'Add it under "Also known as"',
        })),
    );
  });

  it('is accepted if it agrees with the source', () => {
    expect(problemsOf(sound)).toBe('');
  });

  it('is rejected if a code has no row, or a row has no code', () => {
    expect(problemsOf(sound.replace('TIMEOUT', 'TIME_OUT'))).toBe(
      '- docs/errors.md:5: TIME_OUT is not a code of @haft/core. Remove it, or add it to errorCodes.\n' +
        '- docs/errors.md: TIMEOUT of @haft/core (errorCodes) has no row. Describe what happened and what to do.',
    );
    expect(problemsOf(`${sound}| \`TIMEOUT\` | world | yes | again |\n`)).toContain('TIMEOUT has two rows');
  });

  it('is rejected if a fault, a retry or an explanation differs from the source', () => {
    expect(problemsOf(sound.replace('| world', '| model'))).toContain('has the fault model. The source says world');
    expect(problemsOf(sound.replace('yes', 'no'))).toContain('"Retry" of TIMEOUT is no. The source says yes');
    expect(problemsOf(sound.replace('It took too long', ''))).toContain('"What happened" of TIMEOUT is empty');
  });

  it('is rejected if a whole list, or the table of a list, is missing', () => {
    expect(problemsOf('# Errors\n')).toContain('no heading names `errorCodes` of `@haft/core`');
    expect(problemsOf(`${sound}## Other\n| Code |\n|---|\n| \`LOST\` |\n`)).toContain(
      'names no exported list of codes',
    );
  });

  it('finds lists by name, both arrays and objects', () => {
    const exported = {
      errorCodes: { A: { fault: 'model', retryable: false } },
      thingCodes: ['B'],
      zipCode: 1,
      codesOf: () => [],
    };
    expect(findCodeLists('@haft/x', exported)).toEqual([
      { owner: '@haft/x', name: 'errorCodes', codes: [{ code: 'A', fault: 'model', retryable: false }] },
      { owner: '@haft/x', name: 'thingCodes', codes: [{ code: 'B' }] },
    ]);
  });
});
