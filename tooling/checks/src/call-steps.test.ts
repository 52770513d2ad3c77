import { describe, expect, it } from 'vitest';

import { findStepProblems } from './call-steps.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readRepositoryFile } from './workspace.ts';

const code = readRepositoryFile('packages/core/src/dispatch/dispatch-call.ts');
const paths = [
  'ARCHITECTURE.md',
  'docs/concepts/life-of-a-call.md',
  'docs/pictures/life-of-a-call.svg',
  'packages/core/README.md',
];
const pages = Object.fromEntries(paths.map((path) => [path, readRepositoryFile(path)]));

describe('the steps of a call', () => {
  it('have the same names and the same order in the code, on the pages and in the picture', () => {
    assertNoProblems(findStepProblems({ code, pages }));
  });

  it.each(paths)('are rejected if %s lacks one', (path) => {
    const without = (pages[path] ?? '').replaceAll('acquire', '');
    const text = describeProblems(findStepProblems({ code, pages: { ...pages, [path]: without } }));
    expect(text).toContain(`${path}: it lists the steps`);
  });

  it('are rejected if the code has another order, or none is found', () => {
    const swapped = code.replace('step ??= decode(run)', 'step ??= validate(run)');
    expect(findStepProblems({ code: swapped, pages })).toHaveLength(paths.length);
    expect(findStepProblems({ code: '', pages: {} })).toHaveLength(paths.length);
  });
});
