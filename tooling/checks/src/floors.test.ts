import { describe, expect, it } from 'vitest';

import { findFloorProblems } from './floors.ts';
import { madeUpPackage } from './made-up-package.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readAllPackages } from './workspace.ts';

describe('the floors of the house', () => {
  it('are kept: every import goes down, by name, to something declared', () => {
    assertNoProblems(findFloorProblems(readAllPackages()));
  });

  const problemsOf = (name: string, dependencies: readonly string[], source: string, path = 'src/index.ts'): string =>
    describeProblems(
      findFloorProblems([
        madeUpPackage({
          name,
          manifest: { dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '*'])) },
          files: { [path]: source },
        }),
      ]),
    );

  it('refuse an import upward, even one of types only', () => {
    const text = problemsOf('@haft/core', ['@haft/runner'], `import type { Run } from '@haft/runner';`);
    expect(text).toContain(
      `packages/core/src/index.ts:1: imports '@haft/runner', which is above it (floor 2, this is floor 1)`,
    );
  });

  it('refuse an import sideways, hidden in a dynamic import, a type or a re-export', () => {
    expect(problemsOf('@haft/mcp', ['@haft/runner'], `await import('@haft/runner');`)).toContain(
      'beside it on floor 2',
    );
    expect(problemsOf('@haft/mcp', ['@haft/runner'], `type A = import('@haft/runner').A;`)).toContain('beside it');
    expect(problemsOf('@haft/mcp', ['@haft/runner'], `export * from '@haft/runner/testing';`)).toContain('beside it');
  });

  it('refuse a dependency that is not declared, unless a test uses what the root brings', () => {
    expect(problemsOf('@haft/sandbox', [], `import { z } from 'zod';`)).toContain('does not declare');
    expect(problemsOf('@haft/sandbox', [], `import { it } from 'vitest';`)).toContain('does not declare');
    expect(problemsOf('@haft/sandbox', [], `import { it } from 'vitest';`, 'src/a.test.ts')).toBe('');
    expect(problemsOf('@haft/sandbox', [], `import { a } from 'left-pad';`, 'src/a.test.ts')).toContain(
      'devDependencies',
    );
  });

  it('refuse a way around the name of a package', () => {
    expect(problemsOf('@haft/mcp', [], `import { a } from '../../core/src/index.ts';`)).toContain(
      'leaves packages/mcp',
    );
    expect(problemsOf('@haft/mcp', [], `new URL('../../core/src/worker.ts', import.meta.url);`)).toContain('names');
    expect(problemsOf('@haft/mcp', [], `import { a } from '@haft/mcp';`)).toContain('its own package');
  });

  it('refuse what runs only after a build, what is not shipped, and built-ins without their prefix', () => {
    expect(problemsOf('@haft/mcp', [], `import { a } from './a.js';`)).toContain('without the `.ts` extension');
    expect(problemsOf('@haft/mcp', [], `import { a } from './a.test.ts';`)).toContain('not shipped');
    expect(problemsOf('@haft/mcp', [], `import { join } from 'path';`)).toContain(`Write 'node:path'`);
  });

  it('keep core on repair and schema, and know every package', () => {
    expect(problemsOf('@haft/core', ['@haft/sandbox'], `import '@haft/sandbox';`)).toContain('repair and schema alone');
    expect(problemsOf('@haft/attic', [], '')).toContain('stands on no floor');
  });

  it('refuse a dependency that only tests use, or nobody', () => {
    expect(problemsOf('@haft/mcp', ['zod'], '')).toContain('depends on zod, which nothing that is shipped imports');
    expect(problemsOf('@haft/mcp', ['zod'], `import 'zod';`, 'src/a.test.ts')).toContain('depends on zod');
  });

  it('let an import go down', () => {
    expect(problemsOf('@haft/runner', ['@haft/core'], `import { a } from '@haft/core';`)).toBe('');
  });
});
