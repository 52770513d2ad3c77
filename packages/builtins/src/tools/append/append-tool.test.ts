import { chmodSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, createGround, type Ground } from '../../fixtures/create-ground.ts';

let ground: Ground;
const start = (files: Readonly<Record<string, string | Uint8Array>> = {}): Ground => (ground = createGround({ files }));
afterEach(() => ground.remove());
const append = (path: string, content: string): ReturnType<Ground['call']> => ground.call('append', { path, content });

describe('append', () => {
  it('appends to an unread file and reports the change', async () => {
    start({ 'log.txt': 'one\n' });
    expect(await append('log.txt', 'two\nthree\n')).toMatchObject({
      ok: true,
      summary: 'Modified: log.txt (+2 -0)',
      effects: [{ kind: 'file', op: 'append', bytesAfter: 14 }],
    });
    expect(ground.text('log.txt')).toBe('one\ntwo\nthree\n');
  });

  it('creates a missing file and its parent directories', async () => {
    start();
    expect(await append('deep/log.txt', 'one\n')).toMatchObject({ ok: true, effects: [{ op: 'create' }] });
    expect(ground.text('deep/log.txt')).toBe('one\n');
  });

  it.each([
    ['starts a line of its own', 'one', 'two', 'one\ntwo'],
    ['does so with the line ending of the file', 'a\r\nb', 'c\n', 'a\r\nb\r\nc\r\n'],
    ['follows CRLF', 'a\r\n', 'b\nc\n', 'a\r\nb\r\nc\r\n'],
    ['keeps endings that are spelled out', 'a\n', 'b\r\n', 'a\nb\r\n'],
    ['keeps a byte order mark', '\uFEFFa\n', 'b\n', '\uFEFFa\nb\n'],
    ['fills an empty file', '', 'x', 'x'],
  ])('%s', async (_, before, content, after) => {
    start({ 'a.txt': before });
    expect(codeOf(await append('a.txt', content))).toBe('ok');
    expect(ground.text('a.txt')).toBe(after);
  });

  it('does not mark an unread file as read or a changed file as current', async () => {
    start({ 'a.txt': 'one \n', 'b.txt': 'one\n' });
    await append('a.txt', 'two\n');
    expect(codeOf(await ground.call('edit', { path: 'a.txt', old_text: 'one\ntwo', new_text: 'x' }))).toBe('NOT_READ');
    await ground.call('read', { path: 'b.txt' });
    ground.put('b.txt', 'ONE\n');
    expect(codeOf(await append('b.txt', 'two\n'))).toBe('ok');
    expect(codeOf(await ground.call('edit', { path: 'b.txt', old_text: 'two', new_text: 'x' }))).toBe(
      'CHANGED_ON_DISK',
    );
  });

  it('allows a following edit if the file had been read', async () => {
    start({ 'a.txt': 'one\n' });
    await ground.call('read', { path: 'a.txt' });
    await append('a.txt', 'two  \n');
    expect(codeOf(await ground.call('edit', { path: 'a.txt', old_text: 'two\n', new_text: '2\n' }))).toBe('ok');
  });

  it('rejects empty text, elided text, binary files, unencodable characters and paths outside the roots', async () => {
    start({ 'a.txt': 'x\n', 'bytes.bin': new Uint8Array([0, 1, 2]), 'latin.txt': Buffer.from('caf\xe9\n', 'latin1') });
    expect(codeOf(await append('a.txt', ''))).toBe('NO_CHANGE');
    expect(codeOf(await append('a.txt', '// ... rest of the file'))).toBe('INVALID_ARGS');
    expect(codeOf(await append('bytes.bin', 'x'))).toBe('BINARY_FILE');
    expect(codeOf(await append('latin.txt', '茶'))).toBe('INVALID_ARGS');
    expect(codeOf(await append('../outside/a', 'x'))).toBe('OUTSIDE_WRITE_ROOTS');
    expect(codeOf(await append('.git/hooks/pre-commit', 'x'))).toBe('PERMISSION_DENIED');
    expect(codeOf(await append('.', 'x'))).toBe('IS_DIRECTORY');
    expect(ground.text('a.txt')).toBe('x\n');
  });

  it('keeps the permission bits and loses no concurrent appends', async () => {
    start({ 'a.sh': '' });
    chmodSync(join(ground.folder, 'a.sh'), 0o755);
    await Promise.all(Array.from({ length: 20 }, (_, index) => append('a.sh', `${index}\n`)));
    expect(statSync(join(ground.folder, 'a.sh')).mode & 0o777).toBe(0o755);
    expect(ground.text('a.sh')).toBe(Array.from({ length: 20 }, (_, index) => `${index}\n`).join(''));
  });
});
