import { describe, expect, it } from 'vitest';

import { findReachProblems } from './builtin-tools-reach.ts';
import { madeUpPackage } from './made-up-package.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readPublishedPackages } from './workspace.ts';

const problemsOf = (source: string, path = 'src/index.ts'): string =>
  describeProblems(findReachProblems(madeUpPackage({ name: '@haft/builtins', files: { [path]: source } })));

describe('the reach of the built-in tools', () => {
  it('goes through @haft/sandbox alone', () => {
    const builtins = readPublishedPackages().filter(({ manifest }) => manifest.name === '@haft/builtins');
    expect(builtins).toHaveLength(1);
    assertNoProblems(builtins.flatMap(findReachProblems));
  });

  it('does not include resolving paths directly', () => {
    expect(problemsOf(`import { resolve } from 'node:path';`)).toContain('Use `resolvePath` of @haft/sandbox');
    expect(problemsOf(`import { resolve as r } from 'path';`)).toContain('it imports `resolve`');
    expect(problemsOf(`import path from 'node:path';\npath.resolve('a');`)).toContain(
      'index.ts:2: it calls `path.resolve`',
    );
    expect(problemsOf(`import { posix } from 'node:path'; posix.resolve('a');`)).toContain('posix.resolve');
  });

  it('does not include writing files directly', () => {
    expect(problemsOf(`import { writeFile } from 'node:fs/promises';`)).toContain('it imports `writeFile` of node:fs');
    expect(problemsOf(`import { rmSync } from 'node:fs';`)).toContain('rmSync');
    expect(problemsOf(`import { open } from 'node:fs/promises';`)).toContain('`open`');
    expect(problemsOf(`import * as fs from 'node:fs';`)).toContain('as a whole');
    expect(problemsOf(`const fs = await import('node:fs/promises');`)).toContain('as a whole');
  });

  it('does not include starting processes directly', () => {
    expect(problemsOf(`import { spawn } from 'node:child_process';`)).toContain('Start processes with `runProcess`');
    expect(problemsOf(`const { spawn } = await import('child_process');`)).toContain('child_process');
    expect(problemsOf(`import { createRequire } from 'node:module';`)).toContain('can load anything');
  });

  it('includes reading directories, joining paths and types, and anything in a test', () => {
    expect(problemsOf(`import { readdir } from 'node:fs/promises';\nimport { join } from 'node:path';`)).toBe('');
    expect(problemsOf(`import type { FileHandle } from 'node:fs/promises';`)).toBe('');
    expect(problemsOf(`import { writeFile } from 'node:fs/promises';`, 'src/a.test.ts')).toBe('');
  });
});
