import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createGround, createRandom, type Ground } from '../../fixtures/create-ground.ts';
import { hasGit } from '../../fixtures/has-git.ts';
import { createWalkReport, walkFolders } from './walk-folders.ts';

let ground: Ground | undefined;
afterEach(() => {
  ground?.remove();
  ground = undefined;
});

async function walk(root: string, start: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const folder of walkFolders([root], start, createWalkReport(), new AbortController().signal)) {
    found.push(...folder.files.map((name) => relative(start, join(folder.path, name))));
  }
  return found;
}

const names = ['a', 'b.ts', 'c.log', 'lib', 'build', 'Äb', 'x y', '.dot', 'foo', 'bar.test.ts'];
const rules = [
  '*.log',
  '/build',
  'build/',
  '!keep.log',
  'lib/*',
  '!lib/b.ts',
  '**/foo',
  'foo/**',
  '/a/**/b.ts',
  '*.[tl]*',
  '!*.ts',
  '# note',
  '',
  'x\\ y',
  '.dot',
  'bar.*',
  'a/b.ts',
  '/lib/foo/',
  '?',
  '!/a',
  '**/lib/**/c.log',
  '*',
  '!*/',
  'c.log  ',
];

function makeTree(seed: number): Record<string, string> {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const files: Record<string, string> = {};
  const folders = ['', 'lib/', 'build/', 'a/', 'lib/foo/', 'a/lib/', 'a/lib/build/', 'foo/'];
  for (let count = 0; count < 40; count += 1) files[`${pick(folders)}f${count % 7}/${pick(names)}`] = 'x';
  for (let count = 0; count < 20; count += 1)
    files[`${pick(folders)}${pick(['b.ts', 'c.log', 'x y', '.dot', 'bar.test.ts', 'keep.log'])}`] = 'x';
  for (const folder of folders) {
    if (random() < 0.4)
      files[`${folder}.gitignore`] = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(rules)).join(
        random() < 0.2 ? '\r\n' : '\n',
      );
  }
  // A name can't belong to both a file and a directory.
  const paths = Object.keys(files);
  return Object.fromEntries(
    Object.entries(files).filter(([path]) => !paths.some((other) => other.startsWith(`${path}/`))),
  );
}

describe('ignore rules', () => {
  it.skipIf(!hasGit)(
    'exclude what git excludes, on generated trees and rules (git is not installed: skipped)',
    async () => {
      const trees = process.env['HAFT_TEST_LONG'] === '1' ? 200 : 12;
      for (let seed = 1; seed <= trees; seed += 1) {
        ground = createGround({ files: makeTree(seed) });
        const git = (...args: string[]): string =>
          execFileSync('git', ['-C', ground!.folder, '-c', 'core.excludesFile=/dev/null', ...args], {
            encoding: 'utf8',
          });
        git('init', '-q');
        const expected = git('ls-files', '-z', '--others', '--exclude-standard')
          .split('\0')
          .filter((path) => path !== '');
        expect({ seed, found: [...(await walk(ground.folder, ground.folder))].sort() }).toEqual({
          seed,
          found: expected.sort(),
        });
        ground.remove();
      }
    },
    600_000,
  );

  it('apply to a folder that is searched on its own, up to the top of the repository', async () => {
    ground = createGround({
      files: { '.gitignore': '*.log\n', 'src/a.log': '', 'src/a.ts': '', 'src/deep/b.log': '' },
    });
    expect(await walk(ground.folder, join(ground.folder, 'src'))).toEqual(['a.ts']);
  });

  it('do not hide a path that is named explicitly', async () => {
    ground = createGround({
      files: {
        '.gitignore': 'dist\n',
        'dist/a.js': '',
        'node_modules/x/i.js': '',
        'node_modules/x/node_modules/y/i.js': '',
      },
    });
    expect(await walk(ground.folder, ground.folder)).toEqual(['.gitignore']);
    expect(await walk(ground.folder, join(ground.folder, 'dist'))).toEqual(['a.js']);
    expect(await walk(ground.folder, join(ground.folder, 'node_modules/x'))).toEqual(['i.js']);
  });

  it('of a hostile repository take little time', async () => {
    const star = `${'*a'.repeat(30)}b`;
    ground = createGround({ files: { '.gitignore': `${star}\n${star}/\n`, ['a'.repeat(200)]: '', 'c.txt': '' } });
    expect(await walk(ground.folder, ground.folder)).toEqual(['.gitignore', 'a'.repeat(200), 'c.txt']);
  });

  it('never lead outside through a link', async () => {
    ground = createGround({ files: { 'a.txt': '' }, links: { out: '../outside', up: '..', file: 'a.txt' } });
    expect(readdirSync(ground.folder)).toContain('out');
    expect(await walk(ground.folder, ground.folder)).toEqual(['a.txt']);
  });
});
