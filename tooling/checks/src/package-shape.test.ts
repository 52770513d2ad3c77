import { describe, expect, it } from 'vitest';

import { madeUpPackage } from './made-up-package.ts';
import { findShapeProblems } from './package-shape.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readPublishedPackages } from './workspace.ts';
import type { Manifest } from './workspace.ts';

const entry = { '@haft/source': './src/index.ts', types: './dist/index.d.ts', default: './dist/index.js' };

const sound: Manifest = {
  name: '@haft/core',
  version: '0.0.0',
  description: 'A package.',
  license: 'Apache-2.0',
  type: 'module',
  engines: { node: '>=20' },
  sideEffects: false,
  exports: { '.': entry, './package.json': './package.json' },
  files: ['dist', '!dist/*.tsbuildinfo'],
  publishConfig: { access: 'public' },
  scripts: { build: 'tsc -b', prepack: 'node ../../tooling/bundle/src/before-pack.ts' },
  dependencies: { '@haft/schema': 'workspace:^' },
};

const soundFiles = {
  'tsconfig.json': '{ "references": [{ "path": "../schema" }] }',
  'src/index.ts': `export { a } from './a.ts';`,
  'src/a.ts': 'export const a: number = 1;',
};

function problemsOf(manifest: Partial<Manifest>, files: Readonly<Record<string, string>> = {}): string {
  const made = madeUpPackage({ manifest: { ...sound, ...manifest }, files: { ...soundFiles, ...files } });
  return describeProblems(findShapeProblems(made));
}

describe('the shape of a published package', () => {
  it('is the same for all packages', () => {
    assertNoProblems(readPublishedPackages().flatMap(findShapeProblems));
  });

  it('is accepted if it is valid', () => {
    expect(problemsOf({})).toBe('');
  });

  it('reports the wrong field of the manifest and its required value', () => {
    expect(problemsOf({ type: 'commonjs' })).toContain(`"type" is "commonjs". Set it to "module"`);
    expect(problemsOf({ sideEffects: true })).toContain('"sideEffects" is true');
    expect(problemsOf({ engines: {} })).toContain('"engines.node" is missing. Set it to ">=20"');
    expect(problemsOf({ files: ['dist'] })).toContain('"files" lacks');
    expect(problemsOf({ scripts: { build: 'tsc -b' } })).toContain('"scripts.prepack" is missing');
    expect(problemsOf({ peerDependencies: { pg: '>=8' } })).toContain('pg at ">=8" has no upper bound');
    expect(problemsOf({ private: true })).toContain('"private" is true. Remove it');
    expect(problemsOf({ version: 'next' })).toContain('the version "next" is not valid. Start at 0.0.0');
  });

  it('may give Node an entry that loads code on demand, and other runtimes an entry that is complete', () => {
    const onDemand = {
      '@haft/source': './src/index.ts',
      types: './dist/index.d.ts',
      module: './dist/index.js',
      deno: './dist/index.js',
      bun: './dist/index.js',
      'module-sync': './dist/later.js',
      default: './dist/index.js',
    };
    const files = { 'src/later.ts': `export { a } from './a.ts';` };
    const withEntry = (changes: object): string =>
      problemsOf({ exports: { '.': { ...onDemand, ...changes }, './package.json': './package.json' } }, files);
    expect(withEntry({})).toBe('');
    expect(withEntry({ module: './dist/later.js' })).toContain('module differ from default');
    expect(withEntry({ 'module-sync': './dist/gone.js' })).toContain('the entry for Node has no source');
    expect(problemsOf({}, files)).toContain('src/later.ts: it would be published, but no export reaches it');
  });

  it('includes the build that its compiler options require', () => {
    const references = [{ path: '../schema' }];
    const declarationsAlone = JSON.stringify({ references, compilerOptions: { emitDeclarationOnly: true } });
    expect(problemsOf({}, { 'tsconfig.json': declarationsAlone })).toContain('Set it to "tsc -b && node');
    const build = 'tsc -b && node ../../tooling/bundle/src/main.ts .';
    expect(problemsOf({ scripts: { ...sound.scripts, build } }, { 'tsconfig.json': declarationsAlone })).toBe('');
    expect(problemsOf({ scripts: { build } })).toContain('Set it to "tsc -b"');
  });

  it('rejects an export without a file', () => {
    const gone = { ...entry, '@haft/source': './src/gone.ts' };
    expect(problemsOf({ exports: { ...sound.exports, './gone': gone } })).toContain(
      'its source ./src/gone.ts does not exist',
    );
    const other = { ...entry, default: './dist/other.js' };
    expect(problemsOf({ exports: { ...sound.exports, '.': other } })).toContain(
      'not the build output of ./src/index.ts',
    );
    const reordered = { types: './dist/index.d.ts', '@haft/source': './src/index.ts', default: './dist/index.js' };
    expect(problemsOf({ exports: { ...sound.exports, '.': reordered } })).toContain('in this order');
  });

  it('rejects a file that no export reaches', () => {
    expect(problemsOf({}, { 'src/testing.ts': '' })).toContain('no export names this entry');
    expect(problemsOf({}, { 'src/lost.ts': '' })).toContain(
      'packages/core/src/lost.ts: it would be published, but no export reaches it',
    );
    const worker = { 'src/a.ts': `new URL('./worker.js', import.meta.url);`, 'src/worker.ts': '' };
    expect(problemsOf({}, worker)).toBe('');
    const chosen = {
      'src/a.ts': `new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);`,
      'src/worker.ts': '',
    };
    expect(problemsOf({}, chosen)).toBe('');
  });

  it('rejects build references that differ from the dependencies', () => {
    expect(problemsOf({ dependencies: {} })).toContain('it references ../schema while the package depends on nothing');
  });
});
