import { describe, expect, it } from 'vitest';

import { describeProblems } from '../problem.ts';
import { findTarballProblems } from './tarball-contents.ts';

const manifest = {
  name: '@haft/core',
  exports: { '.': { default: './dist/index.js' } },
  dependencies: { zod: '^4.0.0' },
};

function problemsOf(files: Readonly<Record<string, string>>, changes: object = {}): string {
  const sound = {
    'package.json': JSON.stringify({ ...manifest, ...changes }),
    'README.md': '',
    LICENSE: '',
    'dist/index.js': '',
  };
  return describeProblems(findTarballProblems('@haft/core', new Map(Object.entries({ ...sound, ...files }))));
}

describe('the contents of a tarball', () => {
  it('are accepted if they are complete', () => {
    expect(problemsOf({})).toBe('');
  });

  it('must include the files of the export map', () => {
    expect(problemsOf({}, { exports: { './a': { default: './dist/a.js' } } })).toContain(
      '"./a" refers to ./dist/a.js, which is missing',
    );
  });

  it('must include the files that its pages refer to', () => {
    const page = '<script src="./assets/a.js"></script>';
    expect(problemsOf({ 'dist/page/index.html': page })).toContain('refers to dist/page/assets/a.js, which is missing');
    expect(problemsOf({ 'dist/page/index.html': page, 'dist/page/assets/a.js': '' })).toBe('');
  });

  it('must not hold tests, fixtures or build records', () => {
    expect(problemsOf({ 'dist/a.test.js': '' })).toContain('the tarball of @haft/core: dist/a.test.js is included');
    expect(problemsOf({ 'src/fixtures/a.json': '' })).toContain('src/fixtures/a.json is included');
    expect(problemsOf({ 'dist/tsconfig.tsbuildinfo': '' })).toContain('tsbuildinfo is included');
  });

  it('must hold documentation only as Markdown, and at most 50 KB of it', () => {
    expect(problemsOf({ 'dist/docs/a.md': 'x'.repeat(50_000) })).toBe('');
    expect(problemsOf({ 'dist/docs/a.md': 'x'.repeat(50_000), 'dist/docs/b.md': 'x' })).toContain(
      'dist/docs has 50001 bytes (at most 50000)',
    );
    expect(problemsOf({ 'dist/docs/a.html': '' })).toContain('dist/docs/a.html is no Markdown');
  });

  it('must hold neither sources nor source maps', () => {
    expect(problemsOf({ 'src/index.ts': '' })).toContain('src/index.ts is included');
    expect(problemsOf({ 'dist/index.js.map': '' })).toContain('dist/index.js.map is included');
  });

  it('must not declare types of packages that users do not install', () => {
    const declaration = "import type { Pool } from 'pool';\nimport { z } from 'zod';\nexport type A = Pool;\n";
    expect(problemsOf({ 'dist/index.d.ts': declaration })).toContain('a declaration imports pool,');
    expect(problemsOf({ 'dist/index.d.ts': declaration })).not.toContain('imports zod');
  });

  it('must not depend on the workspace', () => {
    expect(problemsOf({}, { dependencies: { '@haft/schema': 'workspace:^' } })).toContain('at workspace:^');
  });
});
