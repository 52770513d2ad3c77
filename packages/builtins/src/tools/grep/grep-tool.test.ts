import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { PermissionEngine } from '@haft/core';
import { codeOf, createGround, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';

let ground: Ground;
const start = (options: GroundOptions = {}): Ground => (ground = createGround(options));
afterEach(() => ground.remove());

describe('grep', () => {
  it('shows matching lines grouped by file in a fixed order', async () => {
    start({ files: { 'b.ts': 'x\nfoo(1)\n', 'a/c.ts': 'foo(2)\r\ny\r\nfoo(3)', 'a.md': 'foo' } });
    expect(await ground.say('grep', { pattern: 'foo\\(\\d' })).toBe(
      'b.ts\n  2: foo(1)\na/c.ts\n  1: foo(2)\n  3: foo(3)',
    );
    expect(await ground.say('grep', { pattern: 'FOO', ignore_case: true, include: '*.md' })).toBe('a.md\n  1: foo');
    expect(await ground.say('grep', { pattern: 'foo', path: 'a/c.ts' })).toBe('a/c.ts\n  1: foo(2)\n  3: foo(3)');
  });

  it('shows context lines around a match', async () => {
    start({ files: { 'a.txt': '1\n2\nhit\n4\n5\n6\n7\nhit\n9' } });
    expect(await ground.say('grep', { pattern: 'hit', context: 1 })).toBe(
      'a.txt\n  2- 2\n  3: hit\n  4- 4\n  --\n  7- 7\n  8: hit\n  9- 9',
    );
  });

  it('returns a typed array on request', async () => {
    start({ files: { 'a:b.txt': 'x: y' } });
    expect((await ground.call('grep', { pattern: 'y', output: 'json' })).structured).toEqual([
      { path: 'a:b.txt', line: 1, text: 'x: y' },
    ]);
    expect((await ground.call('grep', { pattern: 'y', output: 'json', context: 1 })).structured).toEqual([
      { path: 'a:b.txt', line: 1, text: 'x: y', before: [], after: [] },
    ]);
  });

  it('shows a limited number of matches and counts the rest', async () => {
    start({ files: { 'a.txt': 'x\n'.repeat(5), 'b.txt': 'x\n'.repeat(5) } });
    const said = await ground.say('grep', { pattern: 'x', limit: 3 });
    expect(said).toContain('  3: x\nNote: 7 more matches: 2 in that file, 5 in 1 other file; narrow');
    expect(await ground.say('grep', { pattern: 'x', limit: 10 })).not.toContain('more');
  });

  it('reports the searched files if nothing matches', async () => {
    start({ files: { 'a.txt': 'a', 'b.bin': new Uint8Array([0, 1, 2]), 'dist/x': 'zzz', '.gitignore': 'dist\n' } });
    expect(await ground.say('grep', { pattern: 'zzz' })).toBe(
      'Nothing matches zzz\nNote: 3 files searched below the working directory.\nNote: 1 ignored file (.gitignore, .ignore, node_modules) matches: dist/x; set no_ignore to true, or give the path of one, to include them.',
    );
    expect(await ground.say('grep', { pattern: 'zzz', path: 'dist' })).toBe('dist/x\n  1: zzz');
  });

  it('reports an invalid pattern or an unreadable path as an error instead of an empty result', async () => {
    start({ files: { 'a.txt': 'a' }, links: { out: '../outside' } });
    expect(codeOf(await ground.call('grep', { pattern: '(' }))).toBe('INVALID_PATTERN');
    expect(codeOf(await ground.call('grep', { pattern: 'a', include: '[' }))).toBe('INVALID_PATTERN');
    expect(codeOf(await ground.call('grep', { pattern: 'a', path: 'none' }))).toBe('NOT_FOUND');
    expect(codeOf(await ground.call('grep', { pattern: 'a', path: 'out' }))).toBe('OUTSIDE_READ_ROOTS');
  });

  it('stops a pattern that would run forever and keeps working afterwards', async () => {
    start({ files: { 'a.txt': `${'a'.repeat(60)}!` } });
    const result = await ground.call('grep', { pattern: '^(a|a)*$' });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'INVALID_PATTERN', hint: expect.stringContaining('simpler') },
    });
    expect(codeOf(await ground.call('grep', { pattern: 'a!' }))).toBe('ok');
  });

  it('stops when the call is aborted during a search', async () => {
    start({ files: { 'a.txt': `${'a'.repeat(60)}!` } });
    const controller = new AbortController();
    const running = ground.call('grep', { pattern: '^(a|a)*$' }, { signal: controller.signal });
    setTimeout(() => controller.abort(), 50);
    expect(codeOf(await running)).toBe('ABORTED');
  });

  it('reads every encoding and truncates long lines around the match', async () => {
    start({
      files: {
        'a16.txt': Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('x\r\nküche\r\n', 'utf16le')]),
        'b.txt': Buffer.from('k\xfcche', 'latin1'),
        'c.min.js': `${'a'.repeat(20_000)}küche${'b'.repeat(20_000)}`,
      },
    });
    const said = await ground.say('grep', { pattern: 'küche' });
    expect(said).toContain('a16.txt\n  2: küche\nb.txt\n  1: küche\nc.min.js\n  1: …aaa');
    expect(said.length).toBeLessThan(700);
  });

  it('searches large files in chunks', async () => {
    start();
    const lines = Array.from({ length: 150_000 }, (_, index) => `${index + 1} ${'ä'.repeat(40)}`);
    lines[140_000] = 'here it is';
    writeFileSync(join(ground.folder, 'large.log'), lines.join('\n'));
    expect(await ground.say('grep', { pattern: 'here' })).toBe('large.log\n  140001: here it is');
  });

  it('stops inside a directory at the time limit and returns the matches so far', async () => {
    let now = 0;
    const names = Array.from({ length: 400 }, (_, index) => `${index}.txt`.padStart(8, '0'));
    start({ files: Object.fromEntries(names.map((name) => [name, 'hit'])), now: () => (now += 1_000) });
    const result = await ground.call('grep', { pattern: 'hit', limit: 1_000 });
    expect(result).toMatchObject({ ok: true, metadata: { isPartial: true } });
    const { matches } = result.metadata as { readonly matches: number };
    expect(matches).toBeGreaterThan(0);
    expect(matches).toBeLessThan(400);
  });

  it('does not follow links out of the roots', async () => {
    start({ links: { out: '../outside', 'file.txt': '../outside/s.txt' } });
    writeFileSync(join(ground.outside, 's.txt'), 'secret');
    expect(await ground.say('grep', { pattern: 'secret' })).toContain('Nothing matches secret');
  });
});

describe('grep and files without read permission', () => {
  const asked: (readonly string[])[] = [];
  const refusing = (source: 'protected' | 'person'): PermissionEngine => ({
    ask: ({ footprint }) => {
      asked.push(footprint.reads);
      return footprint.reads.some((key) => key.endsWith('/.env'))
        ? { action: 'deny', denial: { source, reason: 'closed' } }
        : { action: 'allow' };
    },
  });

  it('shows nothing of a file that the permissions deny (B13) and reports the omission', async () => {
    start({
      files: { '.env': 'TOKEN=abc', 'a.txt': 'TOKEN here', 'sub/b.txt': 'TOKEN' },
      permission: refusing('protected'),
    });
    const said = await ground.say('grep', { pattern: 'TOKEN' });
    expect(said).toBe('a.txt\n  1: TOKEN here\nsub/b.txt\n  1: TOKEN\nNote: 1 file may not be read and was left out.');
    expect(said).not.toContain('abc');
  });

  it('returns the same result whether or not the denied file matches', async () => {
    start({ files: { '.env': 'TOKEN=abc', 'a.txt': 'x' }, permission: refusing('protected') });
    const matching = await ground.say('grep', { pattern: 'TOKEN=abc' });
    const other = await ground.say('grep', { pattern: 'TOKEN=abd' });
    expect(matching.replace('abc', '')).toBe(other.replace('abd', ''));
  });

  it('asks once per directory and does not ask again for each file after a denial', async () => {
    asked.length = 0;
    start({ files: { '.env': 'x', 'a.txt': 'x', 'b.txt': 'x' }, permission: refusing('person') });
    await ground.say('grep', { pattern: 'x' });
    expect(asked).toHaveLength(2);
    expect(asked[1]).toHaveLength(3);
  });

  it('hides denied files from glob too', async () => {
    start({ files: { '.env': 'x', 'a.txt': 'x' }, permission: refusing('protected') });
    expect((await ground.call('glob', { pattern: '*', output: 'json' })).structured).toEqual(['a.txt']);
  });
});
