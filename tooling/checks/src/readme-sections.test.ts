import { describe, expect, it } from 'vitest';

import { listExportsOfPackage } from './exported-names.ts';
import { madeUpPackage } from './made-up-package.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { findReadmeProblems } from './readme-sections.ts';
import { readPublishedPackages } from './workspace.ts';
import type { WorkspacePackage } from './workspace.ts';

function valuesOf(workspacePackage: WorkspacePackage): readonly string[] {
  const names = [...listExportsOfPackage(workspacePackage).values()].flat();
  return [...new Set(names.filter((exported) => exported.kind === 'value').map((exported) => exported.name))];
}

const sound = `# @haft/core
What it is.
## When to use it, and when not
## Install
npm install @haft/core
## Example
\`\`\`ts
\`\`\`
## API
- \`defineTool\`
## Errors
## Limits and security
`;

function problemsOf(readme: string, values: readonly string[] = ['defineTool']): string {
  return describeProblems(findReadmeProblems(madeUpPackage({ files: { 'README.md': readme } }), values));
}

describe('the README of a published package', () => {
  it('has all sections, and names every function that the package exports', () => {
    assertNoProblems(readPublishedPackages().flatMap((each) => findReadmeProblems(each, valuesOf(each))));
  });

  it('is accepted if it is complete', () => {
    expect(problemsOf(sound)).toBe('');
  });

  it('is rejected if a section, the example or an exported function is missing', () => {
    expect(problemsOf(sound.replace('## Errors\n', ''))).toContain('no section "errors"');
    expect(problemsOf(sound.replace('## Install\n', ''))).toContain('no section "install"');
    expect(problemsOf(sound.replace('```ts', '```js'))).toContain('no runnable example');
    expect(problemsOf(sound, ['defineTool', 'dispatch'])).toContain('does not mention dispatch');
    expect(problemsOf(sound.replace('# @haft/core', '# Core'))).toContain('its title is not the name');
  });

  it('is refused when its first example of runAgent ignores stopReason', () => {
    const run = sound.replace('```ts\n', '```ts\nconst result = await runAgent({ model });\n');
    expect(problemsOf(run)).toContain('packages/core/README.md:7: its first example of runAgent does not look at stop');
    expect(problemsOf(run.replace('model });', 'model });\nassert.equal(result.stopReason, "finished");'))).toBe('');
  });

  it('is reported if it is missing', () => {
    expect(describeProblems(findReadmeProblems(madeUpPackage({}), []))).toContain(
      'packages/core/README.md: it is missing',
    );
  });
});
