import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, createGround, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';

let ground: Ground;
const start = (options: GroundOptions = {}): Ground => (ground = createGround(options));
afterEach(() => ground.remove());

const tree = {
  'a.ts': '',
  'b.js': '',
  'src/a.ts': '',
  'src/deep/c.test.ts': '',
  'src/deep/d.tsx': '',
  '.github/w.yml': '',
  'dist/a.ts': '',
  '.gitignore': 'dist/\n',
};

describe('glob', () => {
  it.each([
    ['**/*.ts', ['a.ts', 'src/a.ts', 'src/deep/c.test.ts']],
    ['*.ts', ['a.ts', 'src/a.ts', 'src/deep/c.test.ts']],
    ['src/*.ts', ['src/a.ts']],
    ['./src/**', ['src/a.ts', 'src/deep/c.test.ts', 'src/deep/d.tsx']],
    ['*.{js,tsx}', ['b.js', 'src/deep/d.tsx']],
    ['[ab].??', ['a.ts', 'b.js', 'src/a.ts']],
    ['**/*.yml', ['.github/w.yml']],
    ['**/deep/**/*.ts', ['src/deep/c.test.ts']],
    ['nothing*', []],
  ])('%s', async (pattern, expected) => {
    start({ files: tree });
    expect((await ground.call('glob', { pattern, output: 'json' })).structured).toEqual(expected);
  });

  it('mentions ignored files if nothing else matches', async () => {
    start({ files: { 'dist/only.ts': '', '.gitignore': 'dist\n' } });
    expect(await ground.say('glob', { pattern: 'only.ts' })).toBe(
      'Nothing matches only.ts\nNote: Nothing found below the working directory.\nNote: 1 ignored file (.gitignore, .ignore, node_modules) matches: dist/only.ts; set no_ignore to true, or give the path of one, to include them.',
    );
    expect(await ground.say('glob', { pattern: 'only.ts', path: 'dist' })).toBe('dist/only.ts');
  });

  it('shows a limited number of paths and counts the rest', async () => {
    start({
      files: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${String(index).padStart(2, '0')}`, ''])),
    });
    const said = await ground.say('glob', { pattern: '*', limit: 3 });
    expect(said).toBe('f00\nf01\nf02\nNote: 27 more; narrow the pattern, or raise limit (now 3).');
  });

  it.each(['', '/etc/*', '../*', 'a/../../b', '[a', '{a,b', 'x'.repeat(2_000)])(
    'rejects the pattern %s',
    async (pattern) => {
      start();
      expect(codeOf(await ground.call('glob', { pattern }))).toBe(pattern === '' ? 'INVALID_ARGS' : 'INVALID_PATTERN');
    },
  );

  it.each([
    `${'*a'.repeat(25)}*b`,
    '(a+)+b',
    `${'(a|a)'.repeat(22)}b`,
    '@(a|aa)+b',
    '+(a|a)b',
    '*(a)b',
    `${'(?|?)'.repeat(22)}bbbb`,
    '{a,b}'.repeat(8),
    '**a**a**a**a**a**b',
  ])('matches the hostile pattern %s literally and stays responsive', async (pattern) => {
    start({ files: { ['a'.repeat(240)]: '', 'fine.txt': '' } });
    expect((await ground.call('glob', { pattern, output: 'json' })).structured).toEqual([]);
    expect(codeOf(await ground.call('grep', { pattern: 'zzz', include: pattern }))).toBe('ok');
  });

  it('treats operators of other glob dialects as literal characters', async () => {
    start({ files: { '(a+)+b': '', '[x]': '', 'page(1).ts': '' } });
    expect((await ground.call('glob', { pattern: '(a+)+b', output: 'json' })).structured).toEqual(['(a+)+b']);
    expect((await ground.call('glob', { pattern: '\\[x]', output: 'json' })).structured).toEqual(['[x]']);
    expect((await ground.call('glob', { pattern: 'page(1).*', output: 'json' })).structured).toEqual(['page(1).ts']);
  });

  it('stays inside the roots', async () => {
    start({ files: { 'a.ts': '' }, links: { out: '../outside' } });
    writeFileSync(join(ground.outside, 's.ts'), '');
    expect((await ground.call('glob', { pattern: '**/*.ts', output: 'json' })).structured).toEqual(['a.ts']);
    expect(codeOf(await ground.call('glob', { pattern: '*', path: 'out' }))).toBe('OUTSIDE_READ_ROOTS');
    expect(codeOf(await ground.call('glob', { pattern: '*', path: 'a.ts' }))).toBe('NOT_DIRECTORY');
  });
});
