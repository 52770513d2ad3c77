import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, createGround, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';

let ground: Ground;
const start = (options: GroundOptions = {}): Ground => (ground = createGround(options));
afterEach(() => ground.remove());

const numbered = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, index) => `line ${from + index}`).join('\n');

describe('read', () => {
  it('shows lines with their numbers', async () => {
    start({ files: { 'a.txt': 'one\n\n  three\n' } });
    const result = await ground.call('read', { path: 'a.txt' });
    expect(result).toMatchObject({
      ok: true,
      content: [{ text: '1→one\n2→\n3→  three' }],
      summary: 'Read: a.txt (3 lines)',
      effects: [{ op: 'read' }],
    });
  });

  it('shows a window and explains exactly how to continue', async () => {
    start({ files: { 'a.txt': `${numbered(1, 5_000)}\n` } });
    const first = await ground.say('read', { path: 'a.txt' });
    expect(first).toContain('2000→line 2000\n[lines 1-2000 of 5000; to continue, call read with offset=2001]');
    const window = await ground.say('read', { path: 'a.txt', offset: 4_998, limit: 2 });
    expect(window).toBe(
      '4998→line 4998\n4999→line 4999\n[lines 4998-4999 of 5000; to continue, call read with offset=5000]',
    );
    expect(await ground.say('read', { path: 'a.txt', offset: 5_000 })).toBe('5000→line 5000');
    expect(await ground.say('read', { path: 'a.txt', offset: -2 })).toBe('4999→line 4999\n5000→line 5000');
    expect(await ground.say('read', { path: 'a.txt', offset: 0, limit: 1 })).toContain('1→line 1\n');
    expect(await ground.call('read', { path: 'a.txt', offset: 5_001 })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ARGS', hint: 'Use an offset from 1 to 5000.' },
    });
  });

  it('shows every line once if the hints are followed, for any line lengths', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => 'é'.repeat((index * 37) % 150));
    start({ files: { 'a.txt': lines.join('\n') } });
    const seen: string[] = [];
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const said: string = await ground.say('read', { path: 'a.txt', offset });
      const hint = /offset=(\d+)\]$/.exec(said);
      const shown = hint ? said.split('\n').slice(0, -1) : said.split('\n');
      expect(Buffer.byteLength(shown.map((line) => line.slice(line.indexOf('→') + 1)).join('\n'))).toBeLessThanOrEqual(
        51_200,
      );
      seen.push(...shown.map((line) => line.slice(line.indexOf('→') + 1)));
      offset = hint ? Number(hint[1]) : undefined;
    }
    expect(seen).toEqual(lines);
  });

  it('truncates long lines without splitting a character and reports the omitted length', async () => {
    start({ files: { 'a.txt': `${'a'.repeat(1_999)}😀${'b'.repeat(100)}\nshort` } });
    expect(await ground.say('read', { path: 'a.txt' })).toBe(
      `1→${'a'.repeat(1_999)}… [line cut, 102 more characters]\n2→short`,
    );
  });

  it.each([
    ['UTF-8 with a byte order mark', Buffer.from('\uFEFFgrün\n'), '1→grün'],
    [
      'UTF-16 little endian',
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('grün\r\nrot', 'utf16le')]),
      '1→grün\n2→rot',
    ],
    [
      'UTF-16 big endian',
      Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('grün', 'utf16le').swap16()]),
      '1→grün',
    ],
    ['Windows-1252', Buffer.from('gr\xfcn \x80\n', 'latin1'), '1→grün €'],
    ['CRLF', Buffer.from('a\r\nb\r\n'), '1→a\n2→b'],
    ['CR alone', Buffer.from('a\rb'), '1→a\n2→b'],
    ['nothing', Buffer.from(''), 'The file is empty.'],
    ['one line feed', Buffer.from('\n'), '1→'],
  ])('reads %s', async (_, bytes, shown) => {
    start({ files: { 'a.txt': bytes } });
    expect(await ground.say('read', { path: 'a.txt' })).toBe(shown);
  });

  it.each([
    ['a program', Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])],
    ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0])],
    ['UTF-16 with half a character', Buffer.from([0xff, 0xfe, 0x41, 0x00, 0x42])],
  ])('rejects binary content: %s', async (_, bytes) => {
    start({ files: { 'a.bin': bytes } });
    expect(await ground.call('read', { path: 'a.bin' })).toMatchObject({
      ok: false,
      error: { code: 'BINARY_FILE', fault: 'model', hint: expect.any(String) },
    });
  });

  it('suggests similar paths if the file does not exist', async () => {
    start({ files: { 'src/index.ts': 'x', 'src/deep/button.tsx': 'x' } });
    expect(await ground.say('read', { path: 'src/idnex.ts' })).toContain('Did you mean src/index.ts?');
    expect(await ground.say('read', { path: 'button.tsx' })).toContain('Did you mean src/deep/button.tsx?');
    expect(codeOf(await ground.call('read', { path: 'zzzzzzzzzz' }))).toBe('NOT_FOUND');
  });

  it('distinguishes directories, pipes and paths outside the roots, and never blocks', async () => {
    start({
      files: { 'a.txt': 'x' },
      links: { out: '../outside', loop: 'loop', 'to-a': 'a.txt', proc: '/proc/self/root/etc/passwd' },
    });
    writeFileSync(join(ground.outside, 's.txt'), 'secret words');
    execFileSync('mkfifo', [join(ground.folder, 'pipe')]);
    const code = async (path: string): Promise<string> => codeOf(await ground.call('read', { path }));
    expect(await code('.')).toBe('IS_DIRECTORY');
    expect(await code('pipe')).toBe('NOT_REGULAR_FILE');
    expect(await code('out/s.txt')).toBe('OUTSIDE_READ_ROOTS');
    expect(await code('../outside/s.txt')).toBe('OUTSIDE_READ_ROOTS');
    expect(await code('/etc/passwd')).toBe('OUTSIDE_READ_ROOTS');
    expect(await code('proc')).toBe('OUTSIDE_READ_ROOTS');
    expect(await code('~/.bashrc')).toBe('OUTSIDE_READ_ROOTS');
    expect(await code('a.txt/x')).toBe('NOT_DIRECTORY');
    expect(await code('a.txt\0')).toBe('INVALID_ARGS');
    expect(await code('x'.repeat(300))).toBe('INVALID_ARGS');
    expect(await code('loop')).toBe('READ_ERROR');
    expect(await code('to-a')).toBe('ok');
    expect(await code('@a.txt')).toBe('ok');
    const said = await ground.say('read', { path: 'out/s.txt' });
    expect(said).not.toContain('secret');
    expect(said).not.toContain(ground.outside);
  });

  it('reads a few lines of a one-gigabyte file without loading it into memory', async () => {
    start();
    const path = join(ground.folder, 'huge.log');
    const descriptor = openSync(path, 'w');
    writeSync(descriptor, `${numbered(1, 200_000)}\n`);
    ftruncateSync(descriptor, 1_000_000_000);
    writeSync(descriptor, '\nthe end\n', 1_000_000_000 - 9);
    closeSync(descriptor);
    const before = process.memoryUsage().rss;
    const said = await ground.say('read', { path: 'huge.log', offset: 150_000, limit: 2 });
    expect(said).toBe(
      '150000→line 150000\n150001→line 150001\n[lines 150000-150001; to continue, call read with offset=150002]',
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(64_000_000);
  });

  it('limits a single line without an end', async () => {
    start();
    writeFileSync(join(ground.folder, 'line.txt'), 'ä'.repeat(8_000_000));
    const said = await ground.say('read', { path: 'line.txt' });
    expect(said.length).toBeLessThan(2_100);
    expect(said.startsWith(`1→${'ä'.repeat(2_000)}…`)).toBe(true);
  });

  it('numbers the lines of large and small files in the same way for all line endings', async () => {
    const lines = Array.from(
      { length: 120_000 },
      (_, index) => `${index + 1} ${'x'.repeat(100)}${index % 3 === 0 ? '\r' : ''}`,
    );
    start({ files: { 'large.txt': `\uFEFF${lines.join('\n')}` } });
    const said = await ground.say('read', { path: 'large.txt', offset: 99_998, limit: 3 });
    expect(said.split('\n').slice(0, 3)).toEqual(
      [99_998, 99_999, 100_000].map((line) => `${line}→${line} ${'x'.repeat(100)}`),
    );
    expect((await ground.say('read', { path: 'large.txt', limit: 1 })).startsWith('1→1 x')).toBe(true);
    expect(await ground.say('read', { path: 'large.txt', offset: -1 })).toContain('120000→120000 x');
  });

  it('reads up to a given line and rejects a range that ends before it begins', async () => {
    start({ files: { 'a.txt': 'a\nb\nc\nd\n' } });
    expect(await ground.say('read', { path: 'a.txt', offset: 2, end_line: 3 })).toContain('2→b\n3→c\n[lines 2-3 of 4');
    expect(await ground.say('read', { path: 'a.txt', startLine: 0, endLine: 1 })).toContain('1→a\n[');
    expect(await ground.say('read', { path: 'a.txt', offset: 2, limit: 1, end_line: 4 })).toContain('2→b\n[');
    for (const args of [
      { offset: 3, end_line: 2 },
      { offset: -2, end_line: 4 },
    ])
      expect(await ground.call('read', { path: 'a.txt', ...args })).toMatchObject({
        error: { code: 'INVALID_ARGS', issues: [{ path: '$.end_line' }] },
      });
  });

  it.each([
    ['// Code generated by protoc-gen-go. DO NOT EDIT.\npackage a\n', true],
    ['/**\n * @generated SignedSource<<x>>\n */\n', true],
    ['# This file is automatically generated by the build.\n# It is made of schema.sql:\n# do not modify it.\n', true],
    ['<!-- DO NOT EDIT: generated from docs/ -->\n', true],
    ['// Names are generated below.\nexport const a = 1;\n', false],
    ['// Do not edit lightly.\nexport const a = 1;\n', false],
    ['const mark = "a@generated-by";\n', false],
    [`${'x\n'.repeat(2_000)}// Code generated. DO NOT EDIT.\n`, false],
  ])('checks whether the first lines mark a generated file: %j', async (text, isReported) => {
    start({ files: { 'a.txt': text } });
    expect((await ground.say('read', { path: 'a.txt', limit: 1 })).includes('a program generated this file')).toBe(
      isReported,
    );
  });
});
