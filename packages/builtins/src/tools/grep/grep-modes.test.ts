import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, createGround, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';

let ground: Ground;
const start = (options: GroundOptions = {}): Ground => (ground = createGround(options));
afterEach(() => ground.remove());
const json = async (args: Readonly<Record<string, unknown>>): Promise<unknown> =>
  (await ground.call('grep', { ...args, output: 'json' })).structured;

const files = { 'a.ts': 'one\ntwo\none one\n', 'b.py': 'One\n', 'sub/c.ts': 'zero\none', 'd.md': 'none here' };

describe('output modes of grep', () => {
  it('lists the matching files, counts matches per file or shows the lines', async () => {
    start({ files });
    expect(await ground.say('grep', { pattern: 'one', mode: 'files' })).toBe('a.ts\nd.md\nsub/c.ts');
    expect(await ground.say('grep', { pattern: 'one', mode: 'count' })).toBe('2 a.ts\n1 d.md\n1 sub/c.ts');
    expect(await json({ pattern: '^one', mode: 'count' })).toEqual([
      { path: 'a.ts', matches: 2 },
      { path: 'sub/c.ts', matches: 1 },
    ]);
    expect(await json({ pattern: '^one', output_mode: 'files_with_matches' })).toEqual(['a.ts', 'sub/c.ts']);
    expect(await ground.say('grep', { pattern: 'one', mode: 'files', limit: 1 })).toBe(
      'a.ts\nNote: 2 more files; narrow pattern, path or include, or raise limit (now 1).',
    );
  });

  it('matches plain text literally', async () => {
    start({ files: { 'a.txt': 'f(x)\nfx\na.b\naxb\n(?i)x' } });
    expect(await json({ pattern: 'f(x)', fixed_strings: true })).toMatchObject([{ line: 1 }]);
    expect(await json({ pattern: 'A.B', literal: true, ignore_case: true })).toMatchObject([{ line: 3 }]);
    expect(await json({ pattern: '(?i)x', fixed_strings: true })).toMatchObject([{ line: 5 }]);
    expect(await json({ pattern: 'a\\', fixed_strings: true })).toEqual([]);
    expect(codeOf(await ground.call('grep', { pattern: 'a\nb', fixed_strings: true }))).toBe('INVALID_PATTERN');
    expect(await json({ pattern: ')\nf', fixed_strings: true, multiline: true })).toMatchObject([
      { line: 1 },
      { line: 2 },
    ]);
  });

  it('applies the limits per file and on the number of files', async () => {
    start({ files: { 'a.txt': 'x\nx\nx', 'b.txt': 'x', 'c.txt': 'x\nx' } });
    expect(await ground.say('grep', { pattern: 'x', max_per_file: 1 })).toBe(
      'a.txt\n  1: x\nb.txt\n  1: x\nc.txt\n  1: x\nNote: 3 more matches: 3 in those files; narrow pattern, path or include, or raise max_per_file (now 1).',
    );
    expect(await ground.say('grep', { pattern: 'x', max_files: 1 })).toBe(
      'a.txt\n  1: x\n  2: x\n  3: x\nNote: 3 more matches: 3 in 2 other files; narrow pattern, path or include, or raise max_files (now 1).',
    );
  });

  it('matches across several lines', async () => {
    start({ files: { 'a.ts': 'f(\r\n  1,\r\n)\r\nf(2)\r\n' } });
    expect(await ground.say('grep', { pattern: 'f\\([^)]*\\n[^)]*\\)', multiline: true })).toBe(
      'a.ts\n  1: f(\n  2:   1,\n  3: )',
    );
    expect(await json({ pattern: 'f\\(\\s', output: 'json' })).toEqual([]);
  });

  it('searches only files of the given type and skips excluded files', async () => {
    start({ files });
    expect(await json({ pattern: 'one', mode: 'files', type: 'ts' })).toEqual(['a.ts', 'sub/c.ts']);
    expect(await json({ pattern: 'one', mode: 'files', type: 'TypeScript', exclude: 'sub/**' })).toEqual(['a.ts']);
    expect(await json({ pattern: 'one', mode: 'files', type: 'py', ignore_case: true })).toEqual(['b.py']);
    const unknown = await ground.call('grep', { pattern: 'one', type: 'brainfog' });
    expect(unknown).toMatchObject({ error: { code: 'INVALID_ARGS', hint: expect.stringContaining('"*.brainfog"') } });
    expect(codeOf(await ground.call('grep', { pattern: 'one', type: 'constructor' }))).toBe('INVALID_ARGS');
  });

  it('shows the requested context lines', async () => {
    start({ files: { 'a.txt': '1\n2\nhit\n4\n5' } });
    expect(await ground.say('grep', { pattern: 'hit', before: 2 })).toBe('a.txt\n  1- 1\n  2- 2\n  3: hit');
    expect(await ground.say('grep', { pattern: 'hit', context: 1, after: 2 })).toBe(
      'a.txt\n  2- 2\n  3: hit\n  4- 4\n  5- 5',
    );
    expect(await json({ pattern: 'hit', '-A': 1 })).toEqual([
      { path: 'a.txt', line: 3, text: 'hit', before: [], after: ['4'] },
    ]);
  });

  it('rejects contradictory case options', async () => {
    start({ files });
    const both = await ground.call('grep', { pattern: 'x', ignore_case: true, case_sensitive: true });
    expect(both).toMatchObject({ error: { code: 'INVALID_ARGS', hint: expect.stringContaining('ignore_case: true') } });
    expect(codeOf(await ground.call('grep', { pattern: 'x', ignore_case: false, case_sensitive: true }))).toBe('ok');
    expect(await json({ pattern: 'ONE', case_sensitive: false, mode: 'files', include: '*.py' })).toEqual(['b.py']);
  });

  it('suggests other interpretations if nothing is found', async () => {
    start({ files: { 'src/a.ts': 'foo(bar)\nnext' } });
    const say = (args: object): Promise<string> => ground.say('grep', args);
    expect(await say({ pattern: 'foo(bar)' })).toContain('set fixed_strings to true');
    expect(await say({ pattern: 'none' })).not.toContain('fixed_strings');
    expect(await say({ pattern: 'bar\\)\\nnext' })).toContain('set multiline to true');
    expect(await say({ pattern: 'next', include: 'src' })).toContain('No file has a path that matches include "src"');
  });

  it('reports matching binary files without showing their content', async () => {
    start({ files: { 'a.bin': Buffer.from('\0\0secret\0'), 'b.bin': Buffer.from('\0\0other') } });
    expect(await ground.say('grep', { pattern: 'secret' })).toBe(
      "Nothing matches secret\nNote: 2 files searched below the working directory.\nNote: 1 binary file matches too and can't be shown.",
    );
  });

  it('counts lines in files with carriage returns as line endings', async () => {
    start({ files: { 'mac.txt': 'one\rtwo\rthree', 'mixed.txt': 'a\rb\nc\r' } });
    expect(await json({ pattern: '^t' })).toEqual([
      { path: 'mac.txt', line: 2, text: 'two' },
      { path: 'mac.txt', line: 3, text: 'three' },
    ]);
    expect(await json({ pattern: '[bc]$' })).toEqual([
      { path: 'mixed.txt', line: 1, text: 'a\rb' },
      { path: 'mixed.txt', line: 2, text: 'c' },
    ]);
  });
});

describe('matches in ignored files', () => {
  it('searches ignored files if nothing else matches and reports the matches', async () => {
    start({
      files: {
        '.gitignore': 'dist\n*.log',
        'a.txt': 'x',
        'dist/deep/b.js': 'needle',
        'c.log': 'needle',
        'node_modules/p/i.js': 'needle',
      },
    });
    expect(await ground.say('grep', { pattern: 'needle' })).toContain(
      'Note: 3 ignored files (.gitignore, .ignore, node_modules) match: c.log, dist/deep/b.js, node_modules/p/i.js; set no_ignore to true',
    );
    expect(await ground.say('grep', { pattern: 'nothing' })).toContain(
      'Note: Nothing in the 3 ignored entries (.gitignore, .ignore, node_modules) matches either.',
    );
    expect(await ground.say('grep', { pattern: 'needle', include: '*.log' })).toContain('Note: 1 ignored file');
    expect(await json({ pattern: 'needle', mode: 'files', no_ignore: true })).toEqual([
      'c.log',
      'dist/deep/b.js',
      'node_modules/p/i.js',
    ]);
  });

  it('does not search ignored files that the permissions deny', async () => {
    start({
      files: { '.gitignore': '.env', '.env': 'TOKEN=abc', 'a.txt': 'x' },
      permission: {
        ask: ({ footprint }) =>
          footprint.reads.some((key) => key.endsWith('/.env'))
            ? { action: 'deny', denial: { source: 'protected', reason: 'closed' } }
            : { action: 'allow' },
      },
    });
    const matching = await ground.say('grep', { pattern: 'TOKEN=abc' });
    const other = await ground.say('grep', { pattern: 'TOKEN=abd' });
    expect(matching.replace('abc', '')).toBe(other.replace('abd', ''));
  });

  it('never searches the version control directory', async () => {
    start({ files: { '.git/config': 'needle', 'a.txt': 'x' } });
    expect(await ground.say('grep', { pattern: 'needle' })).toBe(
      'Nothing matches needle\nNote: 1 file searched below the working directory.',
    );
    expect(await json({ pattern: 'needle', mode: 'files', no_ignore: true })).toEqual([]);
    expect(await json({ pattern: 'needle', mode: 'files', path: '.git' })).toEqual(['.git/config']);
  });

  it('reports an incomplete search of ignored files if the time limit is reached', async () => {
    let now = 0;
    const names = Array.from({ length: 50 }, (_, index) => `${index}.log`);
    start({
      files: { '.gitignore': '*.log', ...Object.fromEntries(names.map((name) => [name, 'x'])) },
      now: () => (now += 300),
    });
    expect(await ground.say('grep', { pattern: 'needle' })).toContain(
      '50 ignored entries (.gitignore, .ignore, node_modules) could not all be searched in time',
    );
  });
});
