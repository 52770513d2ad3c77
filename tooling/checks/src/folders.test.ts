import { describe, expect, it } from 'vitest';

import { findFolderProblems, maxFilesInFolder, maxSharedFiles } from './folders.ts';
import { madeUpPackage } from './made-up-package.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readPublishedPackages } from './workspace.ts';

describe('the folders of every package', () => {
  it.each(readPublishedPackages().map((each) => [each.manifest.name, each] as const))(
    'of %s form layers, none has too many files, and `src/` contains only permitted files',
    (_, each) => {
      assertNoProblems(findFolderProblems(each));
    },
  );
});

describe('findFolderProblems', () => {
  const problemsOf = (files: Readonly<Record<string, string>>): string =>
    describeProblems(findFolderProblems(madeUpPackage({ files })));
  const makeFiles = (folder: string, count: number): Readonly<Record<string, string>> =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${folder}/file-${index}.ts`, 'export {};']));

  it('accepts imports in one direction', () => {
    const files = {
      'src/a/one.ts': `import { two } from '../b/two.ts';`,
      'src/b/two.ts': `import { three } from './c/three.ts';`,
      'src/b/c/three.ts': '',
    };
    expect(problemsOf(files)).toBe('');
  });

  it('rejects two folders that import each other, also if one import is of types only', () => {
    const text = problemsOf({
      'src/a/one.ts': `import { two } from '../b/two.ts';`,
      'src/b/two.ts': `\nimport type { One } from '../a/one.ts';`,
    });
    expect(text).toContain('packages/core/src: its folders import each other: a → b → a');
    expect(text).toContain('src/b/two.ts:2 imports src/a/one.ts');
    expect(text).toContain('Move what both sides need into the lower folder');
  });

  it('rejects a cycle of three folders', () => {
    const text = problemsOf({
      'src/a/one.ts': `import '../b/two.ts';`,
      'src/b/two.ts': `import '../c/deep/three.ts';`,
      'src/c/deep/three.ts': `export * from '../../a/one.ts';`,
    });
    expect(text).toContain('a → b → c → a');
  });

  it('rejects a subfolder and a file above it that import each other', () => {
    const text = problemsOf({
      'src/a/one.ts': `import './inner/two.ts';`,
      'src/a/inner/two.ts': `import '../three.ts';`,
      'src/a/three.ts': '',
    });
    expect(text).toContain('packages/core/src/a: its folders import each other');
  });

  it('lets the entries of a package import every folder', () => {
    const files = { 'src/index.ts': `export * from './a/one.ts';`, 'src/a/one.ts': `import '../core-error.ts';` };
    expect(problemsOf({ ...files, 'src/core-error.ts': '' })).toBe('');
  });

  it('rejects a folder with too many source files, and does not count tests', () => {
    expect(problemsOf(makeFiles('src/a', maxFilesInFolder))).toBe('');
    expect(problemsOf({ ...makeFiles('src/a', maxFilesInFolder), 'src/a/one.test.ts': '' })).toBe('');
    expect(problemsOf(makeFiles('src/a', maxFilesInFolder + 1))).toContain(
      `packages/core/src/a: it holds ${maxFilesInFolder + 1} source files`,
    );
  });

  it('rejects too many shared files in `src/`', () => {
    const shared = makeFiles('src', maxSharedFiles + 1);
    const all = Object.keys(shared).map((path) => `import '../${path.slice('src/'.length)}';`);
    expect(problemsOf({ ...shared, 'src/a/one.ts': all.join('\n'), 'src/b/one.ts': all.join('\n') })).toContain(
      `it holds ${maxSharedFiles + 1} files besides entries and errors`,
    );
  });

  it('rejects a file in `src/` that only one folder uses', () => {
    expect(problemsOf({ 'src/stray.ts': '', 'src/a/one.ts': `import '../stray.ts';` })).toContain(
      'packages/core/src/stray.ts: it is used by fewer than two folders. Move it into the folder that uses it',
    );
  });

  it('accepts a package that is one flat folder', () => {
    expect(problemsOf(makeFiles('src', 3))).toBe('');
  });
});
