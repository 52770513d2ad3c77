import { describe, expect, it } from 'vitest';

import { findLayerProblems } from './layers.ts';
import { madeUpPackage } from './made-up-package.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readAllPackages } from './workspace.ts';

describe('findLayerProblems', () => {
  it('finds no problem in the workspace', () => {
    assertNoProblems(findLayerProblems(readAllPackages()));
  });

  const problemsOf = (name: string, dependencies: readonly string[], source: string, path = 'src/index.ts'): string =>
    describeProblems(
      findLayerProblems([
        madeUpPackage({
          name,
          manifest: { dependencies: Object.fromEntries(dependencies.map((dependency) => [dependency, '*'])) },
          files: { [path]: source },
        }),
      ]),
    );

  it('reports an import upward, even one of types only', () => {
    const text = problemsOf('@haft/core', ['@haft/runner'], `import type { Run } from '@haft/runner';`);
    expect(text).toContain(
      `packages/core/src/index.ts:1: imports '@haft/runner', which is above it (layer 2, this is layer 1)`,
    );
  });

  it('reports an import from the same layer in a dynamic import, a type or a re-export', () => {
    expect(problemsOf('@haft/mcp', ['@haft/runner'], `await import('@haft/runner');`)).toContain(
      'on the same layer (2)',
    );
    expect(problemsOf('@haft/mcp', ['@haft/runner'], `type A = import('@haft/runner').A;`)).toContain(
      'on the same layer',
    );
    expect(problemsOf('@haft/mcp', ['@haft/runner'], `export * from '@haft/runner/testing';`)).toContain(
      'on the same layer',
    );
  });

  it('reports an undeclared dependency, unless a test uses a dependency of the workspace root', () => {
    expect(problemsOf('@haft/sandbox', [], `import { z } from 'zod';`)).toContain('does not declare');
    expect(problemsOf('@haft/sandbox', [], `import { it } from 'vitest';`)).toContain('does not declare');
    expect(problemsOf('@haft/sandbox', [], `import { it } from 'vitest';`, 'src/a.test.ts')).toBe('');
    expect(problemsOf('@haft/sandbox', [], `import { a } from 'left-pad';`, 'src/a.test.ts')).toContain(
      'devDependencies',
    );
  });

  it('reports imports that bypass the name of a package', () => {
    expect(problemsOf('@haft/mcp', [], `import { a } from '../../core/src/index.ts';`)).toContain(
      'leaves packages/mcp',
    );
    expect(problemsOf('@haft/mcp', [], `new URL('../../core/src/worker.ts', import.meta.url);`)).toContain('names');
    expect(problemsOf('@haft/mcp', [], `import { a } from '@haft/mcp';`)).toContain('its own package');
  });

  it('reports built file names, files that are not shipped and built-in modules without the node: prefix', () => {
    expect(problemsOf('@haft/mcp', [], `import { a } from './a.js';`)).toContain('without the `.ts` extension');
    expect(problemsOf('@haft/mcp', [], `import { a } from './a.test.ts';`)).toContain('not shipped');
    expect(problemsOf('@haft/mcp', [], `import { join } from 'path';`)).toContain(`Write 'node:path'`);
  });

  it('reports other imports in core, and packages without a layer', () => {
    expect(problemsOf('@haft/core', ['@haft/sandbox'], `import '@haft/sandbox';`)).toContain('only repair and schema');
    expect(problemsOf('@haft/attic', [], '')).toContain('has no layer');
  });

  it('reports a dependency that is unused or used only by tests', () => {
    expect(problemsOf('@haft/mcp', ['zod'], '')).toContain('depends on zod, which no shipped file imports');
    expect(problemsOf('@haft/mcp', ['zod'], `import 'zod';`, 'src/a.test.ts')).toContain('depends on zod');
  });

  it('accepts an import from a lower layer', () => {
    expect(problemsOf('@haft/runner', ['@haft/core'], `import { a } from '@haft/core';`)).toBe('');
  });
});
