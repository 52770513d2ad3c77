import { join } from 'node:path';

import { beforeAll, describe, expect, it } from 'vitest';

import { listExamplePages } from './example-pages.ts';
import { listCodeBlocks } from './code-blocks.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { runReadmeBlocks, type ReadmeRun } from './readme-blocks.ts';
import { readRepositoryFile, repositoryRoot } from './workspace.ts';

const here = 'tooling/checks';

async function problemsOf(text: string): Promise<string> {
  const directory = join(repositoryRoot, here);
  const [run] = await runReadmeBlocks([{ path: 'README.md', text, directory }]);
  return describeProblems(run!.problems);
}

const block = (code: string, info = 'ts'): string => `# A\n\n\`\`\`${info}\n${code}\n\`\`\`\n`;

describe('the examples of the READMEs', { timeout: 120_000 }, () => {
  const pages = listExamplePages().map((page, index) => ({ ...page, index }));
  let runs: readonly ReadmeRun[];
  beforeAll(async () => {
    runs = await runReadmeBlocks(
      pages.map(({ path, folder }) => ({
        path,
        text: readRepositoryFile(path),
        directory: join(repositoryRoot, folder),
      })),
    );
  }, 600_000);

  it.each(pages)('run: $path', ({ path, index }) => {
    const { ran, problems } = runs[index]!;
    assertNoProblems(problems);
    expect(ran, `${path} has no example`).toBeGreaterThan(0);
  });

  it('are TypeScript that may import the packages', async () => {
    const code = `import assert from 'node:assert/strict';\nimport { toLf } from '@haft/sandbox';\nassert.ok(toLf);`;
    expect(await problemsOf(block(code))).toBe('');
  });

  it('fail if the assertion fails, with the line of the block', async () => {
    const code = `import assert from 'node:assert/strict';\nassert.equal(1 as number, 2);`;
    const text = await problemsOf(block(code));
    expect(text).toContain('README.md:3: the example does not run');
    expect(text).toContain('1 !== 2');
  });

  it('fail if a module, a name or the syntax is wrong', async () => {
    expect(await problemsOf(block(`import 'no-such-package'; // assert`))).toContain('no-such-package');
    expect(await problemsOf(block(`import { noSuchName } from '@haft/sandbox'; // assert`))).toContain('noSuchName');
    expect(await problemsOf(block(`const = 1; // assert`))).toContain('does not run');
  });

  it('must contain an assertion', async () => {
    expect(await problemsOf(block('const answer = 42;'))).toContain('asserts nothing');
  });

  it('may be excluded from execution only with a reason', async () => {
    expect(await problemsOf(block('throw 1', 'ts no-run: needs a key of a model vendor'))).toBe('');
    expect(await problemsOf(block('throw 1', 'ts no-run'))).toContain('is marked "no-run"');
    expect(await problemsOf(block('throw 1', 'js'))).toContain('Mark it ```ts');
  });

  it('may be quoted from a file, as it is', async () => {
    const quoted = 'ts no-run: quoted from tooling/checks/src/code-blocks.ts';
    expect(await problemsOf(block('  /** A fenced block of a Markdown file. */', quoted))).toBe('');
    expect(await problemsOf(block('/** A block. */', quoted))).toContain(
      'the block is not in tooling/checks/src/code-blocks.ts',
    );
  });

  it('are found with their line, in longer fences too', () => {
    const markdown = 'a\n````md\n```ts\nx\n```\n````\n~~~ts note here\ny\n~~~\n';
    expect(listCodeBlocks(markdown)).toEqual([
      { language: 'md', note: '', code: '```ts\nx\n```\n', line: 2 },
      { language: 'ts', note: 'note here', code: 'y\n', line: 7 },
    ]);
    expect(() => listCodeBlocks('```ts\nx')).toThrow('the fence of line 1 is never closed');
  });
});
