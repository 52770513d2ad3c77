import { chmodSync, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { compileProtection } from '@haft/sandbox';
import { codeOf, createGround, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';

let ground: Ground;
const start = (options: GroundOptions = {}): Ground => (ground = createGround(options));
afterEach(() => ground.remove());

describe('write and protected files', () => {
  it('rejects protected files even if every call is allowed and the file does not exist yet', async () => {
    start({ files: { '.git/config': 'kept\n' } });
    for (const path of ['.git/hooks/pre-commit', '.git/config', '.vscode/tasks.json', '.env', '.mcp.json']) {
      await ground.call('read', { path });
      expect(await ground.call('write', { path, content: 'x' })).toMatchObject({
        ok: false,
        error: { code: 'PERMISSION_DENIED', fault: 'policy', retryable: false },
      });
    }
    await ground.call('read', { path: '.git/config' });
    const edited = await ground.call('edit', { path: '.git/config', old_string: 'kept', new_string: 'x' });
    expect(codeOf(edited)).toBe('PERMISSION_DENIED');
    expect(ground.text('.git/config')).toBe('kept\n');
  });

  it('writes protected files if the program turns the protection off', async () => {
    start({ builtins: { protection: 'off' } });
    expect(codeOf(await ground.call('write', { path: '.vscode/tasks.json', content: '{}' }))).toBe('ok');
    start({ builtins: { protection: compileProtection(['**/*.lock']) } });
    expect(codeOf(await ground.call('write', { path: '.env', content: 'x' }))).toBe('ok');
    expect(codeOf(await ground.call('write', { path: 'a.lock', content: 'x' }))).toBe('PERMISSION_DENIED');
    expect(() => createGround({ builtins: { protection: 'none' as never } })).toThrow(/protection/);
  });
});

describe('write', () => {
  it('creates a new file with its parent directories and reports it', async () => {
    start();
    const result = await ground.call('write', { path: 'src/deep/a.ts', content: 'one\ntwo\n' });
    expect(ground.text('src/deep/a.ts')).toBe('one\ntwo\n');
    expect(result).toMatchObject({
      ok: true,
      content: [{ text: 'Created src/deep/a.ts: 2 lines, 8 bytes.' }],
      summary: 'Created: src/deep/a.ts (+2)',
      diff: { existedBefore: false, additions: 2, deletions: 0 },
      effects: [{ op: 'create', bytesAfter: 8 }],
    });
  });

  it('overwrites a file only after it was read', async () => {
    start({ files: { 'a.txt': 'old\n' } });
    const unseen = await ground.call('write', { path: 'a.txt', content: 'new\n' });
    expect(unseen).toMatchObject({
      ok: false,
      error: { code: 'NOT_READ', hint: expect.stringContaining('Call read with path "a.txt" first') },
    });
    expect(ground.text('a.txt')).toBe('old\n');
    await ground.call('read', { path: 'a.txt' });
    const seen = await ground.call('write', { path: 'a.txt', content: 'new\n' });
    expect(seen).toMatchObject({ ok: true, summary: 'Modified: a.txt (+1 -1)' });
    expect(codeOf(await ground.call('write', { path: 'a.txt', content: 'newer\n' }))).toBe('ok');
  });

  it('rejects overwriting a file that changed since it was read and shows the change', async () => {
    start({ files: { 'a.txt': 'one\n' } });
    await ground.call('read', { path: 'a.txt' });
    ground.put('a.txt', 'two\n');
    const result = await ground.call('write', { path: 'a.txt', content: 'three\n' });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'CHANGED_ON_DISK', message: expect.stringContaining('-one\n+two') },
    });
    expect(ground.text('a.txt')).toBe('two\n');
  });

  it('writes nothing if the file already has this content', async () => {
    start({ files: { 'a.txt': 'same\r\n' } });
    const before = statSync(join(ground.folder, 'a.txt')).mtimeMs;
    expect(await ground.call('write', { path: 'a.txt', content: 'same\n' })).toMatchObject({
      ok: true,
      effects: [],
      summary: 'Unchanged: a.txt',
    });
    expect(statSync(join(ground.folder, 'a.txt')).mtimeMs).toBe(before);
  });

  it('keeps the line endings, byte order mark, encoding and mode of the replaced file', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('a\r\n', 'utf16le')]);
    start({ files: { 'crlf.txt': '\uFEFFa\r\nb\r\n', 'wide.txt': utf16, 'own.txt': 'a\n' } });
    chmodSync(join(ground.folder, 'crlf.txt'), 0o640);
    for (const path of ['crlf.txt', 'wide.txt', 'own.txt']) await ground.call('read', { path });
    await ground.call('write', { path: 'crlf.txt', content: 'x\ny\nz\n' });
    await ground.call('write', { path: 'wide.txt', content: 'ö\n' });
    await ground.call('write', { path: 'own.txt', content: 'a\r\nb\r\n' });
    expect(ground.text('crlf.txt')).toBe('\uFEFFx\r\ny\r\nz\r\n');
    expect(statSync(join(ground.folder, 'crlf.txt')).mode & 0o777).toBe(0o640);
    expect(ground.bytes('wide.txt')).toEqual(
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('ö\r\n', 'utf16le')]),
    );
    expect(ground.text('own.txt')).toBe('a\r\nb\r\n');
  });

  it('rejects elided content unless the file contains that line', async () => {
    start({ files: { 'a.js': 'a\n// ... rest of the code ...\n' } });
    for (const line of [
      '// ... existing code ...',
      '# ... rest of file unchanged',
      '  // rest of the function here',
      '<!-- … remaining content -->',
      '/* ... other methods ... */',
    ]) {
      expect(codeOf(await ground.call('write', { path: 'new.js', content: `a\n${line}\nb\n` }))).toBe('INVALID_ARGS');
    }
    for (const line of [
      'const [first, ...rest] = list;',
      'f(...existing)',
      '// the rest of the world',
      '...previous, more',
      '# See other files',
    ]) {
      const code = codeOf(await ground.call('write', { path: `fine${line.length}.js`, content: `${line}\n` }));
      expect([line, code]).toEqual([line, line.startsWith('...previous') ? 'INVALID_ARGS' : 'ok']);
    }
    await ground.call('read', { path: 'a.js' });
    expect(codeOf(await ground.call('write', { path: 'a.js', content: 'b\n// ... rest of the code ...\n' }))).toBe(
      'ok',
    );
  });

  it('writes only inside the roots and creates nothing outside them', async () => {
    start({
      files: { 'real.txt': 'x' },
      links: { dir: '../outside', dangling: '../outside/new.txt', inner: 'real.txt' },
    });
    const code = async (path: string): Promise<string> => codeOf(await ground.call('write', { path, content: 'x' }));
    expect(await code('dir/new.txt')).toBe('OUTSIDE_WRITE_ROOTS');
    expect(await code('dir/deep/er/new.txt')).toBe('OUTSIDE_WRITE_ROOTS');
    expect(await code('dangling')).toBe('OUTSIDE_WRITE_ROOTS');
    expect(await code('../outside/new.txt')).toBe('OUTSIDE_WRITE_ROOTS');
    expect(await code('../inside-evil/x')).toBe('OUTSIDE_WRITE_ROOTS');
    expect(await code('.')).toBe('IS_DIRECTORY');
    expect(await code('new.txt/')).toBe('IS_DIRECTORY');
    expect(await code('real.txt/x')).toBe('NOT_DIRECTORY');
    expect(existsSync(join(ground.outside, 'new.txt'))).toBe(false);
    expect(existsSync(join(ground.outside, 'deep'))).toBe(false);
    expect(await code('..foo')).toBe('ok');
  });

  it('rejects half of a surrogate pair instead of writing a question mark', async () => {
    start();
    expect(codeOf(await ground.call('write', { path: 'a.txt', content: 'x\uD83D' }))).toBe('INVALID_ARGS');
    expect(ground.has('a.txt')).toBe(false);
  });

  it('keeps one complete content if twenty writes race and reports the conflict to the others', async () => {
    start({ files: { 'a.txt': 'start' } });
    await ground.call('read', { path: 'a.txt' });
    const contents = Array.from({ length: 20 }, (_, index) => String(index).repeat(50_000));
    const results = await Promise.all(contents.map((content) => ground.call('write', { path: 'a.txt', content })));
    expect(results.every((result) => result.ok)).toBe(true);
    expect(ground.text('a.txt')).toBe(contents.at(-1));
  });
});
