import { chmodSync, linkSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, createGround, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';

let ground: Ground;
const start = (options: GroundOptions = {}): Ground => (ground = createGround(options));
afterEach(() => ground.remove());

describe('edit', () => {
  it('replaces one text and reports the change for models, users and programs', async () => {
    start({ files: { 'src/a.ts': 'one\ntwo\nthree\nfour\n' } });
    await ground.call('read', { path: 'src/a.ts' });
    const result = await ground.call('edit', { path: 'src/a.ts', old_text: 'two\nthree', new_text: 'two\n3\n3.5' });
    expect(ground.text('src/a.ts')).toBe('one\ntwo\n3\n3.5\nfour\n');
    expect(result).toMatchObject({
      ok: true,
      summary: 'Modified: src/a.ts (+2 -1)',
      diff: { path: 'src/a.ts', existedBefore: true, additions: 2, deletions: 1 },
      effects: [{ kind: 'file', op: 'modify', path: join(ground.folder, 'src/a.ts'), bytesAfter: 19 }],
    });
    expect(result.content[0]).toMatchObject({
      text: expect.stringContaining('Modified src/a.ts (+2 -1), first change at line 3'),
    });
  });

  it('accepts the argument names of other tools', async () => {
    start({ files: { 'a.txt': 'one two' } });
    for (const [old, next, path] of [
      ['old_string', 'new_string', 'file_path'],
      ['oldText', 'newText', 'filePath'],
      ['old_str', 'new_str', 'filename'],
      ['search', 'replace', 'file'],
    ] as const) {
      ground.put('a.txt', 'one two');
      const fresh = createGround({ files: { 'a.txt': 'one two' } });
      expect(codeOf(await fresh.call('edit', { [path]: 'a.txt', [old]: 'one', [next]: '1' }))).toBe('ok');
      expect(fresh.text('a.txt')).toBe('1 two');
      fresh.remove();
    }
  });

  it.each([
    ['CRLF', 'one\r\ntwo\r\nthree\r\n', 'two\nthree', 'two\nnew\nthree', 'one\r\ntwo\r\nnew\r\nthree\r\n'],
    ['CR alone', 'one\rtwo\rthree\r', 'two\nthree', 'two\nnew\nthree', 'one\rtwo\rnew\rthree\r'],
    ['mixed endings, each line its own', 'a\r\nb\nc\r\nd\n', 'a\nb\nc\nd', 'a\nb\nX\nd', 'a\r\nb\nX\r\nd\n'],
    ['no final newline', 'one\ntwo', 'two', 'two\nthree', 'one\ntwo\nthree'],
    ['a byte order mark', '\uFEFFone\ntwo\n', 'one', '1', '\uFEFF1\ntwo\n'],
    ['dollar signs in the new text', 'price\n', 'price', '$& $1 $$ $`', '$& $1 $$ $`\n'],
    ['astral characters and combining marks', 'a 😀 e\u0301 b\n', '😀', '🎉', 'a 🎉 e\u0301 b\n'],
    ['deletion', 'one\ntwo\nthree\n', 'two\n', '', 'one\nthree\n'],
    ['a line split in CRLF text', 'one two\r\nthree\r\n', 'one two', 'one\ntwo', 'one\r\ntwo\r\nthree\r\n'],
  ])('keeps unchanged text as it is: %s', async (_, before, oldText, newText, after) => {
    start({ files: { 'a.txt': before } });
    expect(codeOf(await ground.call('edit', { path: 'a.txt', old_text: oldText, new_text: newText }))).toBe('ok');
    expect(ground.text('a.txt')).toBe(after);
  });

  it('keeps the encoding of UTF-16 and Windows-1252 files byte for byte', async () => {
    const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('eins\r\nzwei ä\r\n', 'utf16le')]);
    const latin = Buffer.from('caf\xe9\nna\xefve\n', 'latin1');
    start({ files: { 'wide.txt': utf16, 'latin.txt': latin } });
    await ground.call('edit', { path: 'wide.txt', old_text: 'zwei ä', new_text: 'drei ö' });
    expect(ground.bytes('wide.txt')).toEqual(
      Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('eins\r\ndrei ö\r\n', 'utf16le')]),
    );
    await ground.call('edit', { path: 'latin.txt', old_text: 'café', new_text: 'thé' });
    expect(ground.bytes('latin.txt')).toEqual(Buffer.from('th\xe9\nna\xefve\n', 'latin1'));
    const refused = await ground.call('edit', { path: 'latin.txt', old_text: 'thé', new_text: '茶' });
    expect(codeOf(refused)).toBe('INVALID_ARGS');
    expect(ground.bytes('latin.txt')).toEqual(Buffer.from('th\xe9\nna\xefve\n', 'latin1'));
  });

  it('keeps the permission bits', async () => {
    start({ files: { 'run.sh': 'echo one\n' } });
    chmodSync(join(ground.folder, 'run.sh'), 0o755);
    await ground.call('edit', { path: 'run.sh', old_text: 'one', new_text: 'two' });
    expect(statSync(join(ground.folder, 'run.sh')).mode & 0o777).toBe(0o755);
  });

  it('rejects a text that occurs more than once, including overlaps, and names the lines', async () => {
    start({ files: { 'a.txt': 'x\ndup\ny\ndup\n', 'b.txt': 'aaa' } });
    const result = await ground.call('edit', { path: 'a.txt', old_text: 'dup', new_text: 'one' });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'TEXT_MULTIPLE_MATCHES', fault: 'model', details: { matches: 2, lines: [2, 4] } },
    });
    expect(codeOf(await ground.call('edit', { path: 'b.txt', old_text: 'aa', new_text: 'b' }))).toBe(
      'TEXT_MULTIPLE_MATCHES',
    );
    expect(ground.text('a.txt')).toBe('x\ndup\ny\ndup\n');
  });

  it('replaces every occurrence on request without skipping one or removing a newline', async () => {
    start({ files: { 'a.txt': 'dup\r\ndup\r\n\r\ndup' } });
    const result = await ground.call('edit', { path: 'a.txt', old_text: 'dup', new_text: 'ok', replace_all: true });
    expect(result).toMatchObject({ ok: true, metadata: { replacements: 3 } });
    expect(ground.text('a.txt')).toBe('ok\r\nok\r\n\r\nok');
  });

  it('rejects an empty old text, also with replace_all, and explains how to insert', async () => {
    start({ files: { 'a.txt': 'abc' } });
    for (const replaceAll of [false, true]) {
      const result = await ground.call('edit', { path: 'a.txt', old_text: '', new_text: 'x', replace_all: replaceAll });
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'INVALID_ARGS', hint: expect.stringContaining('To insert') },
      });
    }
    expect(ground.text('a.txt')).toBe('abc');
  });

  it('rejects an edit that changes nothing', async () => {
    start({ files: { 'a.txt': 'abc' } });
    expect(codeOf(await ground.call('edit', { path: 'a.txt', old_text: 'b', new_text: 'b' }))).toBe('NO_CHANGE');
  });

  it('shows the closest match as a diff if the text is missing', async () => {
    const lines = Array.from({ length: 50 }, (_, index) => `const value${index} = compute(${index});`);
    start({ files: { 'a.ts': lines.join('\n') } });
    await ground.call('read', { path: 'a.ts' });
    const said = await ground.say('edit', {
      path: 'a.ts',
      old_text: `${lines[20]}\nconst value21 = compute(99);\n${lines[22]}`,
      new_text: 'x',
    });
    expect(said).toContain('TEXT_NOT_FOUND');
    expect(said).toContain('lines 21-23 (2 of 3 lines alike');
    expect(said).toContain(
      [
        '--- old_text',
        '+++ a.ts',
        '@@ -1,3 +21,3 @@',
        ' const value20 = compute(20);',
        '-const value21 = compute(99);',
        '+const value21 = compute(21);',
        ' const value22 = compute(22);',
      ].join('\n'),
    );
    expect(ground.text('a.ts')).toBe(lines.join('\n'));
  });

  it('shows lines that the model omitted or invented and ignores whitespace differences', async () => {
    start({ files: { 'a.ts': 'function one() {\n  first();\n  second();\n  third();\n}\n' } });
    await ground.call('read', { path: 'a.ts' });
    const said = await ground.say('edit', {
      path: 'a.ts',
      old_text: 'function one() {\n    first();\n    invented();\n    third();\n}',
      new_text: 'x',
    });
    expect(said).toContain(
      [
        '@@ -1,5 +1,5 @@',
        ' function one() {',
        '   first();',
        '-    invented();',
        '+  second();',
        '   third();',
        ' }',
      ].join('\n'),
    );
    const cut = await ground.say('edit', {
      path: 'a.ts',
      old_text: 'function one() {\nthird();\nmore();',
      new_text: 'x',
    });
    expect(cut).toContain(
      ['@@ -1,3 +1,5 @@', ' function one() {', '+  first();', '+  second();', '   third();', '-more();', '+}'].join(
        '\n',
      ),
    );
  });

  it('rejects elided new text unless the file contains that line', async () => {
    start({ files: { 'a.ts': 'one();\n// ... rest of the code\n' } });
    const edit = { path: 'a.ts', old_text: 'one();', new_text: 'two();\n// ... existing code unchanged' };
    expect(await ground.say('edit', edit)).toContain('new_text omits text');
    expect(ground.text('a.ts')).toBe('one();\n// ... rest of the code\n');
    const kept = {
      path: 'a.ts',
      old_text: 'one();\n// ... rest of the code',
      new_text: 'two();\n// ... rest of the code',
    };
    expect(codeOf(await ground.call('edit', kept))).toBe('ok');
  });

  it('reports missing arguments before it asks for permission', async () => {
    start({ files: { 'a.txt': 'abc' } });
    for (const [args, named] of [
      [{ old_text: 'a' }, '$.new_text'],
      [{ new_text: 'a' }, '$.old_text'],
      [{ end_anchor: '1:abc', new_text: 'a' }, '$.start_anchor'],
      [{ start_anchor: '1:abc', old_text: 'a', new_text: 'a' }, '$.old_text'],
      [{ start_anchor: '1:abc' }, '$.new_text'],
      [{ start_anchor: '1:abc', mode: 'delete', new_text: 'x' }, '$.new_text'],
    ] as const) {
      const result = await ground.call('edit', { path: 'a.txt', ...args });
      expect(result).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS', issues: [{ path: named }] } });
    }
    expect(ground.text('a.txt')).toBe('abc');
  });

  it('rejects an approximate match in an unread file but accepts an exact one', async () => {
    start({ files: { 'a.txt': '  indented line here\n' } });
    expect(
      codeOf(await ground.call('edit', { path: 'a.txt', old_text: 'indented line here   \n', new_text: 'x\n' })),
    ).toBe('NOT_READ');
    expect(codeOf(await ground.call('edit', { path: 'a.txt', old_text: 'no such thing', new_text: 'x' }))).toBe(
      'NOT_READ',
    );
    expect(
      codeOf(await ground.call('edit', { path: 'a.txt', old_text: 'indented line', new_text: 'other line' })),
    ).toBe('ok');
  });

  it('rejects a file that changed since it was read and shows the change', async () => {
    start({ files: { 'a.txt': 'one\ntwo\n' } });
    await ground.call('read', { path: 'a.txt' });
    ground.put('a.txt', 'one\nTWO\n');
    const result = await ground.call('edit', { path: 'a.txt', old_text: 'one', new_text: '1' });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'CHANGED_ON_DISK', message: expect.stringContaining('-two\n+TWO') },
    });
    expect(ground.text('a.txt')).toBe('one\nTWO\n');
    await ground.call('read', { path: 'a.txt' });
    expect(codeOf(await ground.call('edit', { path: 'a.txt', old_text: 'one', new_text: '1' }))).toBe('ok');
  });

  it('tracks read files separately for each session', async () => {
    start({ files: { 'a.txt': 'one  \n' } });
    await ground.call('read', { path: 'a.txt' }, { sessionId: 'first' });
    const edit = { path: 'a.txt', old_text: 'one\n', new_text: '1\n' };
    expect(codeOf(await ground.call('edit', edit, { sessionId: 'second' }))).toBe('NOT_READ');
    expect(codeOf(await ground.call('edit', edit, { sessionId: 'first' }))).toBe('ok');
  });

  it('allows repeated edits without reading again', async () => {
    start({ files: { 'a.txt': 'one\n' } });
    await ground.call('read', { path: 'a.txt' });
    await ground.call('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' });
    expect(codeOf(await ground.call('edit', { path: 'a.txt', old_text: 'two', new_text: 'three' }))).toBe('ok');
  });

  it('loses none of fifty concurrent edits', async () => {
    start({ files: { 'a.txt': Array.from({ length: 50 }, (_, index) => `<${index}>\n`).join('') } });
    const edits = Array.from({ length: 50 }, (_, index) =>
      ground.call('edit', { path: 'a.txt', old_text: `<${index}>`, new_text: `[${index}]` }),
    );
    expect((await Promise.all(edits)).map(codeOf)).toEqual(Array.from({ length: 50 }, () => 'ok'));
    expect(ground.text('a.txt')).toBe(Array.from({ length: 50 }, (_, index) => `[${index}]\n`).join(''));
    expect(readdirSync(ground.folder)).toEqual(['a.txt']);
  });

  it('changes nothing outside the roots, through links or in binary files', async () => {
    start({
      files: { 'bytes.bin': new Uint8Array([1, 0, 2, 97]), 'real.txt': 'abc' },
      links: { 'out.txt': '../outside/secret.txt', dir: '../outside', 'in.txt': 'real.txt' },
    });
    writeFileSync(join(ground.outside, 'secret.txt'), 'abc');
    linkSync(join(ground.outside, 'secret.txt'), join(ground.folder, 'hard.txt'));
    const edit = async (path: string): Promise<string> =>
      codeOf(await ground.call('edit', { path, old_text: 'a', new_text: 'b' }));
    expect(await edit('out.txt')).toBe('OUTSIDE_WRITE_ROOTS');
    expect(await edit('dir/secret.txt')).toBe('OUTSIDE_WRITE_ROOTS');
    expect(await edit('../outside/secret.txt')).toBe('OUTSIDE_WRITE_ROOTS');
    expect(await edit('hard.txt')).toBe('WRITE_ERROR');
    expect(await edit('in.txt')).toBe('WRITE_ERROR');
    expect(await edit('bytes.bin')).toBe('BINARY_FILE');
    expect(await edit('.')).toBe('IS_DIRECTORY');
    expect(await edit('real.tx')).toBe('NOT_FOUND');
    expect(await edit('real.txt/')).toBe('NOT_DIRECTORY');
    expect(ground.text('../outside/secret.txt')).toBe('abc');
    expect(ground.text('real.txt')).toBe('abc');
  });

  it('suggests a file with a similar name', async () => {
    start({ files: { 'src/component.ts': 'x' } });
    expect(await ground.say('edit', { path: 'src/componant.ts', old_text: 'x', new_text: 'y' })).toContain(
      'Did you mean src/component.ts?',
    );
  });
});
