import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGround, type Ground } from '../../fixtures/create-ground.ts';

let ground: Ground;
beforeEach(() => {
  ground = createGround({ files: { 'src/a.ts': 'One\none\n', 'src/b.ts': 'one\n', 'src/.hidden': 'one\n' } });
});
afterEach(() => ground.remove());

/** Calls with the argument names of three other tool sets, and the equivalent call. */
const spellings: readonly (readonly [string, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>])[] =
  [
    ['ls', { dir: 'src' }, { path: 'src' }],
    ['ls', { directory: 'src', show_hidden: true }, { path: 'src', all: true }],
    ['ls', { path: 'src', all: true, output: 'json' }, { path: 'src', all: true, output: 'json' }],
    ['glob', { pattern: '*.ts', root: 'src' }, { pattern: '*.ts', path: 'src' }],
    ['glob', { pattern: '*.ts', cwd: 'src' }, { pattern: '*.ts', path: 'src' }],
    ['glob', { pattern: '*.ts', directory: 'src' }, { pattern: '*.ts', path: 'src' }],
    ['glob', { pattern: '*.ts', max_results: 1, output: 'json' }, { pattern: '*.ts', limit: 1, output: 'json' }],
    ['glob', { pattern: 'src', include_dirs: true }, { pattern: 'src', include_dirs: true }],
    ['glob', { pattern: '*.TS', case_sensitive: false }, { pattern: '*.ts' }],
    ['grep', { query: 'one', directory: 'src' }, { pattern: 'one', path: 'src' }],
    ['grep', { regex: 'one', dir: 'src' }, { pattern: 'one', path: 'src' }],
    ['grep', { pattern: 'one', glob: 'a.*' }, { pattern: 'one', include: 'a.*' }],
    ['grep', { pattern: 'one', include: 'a.*', max_files: 1 }, { pattern: 'one', include: 'a.*' }],
    ['grep', { pattern: 'ONE', case_insensitive: true }, { pattern: 'ONE', ignore_case: true }],
    ['grep', { pattern: 'ONE', case_sensitive: false }, { pattern: 'ONE', ignore_case: true }],
    ['grep', { pattern: 'one', max_results: 1, output: 'json' }, { pattern: 'one', limit: 1, output: 'json' }],
    ['grep', { pattern: 'one', max_files: 1 }, { pattern: 'one', max_files: 1 }],
  ];

describe('calls in the style of other tool sets', () => {
  it.each(spellings)('%s accepts %j', async (tool, given, meant) => {
    const answer = await ground.call(tool, given);
    expect(answer).toMatchObject({ ok: true });
    expect(answer.structured).toEqual((await ground.call(tool, meant)).structured);
    expect(answer.structured).not.toEqual([]);
  });
});
