import { spawnSync } from 'node:child_process';
import { afterEach, describe, expect, it } from 'vitest';
import { createGround, createRandom, type Ground } from '../../fixtures/create-ground.ts';
import { hasRipgrep, rg } from '../../fixtures/find-rg.ts';

let ground: Ground | undefined;
afterEach(() => {
  ground?.remove();
  ground = undefined;
});

const isLong = process.env['HAFT_TEST_LONG'] === '1';
type Pick = <Item>(items: readonly Item[]) => Item;
const pickWith =
  (random: () => number): Pick =>
  (items) =>
    items[Math.floor(random() * items.length)]!;

/** Creates a tree with ignore files of all kinds and with nested repositories. */
function makeTree(seed: number): Record<string, string> {
  const random = createRandom(seed);
  const pick = pickWith(random);
  const folders = [
    '',
    'src/',
    'src/lib/',
    'build/',
    'build/deep/',
    '.hidden/',
    'node_modules/p/',
    'vendor/',
    'vendor/in/',
  ];
  const names = ['a.ts', 'b.js', 'c.log', 'keep.log', 'x y', '.dot', 'Makefile', 'é.md', 'foo', 'bar.test.ts', 'z.tmp'];
  const rules = [
    '*.log',
    '!keep.log',
    '/build',
    'build/',
    'lib/',
    'src/lib/*.js',
    '**/foo',
    '.*',
    '!.dot',
    '*.t*',
    '# note',
    '',
    '/src/*',
    '!/src/lib',
    'deep',
    '[ab].*',
    'x\\ y',
    '?.js',
    '!*.ts',
    'vendor/**',
    '/**/bar*',
  ];
  const words = [
    'alpha',
    'beta_1',
    'Gamma',
    'foo(bar)',
    '  indented',
    '',
    'é ü',
    'end.',
    'a-b',
    '0x1F',
    '"quoted"',
    '\t tab',
  ];
  const files: Record<string, string> = { '.git/HEAD': 'alpha' };
  for (let count = 0; count < 30; count += 1) {
    const lines = Array.from(
      { length: Math.floor(random() * 8) },
      () => pick(words) + (random() < 0.4 ? ` ${pick(words)}` : ''),
    );
    files[pick(folders) + pick(names)] = lines.join(random() < 0.15 ? '\r\n' : '\n') + (random() < 0.5 ? '\n' : '');
  }
  for (const folder of folders.filter((folder) => !folder.startsWith('node_modules'))) {
    for (const kind of ['.gitignore', '.ignore', '.rgignore'])
      if (random() < 0.25)
        files[folder + kind] = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(rules)).join('\n');
  }
  if (random() < 0.3) files['vendor/.git/HEAD'] = '';
  if (random() < 0.3) files['.git/info/exclude'] = pick(rules);
  return files;
}

/** Returns what ripgrep finds with the ignore rules that grep and glob document. */
function runRipgrep(folder: string, args: readonly string[]): string {
  const rules = [
    '--no-config',
    '--hidden',
    '--no-ignore-global',
    '--no-ignore-parent',
    '--glob=!.git',
    '--glob=!node_modules',
  ];
  const { stdout, status } = spawnSync(rg, [...rules, ...args, './'], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e9,
  });
  expect(status === 0 || status === 1).toBe(true);
  return stdout;
}

interface Hit {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

function readHits(output: string): readonly Hit[] {
  return output
    .split('\n')
    .filter((line) => line !== '')
    .map(
      (line) =>
        JSON.parse(line) as {
          type: string;
          data: { path: { text: string }; line_number: number; lines: { text: string } };
        },
    )
    .filter(({ type }) => type === 'match')
    .map(({ data }) => ({
      path: data.path.text.slice(2),
      line: data.line_number,
      text: data.lines.text.replace(/\r?\n$/, ''),
    }));
}

const inOrder = (hits: readonly Hit[]): readonly Hit[] =>
  hits.toSorted((left, right) => (left.path === right.path ? left.line - right.line : left.path < right.path ? -1 : 1));

/** Patterns with the same meaning in both dialects. */
const patterns = [
  'alpha',
  '(?i)ALPHA',
  '^\\s+[a-z]',
  'o\\(',
  '[a-z]+_\\d',
  'a.b|end\\.',
  '\\bfoo\\b',
  '^$',
  '"[^"]*"',
  'a{2}|t+',
  '(foo|bar)\\)?$',
  'é',
  '^[^a]*$',
  '\\t',
  'x[0-9A-F]{2}',
  '.',
  '\\S+\\s\\S+',
];

describe.skipIf(!hasRipgrep)('compared with ripgrep (it is not installed: skipped)', () => {
  it('glob finds the same files and grep the same lines, on generated trees and rules', async () => {
    const trees = isLong ? 240 : 20;
    let hits = 0;
    for (let seed = 1; seed <= trees; seed += 1) {
      ground = createGround({ files: makeTree(seed) });
      const pattern = patterns[seed % patterns.length]!;
      const files = (await ground.call('glob', { pattern: '*', limit: 10_000, output: 'json' })).structured as string[];
      const expectedFiles = runRipgrep(ground.folder, ['--files'])
        .split('\n')
        .filter(Boolean)
        .map((path) => path.slice(2));
      expect({ seed, files: files.toSorted() }).toEqual({ seed, files: expectedFiles.toSorted() });
      const found = (await ground.call('grep', { pattern, limit: 1_000, output: 'json' })).structured as Hit[];
      const expected = readHits(runRipgrep(ground.folder, ['--json', '--crlf', `--regexp=${pattern}`]));
      expect({ seed, pattern, found: inOrder(found) }).toEqual({ seed, pattern, found: inOrder(expected) });
      hits += found.length;
      ground.remove();
    }
    expect(hits).toBeGreaterThan(trees);
  }, 600_000);
});
