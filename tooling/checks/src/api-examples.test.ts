import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { joinExamples, listApiExamples, listApiExamplesOf, runApiExamples, type ApiExample } from './api-examples.ts';
import { assertNoProblems, describeProblems, type Problem } from './problem.ts';
import { readPublishedPackages, repositoryRoot } from './workspace.ts';

const source = (...lines: readonly string[]): string =>
  `/**\n * Does it.\n *\n * @example\n${lines.map((line) => ` * ${line}\n`).join('')} * @throws Error never\n */\nexport {};\n`;
const importing = "import { toLf } from '@haft/sandbox';";

async function problemsOf(examples: readonly ApiExample[]): Promise<string> {
  const [problems] = await runApiExamples([{ examples, directory: join(repositoryRoot, 'tooling/checks') }]);
  return describeProblems(problems!);
}

describe('the examples in documentation comments', { timeout: 120_000 }, () => {
  const packages = readPublishedPackages()
    .map(({ folder, ...rest }) => ({ folder, examples: listApiExamplesOf({ folder, ...rest }) }))
    .filter(({ examples }) => examples.length > 0)
    .map(({ folder, examples }, index) => ({ folder, examples, index, directory: join(repositoryRoot, folder) }));
  let problems: readonly (readonly Problem[])[];
  beforeAll(async () => {
    problems = await runApiExamples(packages);
  }, 600_000);

  it.each(packages)('run: $folder', ({ index }) => assertNoProblems(problems[index]!));

  it('are the lines from the tag to the next tag or the end', () => {
    expect(listApiExamples('a.ts', source(importing, '', "toLf('a'); // => 'a'"))).toEqual([
      { where: 'a.ts:4', path: 'a.ts', line: 4, lines: [importing, '', "toLf('a'); // => 'a'"] },
    ]);
  });

  it('fail with their line if a value differs', async () => {
    const examples = listApiExamples('a.ts', source(importing, "toLf('a\\r\\n'); // => 'b'"));
    const text = await problemsOf(examples);
    expect(text).toMatch(/^- a\.ts:4: the example does not run: /);
    expect(text).toContain("'a\\n'");
  });

  it('fail if they assert nothing', async () => {
    const examples = listApiExamples('a.ts', source(importing, "toLf('a');"));
    expect(await problemsOf(examples)).toContain('a.ts:4: the example asserts nothing');
  });

  it('share their imports when they run together', () => {
    const examples = listApiExamples('a.ts', source(importing, "toLf('a'); // => 'a'"));
    const program = joinExamples([...examples, ...examples]);
    expect(program.match(/import \{ toLf \}/g)).toHaveLength(1);
    expect(program.match(/assert\.deepEqual\(toLf\('a'\), 'a'\);/g)).toHaveLength(2);
  });
});
