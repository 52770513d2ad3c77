import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openConfinedDirectory, type ConfinedFile } from '@haft/sandbox';
import { createGround, createRandom, type Ground } from '../../fixtures/create-ground.ts';
import { hasRipgrep, rg } from '../../fixtures/find-rg.ts';
import { isOutOfReach, isRipgrep } from './find-ripgrep.ts';
import { createRipgrepFilter } from './candidate-filter.ts';
import { runPatternJob } from '../text/pattern-job.ts';
import { relaxPattern } from '../patterns/relax-pattern.ts';

let ground: Ground | undefined;
afterEach(() => {
  ground?.remove();
  ground = undefined;
});

const isLong = process.env['HAFT_TEST_LONG'] === '1';
const { signal } = new AbortController();
type Pick = <Item>(items: readonly Item[]) => Item;
const pickWith =
  (random: () => number): Pick =>
  (items) =>
    items[Math.floor(random() * items.length)]!;

/** A tree with ignore files of all kinds, and repositories in repositories. */
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

/** What ripgrep finds when it works alone, by the rules that are stated for grep and glob. */
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

/** Patterns that both dialects read alike. */
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

describe.skipIf(!hasRipgrep)('beside ripgrep (it is not installed: skipped)', () => {
  it('glob finds the files and grep the lines that ripgrep finds, on generated trees and rules', async () => {
    const trees = isLong ? 240 : 20;
    let hits = 0;
    for (let seed = 1; seed <= trees; seed += 1) {
      ground = createGround({ files: makeTree(seed), builtins: { ripgrep: 'off' } });
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

  it('no file is passed over in which a pattern matches, whatever the encoding and the pattern', async () => {
    const random = createRandom(31);
    const pick = pickWith(random);
    const atoms =
      'a b k s . \\s \\S \\w \\W \\d \\D [^a] [^\\w] [a-c] [-x] [\\s\\S] [^] é [é-ü] \\u0041 \\x61 \\. \\- { ] € \\0 \\t \\cI \\/'.split(
        ' ',
      );
    const others =
      '^ $ \\b \\B | (?=a) (?!\\s) (?<=x) (?<!^a) (?: ( ) (?<n> \\1 \\k<n> a* b+ x? .* \\s* [^a]+ a{2} b{1,} .{0,3}? (a|^)b \\p{Lu} \\u{61}'.split(
        ' ',
      );
    const letters = [
      'a',
      'b',
      'x',
      'k',
      'K',
      's',
      'ſ',
      'K',
      ' ',
      '\n',
      '\n',
      'é',
      '€',
      '-',
      '\t',
      '.',
      '😀',
      '\u2028',
      '{',
    ];
    const encodings: readonly ((text: string) => Uint8Array)[] = [
      (text) => Buffer.from(text),
      (text) => Buffer.from(text),
      (text) => Buffer.from(`\uFEFF${text}`),
      (text) => Buffer.from(`\uFEFF${text}`, 'utf16le'),
      (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16(),
      (text) => Buffer.from(`${text}\xfc`, 'latin1'),
      (text) => Buffer.from(text.replaceAll('\n', '\r\n')),
      (text) => Buffer.from(text.replaceAll('\n', '\r')),
      (text) => Buffer.from(`\0${text}\0`),
    ];
    const contents = Array.from({ length: 120 }, () =>
      pick(encodings)(Array.from({ length: 1 + Math.floor(random() * 14) }, () => pick(letters)).join('')),
    );
    const names = contents.map((_, index) => String(index).padStart(3, '0'));
    ground = createGround({ files: Object.fromEntries(names.map((name, index) => [name, contents[index]!])) });
    const folder = openConfinedDirectory([ground.folder], ground.folder);
    if (!folder.ok) throw new Error(folder.message);
    const files = folder.open(names).filter((file): file is ConfinedFile => file.ok);
    expect(files).toHaveLength(names.length);
    const bytes = contents.map((content) => Uint8Array.from(content));
    const [rounds, matching] = [isLong ? 3_000 : 120, { files: 0, passed: 0 }];
    for (let round = 0; round < rounds; round += 1) {
      const source = Array.from({ length: 1 + Math.floor(random() * 4) }, () =>
        pick(random() < 0.65 ? atoms : others),
      ).join('');
      const flags = pick(['', 'i', 'u', 'iu']);
      const query = { source, flags, isMultiline: false, before: 0, after: 0, keep: 0, isFirstEnough: true };
      const answer = runPatternJob({ query, files: bytes });
      const relaxed = answer.ok ? relaxPattern(source, flags) : undefined;
      if (!answer.ok || relaxed === undefined) continue;
      const candidates = await createRipgrepFilter(rg, relaxed)(files, signal);
      const missed = answer.files.flatMap(({ matches }, index) =>
        matches > 0 && !candidates.has(index) ? [contents[index]] : [],
      );
      expect({ source, flags, relaxed, missed }).toEqual({ source, flags, relaxed, missed: [] });
      matching.files += answer.files.filter(({ matches }) => matches > 0).length;
      matching.passed += files.length - candidates.size;
    }
    expect(matching.files).toBeGreaterThan(rounds);
    expect(matching.passed).toBeGreaterThan(rounds);
    for (const file of files) file.close();
    folder.close();
  }, 600_000);

  it('grep gives the same with it as without, and says which it was', async () => {
    const random = createRandom(5);
    const pick = pickWith(random);
    const line = (): string =>
      `${pick(['const', 'let', 'return', 'é', '//'])} ${pick(['fooBar', 'x1', 'Error', 'needle'])}${pick([';', '()', ''])} ${'filler '.repeat(8)}`;
    const text = (): string => Array.from({ length: 1_500 }, line).join(pick(['\n', '\r\n']));
    const files: Record<string, string | Uint8Array> = {
      '.gitignore': 'skip.ts',
      'skip.ts': 'rare one',
      'z.bin': Buffer.from('\0rare'),
    };
    for (let index = 0; index < 60; index += 1)
      files[`d${index % 7}/f${index}.ts`] = text() + (index % 20 === 3 ? '\nrare one\n' : '');
    ground = createGround({ files, builtins: { ripgrep: rg } });
    const alone = createGround({ files, builtins: { ripgrep: 'off' } });
    try {
      const calls = [
        { pattern: 'r[a]re' },
        { pattern: '(?i)RARE|\\bone$', context: 1 },
        { pattern: '(?<=rare )one', mode: 'files' },
        { pattern: '^(let|const) \\w+\\(\\)', limit: 7, max_per_file: 2 },
        { pattern: 'never\\d+here' },
        { pattern: '(é) .*\\1', mode: 'count' },
      ];
      for (const call of calls) {
        const [withIt, without] = [await ground.call('grep', call), await alone.call('grep', call)];
        expect(withIt.metadata).toMatchObject({ engine: 'ripgrep' });
        expect(without.metadata).toMatchObject({ engine: 'javascript' });
        expect({ ...withIt, metadata: 0, durationMs: 0, startedAt: 0, callId: 0 }).toEqual({
          ...without,
          metadata: 0,
          durationMs: 0,
          startedAt: 0,
          callId: 0,
        });
      }
    } finally {
      alone.remove();
    }
  }, 120_000);

  it('reads what was open, wherever the path leads by now, and nothing it is told by files', async () => {
    ground = createGround({ files: { a: 'needle', b: 'other', '.ripgreprc': '--invert-match' } });
    const folder = openConfinedDirectory([ground.folder], ground.folder);
    if (!folder.ok) throw new Error(folder.message);
    const files = folder.open(['a', 'b']).filter((file): file is ConfinedFile => file.ok);
    ground.put('b', 'needle');
    execFileSync('mv', ['b', 'c'], { cwd: ground.folder });
    execFileSync('ln', ['-s', '/etc/passwd', 'b'], { cwd: ground.folder });
    expect(await createRipgrepFilter(rg, 'needle')(files, signal)).toEqual(new Set([0, 1]));
    expect([...(await createRipgrepFilter(rg, 'root')(files, signal))]).toEqual([]);
    for (const file of files) file.close();
    folder.close();
  });

  it('every file is searched where it fails', async () => {
    ground = createGround({ files: { a: 'x', b: 'y' } });
    const folder = openConfinedDirectory([ground.folder], ground.folder);
    if (!folder.ok) throw new Error(folder.message);
    const files = folder.open(['a', 'b']).filter((file): file is ConfinedFile => file.ok);
    for (const [program, pattern] of [
      ['/none/rg', 'x'],
      [rg, '('],
    ] as const)
      expect(await createRipgrepFilter(program, pattern)(files, signal)).toEqual(new Set([0, 1]));
    for (const file of files) file.close();
    folder.close();
  });

  it('a program is taken for it only when it says so itself', async () => {
    expect(await isRipgrep(rg)).toBe(true);
    for (const other of ['/bin/false', '/bin/cat', '/none']) expect(await isRipgrep(other)).toBe(false);
    ground = createGround({ files: { a: 'x' }, builtins: { ripgrep: '/bin/false' } });
    expect((await ground.call('grep', { pattern: 'x' })).metadata).toMatchObject({ matches: 1, engine: 'javascript' });
  });

  it('none is run that the workspace may write', async () => {
    ground = createGround({ files: { 'bin/rg': '' } });
    expect(await isOutOfReach(join(ground.folder, 'bin/rg'), [ground.folder])).toBe(false);
    expect(await isOutOfReach(join(ground.outside, 'rg'), [ground.folder])).toBe(true);
    expect(await isOutOfReach(join(ground.outside, 'rg'), 'unrestricted')).toBe(false);
  });
});
