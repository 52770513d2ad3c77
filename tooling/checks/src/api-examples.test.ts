import { join } from 'node:path';

import { describe, expect, it } from 'vitest';

import { joinExamples, listApiExamples, listApiExamplesOf, runApiExamples } from './api-examples.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readPublishedPackages, repositoryRoot } from './workspace.ts';

const source = (...lines: readonly string[]): string =>
  `/**\n * Does it.\n *\n * @example\n${lines.map((line) => ` * ${line}\n`).join('')} * @throws Error never\n */\nexport {};\n`;
const importing = "import { toLf } from '@haft/sandbox';";
const directory = join(repositoryRoot, 'tooling/checks');

describe('the examples in documentation comments', { timeout: 120_000 }, () => {
  const packages = readPublishedPackages().map((each) => ({ ...each, examples: listApiExamplesOf(each) }));
  const withExamples = packages.filter(({ examples }) => examples.length > 0);

  it.concurrent.each(withExamples)('run: $folder', async ({ folder, examples }) => {
    assertNoProblems(await runApiExamples(examples, join(repositoryRoot, folder)));
  });

  it('are the lines from the tag to the next tag or the end', () => {
    expect(listApiExamples('a.ts', source(importing, '', "toLf('a'); // => 'a'"))).toEqual([
      { where: 'a.ts:4', path: 'a.ts', line: 4, lines: [importing, '', "toLf('a'); // => 'a'"] },
    ]);
  });

  it('fail with their line if a value differs', async () => {
    const examples = listApiExamples('a.ts', source(importing, "toLf('a\\r\\n'); // => 'b'"));
    const text = describeProblems(await runApiExamples(examples, directory));
    expect(text).toMatch(/^- a\.ts:4: the example does not run: /);
    expect(text).toContain("'a\\n'");
  });

  it('fail if they assert nothing', async () => {
    const examples = listApiExamples('a.ts', source(importing, "toLf('a');"));
    expect(describeProblems(await runApiExamples(examples, directory))).toContain(
      'a.ts:4: the example asserts nothing',
    );
  });

  it('share their imports when they run together', () => {
    const examples = listApiExamples('a.ts', source(importing, "toLf('a'); // => 'a'"));
    const program = joinExamples([...examples, ...examples]);
    expect(program.match(/import \{ toLf \}/g)).toHaveLength(1);
    expect(program.match(/assert\.deepEqual\(toLf\('a'\), 'a'\);/g)).toHaveLength(2);
  });
});
