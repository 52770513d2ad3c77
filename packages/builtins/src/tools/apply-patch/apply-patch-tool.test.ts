import { chmodSync, linkSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, createDispatcher, createWorkspace, type PermissionEngine } from '@haft/core';
import { computeFileDiff } from '@haft/sandbox';
import { afterEach, describe, expect, it } from 'vitest';
import { createBuiltins } from '../../create/create-builtins.ts';
import { codeOf, createGround, createRandom, type Ground, type GroundOptions } from '../../fixtures/create-ground.ts';

let ground: Ground;
const start = (files: Readonly<Record<string, string | Uint8Array>>, more: Omit<GroundOptions, 'files'> = {}): Ground =>
  (ground = createGround({ files, ...more }));
afterEach(() => ground.remove());

const apply = (...lines: readonly string[]): ReturnType<Ground['call']> =>
  ground.call('apply_patch', { patch: lines.join('\n') });
const envelope = (...lines: readonly string[]): ReturnType<Ground['call']> =>
  apply('*** Begin Patch', ...lines, '*** End Patch');

describe('apply_patch', () => {
  it('changes, adds, deletes and moves files in one call', async () => {
    start({ 'src/a.ts': 'one\ntwo\nthree\n', 'old.txt': 'bye\n', 'src/from.ts': 'x\ny\n' });
    await ground.call('read', { path: 'old.txt' });
    const result = await envelope(
      '*** Update File: src/a.ts',
      '@@',
      ' one',
      '-two',
      '+2',
      ' three',
      '*** Add File: deep/new.txt',
      '+hello',
      '+',
      '+world',
      '*** Delete File: old.txt',
      '*** Update File: src/from.ts',
      '*** Move to: lib/to.ts',
      '@@',
      ' x',
      '-y',
      '+z',
    );
    expect(result).toMatchObject({
      ok: true,
      summary: 'Changed: 4 files (+5 -3)',
      metadata: { files: 4 },
      effects: [
        { op: 'modify', path: join(ground.folder, 'src/a.ts') },
        { op: 'create', path: join(ground.folder, 'deep/new.txt'), bytesAfter: 13 },
        { op: 'delete', path: join(ground.folder, 'old.txt') },
        { op: 'rename', from: join(ground.folder, 'src/from.ts'), path: join(ground.folder, 'lib/to.ts') },
      ],
    });
    expect(result.content).toEqual([
      {
        type: 'text',
        text: [
          'Changed 4 files:',
          'Modified src/a.ts (+1 -1), first change at line 2; it now has 3 lines, 12 bytes',
          'Created deep/new.txt: 3 lines, 13 bytes',
          'Deleted old.txt (1 line)',
          'Moved src/from.ts to lib/to.ts (+1 -1); it has 2 lines, 4 bytes',
        ].join('\n'),
      },
    ]);
    expect(result.diff!.patch).toContain('--- a/old.txt\n+++ /dev/null\n');
    expect(ground.text('src/a.ts')).toBe('one\n2\nthree\n');
    expect(ground.text('deep/new.txt')).toBe('hello\n\nworld\n');
    expect([ground.has('old.txt'), ground.has('src/from.ts')]).toEqual([false, false]);
    expect(ground.text('lib/to.ts')).toBe('x\nz\n');
    expect(readdirSync(ground.folder).toSorted()).toEqual(['deep', 'lib', 'src']);
  });

  it('accepts a unified diff with and without git path prefixes', async () => {
    const before = { 'a.txt': 'one\ntwo\nthree\n', 'b.txt': 'x\n', 'gone.txt': 'a\nb\n', 'name.txt': 'same\n' };
    start(before);
    const result = await apply(
      'diff --git a/a.txt b/a.txt',
      'index 1234567..89abcde 100644',
      '--- a/a.txt',
      '+++ b/a.txt',
      '@@ -1,3 +1,3 @@ heading',
      ' one',
      '-two',
      '+2',
      ' three',
      'diff --git a/gone.txt b/gone.txt',
      'deleted file mode 100644',
      '--- a/gone.txt',
      '+++ /dev/null',
      '@@ -1,2 +0,0 @@',
      '-a',
      '-b',
      'diff --git a/name.txt b/other/name.txt',
      'similarity index 100%',
      'rename from name.txt',
      'rename to other/name.txt',
      'diff --git a/new.txt b/new.txt',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/new.txt',
      '@@ -0,0 +1 @@',
      '+no newline',
      '\\ No newline at end of file',
      '--- b.txt\t2026-01-01 00:00:00',
      '+++ b.txt\t2026-01-02 00:00:00',
      '@@ -1 +1,2 @@',
      ' x',
      '+y',
      '',
    );
    expect(codeOf(result)).toBe('ok');
    expect(ground.text('a.txt')).toBe('one\n2\nthree\n');
    expect(ground.text('b.txt')).toBe('x\ny\n');
    expect(ground.text('new.txt')).toBe('no newline');
    expect(ground.text('other/name.txt')).toBe('same\n');
    expect([ground.has('gone.txt'), ground.has('name.txt')]).toEqual([false, false]);
  });

  it.each([
    ['a heredoc', ["apply_patch <<'EOF'"], ['EOF']],
    ['a code fence', ['```diff'], ['```']],
    ['a heredoc in a code fence', ['```sh', "apply_patch <<'EOF'"], ['EOF', '```']],
    ['blank lines', ['', ''], ['', '']],
  ])('removes %s around a patch', async (_, head, tail) => {
    start({ 'a.txt': 'one\n' });
    const body = ['*** Begin Patch', '*** Update File: a.txt', '@@', '-one', '+two', '*** End Patch'];
    expect(codeOf(await apply(...head, ...body, ...tail))).toBe('ok');
    expect(ground.text('a.txt')).toBe('two\n');
  });

  it.each([
    ['blanks around markers', 'one\ntwo\n', ['  *** Update File:   a.txt  ', '@@', ' one', '-two', '+2'], 'one\n2\n'],
    ['a path in quotes', 'one\n', ['*** Update File: "a.txt"', '@@', '-one', '+2'], '2\n'],
    ['no @@ before the first hunk', 'one\ntwo\n', ['*** Update File: a.txt', ' one', '-two', '+2'], 'one\n2\n'],
    ['ranges after @@', 'one\ntwo\n', ['*** Update File: a.txt', '@@ -9,2 +9,2 @@', ' one', '-two', '+2'], 'one\n2\n'],
    [
      'a blank line that lost its blank',
      'a\n\nb\n',
      ['*** Update File: a.txt', '@@', ' a', '', '-b', '+c'],
      'a\n\nc\n',
    ],
    ['a kept line that lost its blank', 'a\nb\n', ['*** Update File: a.txt', '@@', 'a', '-b', '+c'], 'a\nc\n'],
    [
      'trailing blanks in the file',
      'a  \nb\t\nc\n',
      ['*** Update File: a.txt', '@@', ' a', '-b', '+x', ' c'],
      'a  \nx\nc\n',
    ],
    [
      'another indentation',
      '    a\n    b\n',
      ['*** Update File: a.txt', '@@', ' a', '-b', '+x', '+  y'],
      '    a\n    x\n      y\n',
    ],
    [
      'typographic quotes',
      'say \u201Chi\u201D\nb\n',
      ['*** Update File: a.txt', '@@', ' say "hi"', '-b', '+c'],
      'say \u201Chi\u201D\nc\n',
    ],
    ['CRLF', 'a\r\nb\r\nc\r\n', ['*** Update File: a.txt', '@@', ' a', '-b', '+x', '+y', ' c'], 'a\r\nx\r\ny\r\nc\r\n'],
    ['mixed endings', 'a\r\nb\nc\r\n', ['*** Update File: a.txt', '@@', ' a', '-b', '+x', ' c'], 'a\r\nx\nc\r\n'],
    ['a byte order mark', '\uFEFFa\nb\n', ['*** Update File: a.txt', '@@', '-a', '+x'], '\uFEFFx\nb\n'],
    ['no final break', 'a\nb', ['*** Update File: a.txt', '@@', ' a', '-b', '+c', '+d'], 'a\nc\nd'],
    ['a last line without a break that goes', 'a\nb', ['*** Update File: a.txt', '@@', ' a', '-b'], 'a'],
    ['lines added at the end', 'a\n', ['*** Update File: a.txt', '@@', '+b', '*** End of File'], 'a\nb\n'],
    ['an empty file', '', ['*** Update File: a.txt', '@@', '+b'], 'b\n'],
    [
      'two sections about one file',
      'a\nb\n',
      ['*** Update File: a.txt', '@@', '-a', '+x', '*** Update File: ./a.txt', '@@', '-b', '+y'],
      'x\ny\n',
    ],
    [
      'hunks in another order than the file',
      'a\nb\nc\n',
      ['*** Update File: a.txt', '@@', '-c', '+z', '@@', '-a', '+x'],
      'x\nb\nz\n',
    ],
    [
      'a line that looks like a marker',
      'a\n*** End Patch\n',
      ['*** Update File: a.txt', '@@', '-a', '+x', ' *** End Patch'],
      'x\n*** End Patch\n',
    ],
  ])('tolerates %s', async (_, before, lines, after) => {
    start({ 'a.txt': before });
    await ground.call('read', { path: 'a.txt' });
    const result = await envelope(...lines);
    expect([codeOf(result), ground.text('a.txt')]).toEqual(['ok', after]);
  });

  it.each([
    [
      'the line it names',
      ['@@ def two():', '-  return 1', '+  return 2'],
      'def one():\n  return 1\ndef two():\n  return 2\n',
    ],
    [
      'lines it names, one inside the other',
      ['@@ class B', '@@ def f():', '-  x', '+  y'],
      'class A\ndef f():\n  x\nclass B\ndef f():\n  y\n',
    ],
    ['the end it names', ['@@', '-dup', '+last', '*** End of File'], 'dup\nother\nlast\n'],
    ['the hunk before it', ['@@', '-first', '+1', '@@', '-dup', '+2'], 'dup\n1\n2\n'],
  ])('distinguishes identical ranges by %s', async (_, lines, after) => {
    const before = after
      .replace('return 2', 'return 1')
      .replace('  y', '  x')
      .replace('last', 'dup')
      .replace('1\n2\n', 'first\ndup\n');
    start({ 'a.txt': before.includes('first') ? 'dup\nfirst\ndup\n' : before });
    expect(codeOf(await envelope('*** Update File: a.txt', ...lines))).toBe('ok');
    expect(ground.text('a.txt')).toBe(after);
  });

  it('distinguishes identical ranges by the line number of a unified diff if the number is correct', async () => {
    start({ 'a.txt': 'dup\nx\ndup\n' });
    const patch = (at: number): readonly string[] => [
      '--- a/a.txt',
      '+++ b/a.txt',
      `@@ -${at} +${at} @@`,
      '-dup',
      '+one',
    ];
    expect(codeOf(await apply(...patch(2)))).toBe('TEXT_MULTIPLE_MATCHES');
    expect(codeOf(await apply(...patch(3)))).toBe('ok');
    expect(ground.text('a.txt')).toBe('dup\nx\none\n');
  });

  it('never chooses among several matches', async () => {
    start({ 'a.txt': 'dup\nx\ndup\n' });
    expect(await envelope('*** Update File: a.txt', '@@', '-dup', '+one')).toMatchObject({
      error: {
        code: 'TEXT_MULTIPLE_MATCHES',
        details: { lines: [1, 3], hunk: 1 },
        hint: expect.stringContaining('@@ '),
      },
    });
    expect(ground.text('a.txt')).toBe('dup\nx\ndup\n');
  });

  it('shows the closest lines as a diff and changes no file if a hunk does not match', async () => {
    start({ 'a.txt': 'one\n', 'b.txt': 'first\nsecond\nthird\n' });
    for (const path of ['a.txt', 'b.txt']) await ground.call('read', { path });
    const patch = [
      '*** Update File: a.txt',
      '@@',
      '-one',
      '+1',
      '*** Update File: b.txt',
      '@@',
      ' first',
      '-2nd',
      '+x',
      ' third',
    ];
    const said = await ground.say('apply_patch', { patch: ['*** Begin Patch', ...patch, '*** End Patch'].join('\n') });
    expect(said).toContain(
      'Error TEXT_NOT_FOUND: hunk 1 of b.txt (line 7 of the patch) does not occur in b.txt; no file was changed',
    );
    expect(said).toContain(' first\n-2nd\n+second\n third');
    expect(ground.text('a.txt')).toBe('one\n');
  });

  it.each<readonly [string, readonly string[], string]>([
    ['an empty text', [''], 'INVALID_ARGS'],
    ['no file', ['*** Begin Patch', '*** End Patch'], 'INVALID_ARGS'],
    ['prose', ['change one to two please'], 'INVALID_ARGS'],
    ['a patch that was cut off', ['*** Begin Patch', '*** Update File: a.txt', '@@', '-one', '+two'], 'INVALID_ARGS'],
    [
      'something after its end',
      ['*** Begin Patch', '*** Update File: a.txt', '@@', '-one', '+two', '*** End Patch', 'more'],
      'INVALID_ARGS',
    ],
    ['an update without hunks', ['*** Begin Patch', '*** Update File: a.txt', '*** End Patch'], 'INVALID_ARGS'],
    [
      'a file without a path',
      ['*** Begin Patch', '*** Update File:', '@@', '-one', '+two', '*** End Patch'],
      'INVALID_ARGS',
    ],
    [
      'an added file whose lines lack their signs',
      ['*** Begin Patch', '*** Add File: b.txt', 'one', '*** End Patch'],
      'INVALID_ARGS',
    ],
    ['a deletion with lines', ['*** Begin Patch', '*** Delete File: a.txt', '-one', '*** End Patch'], 'INVALID_ARGS'],
    ['a hunk without a file', ['@@ -1 +1 @@', '-one', '+two'], 'INVALID_ARGS'],
    ['a binary patch', ['diff --git a/a.txt b/a.txt', 'GIT binary patch', 'literal 1'], 'INVALID_ARGS'],
    [
      'a link',
      ['diff --git a/l b/l', 'new file mode 120000', '--- /dev/null', '+++ b/l', '@@ -0,0 +1 @@', '+/etc/passwd'],
      'INVALID_ARGS',
    ],
    [
      'one file twice',
      ['*** Begin Patch', '*** Add File: b.txt', '+x', '*** Add File: ./b.txt', '+y', '*** End Patch'],
      'INVALID_ARGS',
    ],
    ['added lines with no place', ['--- a/a.txt', '+++ b/a.txt', '@@ -1,0 +2 @@', '+two'], 'INVALID_ARGS'],
    [
      'hunks that overlap',
      ['*** Begin Patch', '*** Update File: a.txt', '@@', '-one', '+1', '@@', '-one', '+2', '*** End Patch'],
      'INVALID_ARGS',
    ],
    [
      'left-out text',
      ['*** Begin Patch', '*** Update File: a.txt', '@@', '-one', '+// ... rest of the code', '*** End Patch'],
      'INVALID_ARGS',
    ],
    [
      'a new file with left-out text',
      ['*** Begin Patch', '*** Add File: b.txt', '+# ... existing code', '*** End Patch'],
      'INVALID_ARGS',
    ],
    ['nothing new', ['*** Begin Patch', '*** Update File: a.txt', '@@', '-one', '+one', '*** End Patch'], 'NO_CHANGE'],
    ['a file that exists', ['*** Begin Patch', '*** Add File: a.txt', '+x', '*** End Patch'], 'ALREADY_EXISTS'],
    [
      'a move onto a file',
      ['*** Begin Patch', '*** Update File: a.txt', '*** Move to: c.txt', '*** End Patch'],
      'ALREADY_EXISTS',
    ],
    [
      'a file that does not exist',
      ['*** Begin Patch', '*** Update File: gone.txt', '@@', '-one', '+two', '*** End Patch'],
      'NOT_FOUND',
    ],
    ['a folder', ['*** Begin Patch', '*** Delete File: d', '*** End Patch'], 'IS_DIRECTORY'],
    ['a deletion nobody has looked at', ['*** Begin Patch', '*** Delete File: a.txt', '*** End Patch'], 'NOT_READ'],
    ['a deletion of less than all', ['--- a/c.txt', '+++ /dev/null', '@@ -1 +0,0 @@', '-see'], 'TEXT_NOT_FOUND'],
    [
      'a guess about an unread file',
      ['*** Begin Patch', '*** Update File: a.txt', '@@', '-one   ', '+two', '*** End Patch'],
      'NOT_READ',
    ],
    ['bytes', ['*** Begin Patch', '*** Update File: bytes', '@@', '-one', '+two', '*** End Patch'], 'BINARY_FILE'],
    // Threat vector 34 and other hostile paths.
    [
      'a path that climbs out',
      [
        '*** Begin Patch',
        '*** Update File: a.txt',
        '@@',
        '-one',
        '+1',
        '*** Add File: ../outside/x',
        '+x',
        '*** End Patch',
      ],
      'OUTSIDE_WRITE_ROOTS',
    ],
    [
      'an absolute path',
      [
        '*** Begin Patch',
        '*** Update File: a.txt',
        '@@',
        '-one',
        '+1',
        '*** Add File: /tmp/haft-never',
        '+x',
        '*** End Patch',
      ],
      'OUTSIDE_WRITE_ROOTS',
    ],
    [
      'a climbing path of git',
      ['--- /dev/null', '+++ b/../../outside/x', '@@ -0,0 +1 @@', '+x'],
      'OUTSIDE_WRITE_ROOTS',
    ],
    ['a quoted one', ['--- /dev/null', '+++ "b/\\056\\056/outside/x"', '@@ -0,0 +1 @@', '+x'], 'OUTSIDE_WRITE_ROOTS'],
    [
      'a path through a link',
      ['*** Begin Patch', '*** Add File: away/x', '+x', '*** End Patch'],
      'OUTSIDE_WRITE_ROOTS',
    ],
    [
      'a move out',
      ['*** Begin Patch', '*** Update File: a.txt', '*** Move to: ../outside/a.txt', '*** End Patch'],
      'OUTSIDE_WRITE_ROOTS',
    ],
    [
      'a move through a link',
      ['*** Begin Patch', '*** Update File: a.txt', '*** Move to: away/a.txt', '*** End Patch'],
      'OUTSIDE_WRITE_ROOTS',
    ],
    [
      'a change through a link',
      ['*** Begin Patch', '*** Update File: link', '@@', '-one', '+1', '*** End Patch'],
      'WRITE_ERROR',
    ],
    [
      'a file of git',
      [
        '*** Begin Patch',
        '*** Update File: a.txt',
        '@@',
        '-one',
        '+1',
        '*** Add File: .git/hooks/pre-commit',
        '+x',
        '*** End Patch',
      ],
      'PERMISSION_DENIED',
    ],
    [
      'a move into git',
      ['*** Begin Patch', '*** Update File: a.txt', '*** Move to: .git/config', '*** End Patch'],
      'PERMISSION_DENIED',
    ],
    [
      'a file of several names',
      ['*** Begin Patch', '*** Update File: hard', '@@', '-one', '+1', '*** End Patch'],
      'WRITE_ERROR',
    ],
    ['a NUL in a path', ['*** Begin Patch', '*** Add File: a\0b', '+x', '*** End Patch'], 'INVALID_ARGS'],
  ])('rejects %s and changes nothing', async (_, lines, code) => {
    const files = { 'a.txt': 'one\n', 'c.txt': 'see\nmore\n', 'd/e.txt': 'x', bytes: new Uint8Array([0, 1, 2, 3]) };
    start(files, { links: { away: '../outside', link: 'a.txt' } });
    writeFileSync(join(ground.outside, 'kept'), 'one\n');
    linkSync(join(ground.outside, 'kept'), join(ground.folder, 'hard'));
    expect(codeOf(await apply(...lines))).toBe(code);
    expect(ground.text('a.txt')).toBe('one\n');
    expect(readdirSync(ground.folder).toSorted()).toEqual(['a.txt', 'away', 'bytes', 'c.txt', 'd', 'hard', 'link']);
    expect(readdirSync(ground.outside)).toEqual(['kept']);
    expect(ground.text('hard')).toBe('one\n');
  });

  it('does not delete or move a link instead of a file', async () => {
    start({ 'a.txt': 'one\n' }, { links: { link: 'a.txt' } });
    await ground.call('read', { path: 'link' });
    expect(codeOf(await envelope('*** Delete File: link'))).toBe('WRITE_ERROR');
    expect(codeOf(await envelope('*** Update File: link', '*** Move to: b.txt'))).toBe('WRITE_ERROR');
    expect(readdirSync(ground.folder)).toEqual(['a.txt', 'link']);
  });

  it('restores other files exactly, including their mode, if one file cannot be written', async () => {
    const latin = Buffer.from('caf\xe9\n', 'latin1');
    start({ 'a.sh': 'one\r\n', 'b.txt': 'two\n', 'c.txt': 'three\n', 'latin.txt': latin, 'zz/keep': '' });
    chmodSync(join(ground.folder, 'a.sh'), 0o755);
    for (const path of ['a.sh', 'b.txt', 'c.txt']) await ground.call('read', { path });
    const before = statSync(join(ground.folder, 'c.txt'));
    const steps = [
      '*** Update File: a.sh',
      '@@',
      '-one',
      '+1',
      '*** Add File: deep/er/new.txt',
      '+x',
      '*** Delete File: c.txt',
      '*** Update File: b.txt',
      '*** Move to: moved/b.txt',
      '@@',
      '-two',
      '+2',
    ];
    // The file is protected, which is detected only when it is written.
    expect(codeOf(await envelope(...steps, '*** Add File: .env', '+x'))).toBe('PERMISSION_DENIED');
    // The encoding lacks the character, which is detected before any file is written.
    const unencodable = ['*** Update File: latin.txt', '@@', '-café', '+茶'];
    expect(codeOf(await envelope(...steps, ...unencodable))).toBe('INVALID_ARGS');
    expect(readdirSync(ground.folder).toSorted()).toEqual(['a.sh', 'b.txt', 'c.txt', 'latin.txt', 'zz']);
    expect([ground.text('a.sh'), ground.text('b.txt'), ground.text('c.txt')]).toEqual(['one\r\n', 'two\n', 'three\n']);
    expect(ground.bytes('latin.txt')).toEqual(latin);
    expect(statSync(join(ground.folder, 'a.sh')).mode & 0o777).toBe(0o755);
    const after = statSync(join(ground.folder, 'c.txt'));
    expect([after.ino, after.mode, after.mtimeMs]).toEqual([before.ino, before.mode, before.mtimeMs]);
    // The same patch succeeds without the invalid section.
    expect(codeOf(await envelope(...steps))).toBe('ok');
    expect(statSync(join(ground.folder, 'a.sh')).mode & 0o777).toBe(0o755);
    expect(ground.text('moved/b.txt')).toBe('2\n');
  });

  it('rejects files that changed since they were read and shows the changes', async () => {
    start({ 'a.txt': 'one\n', 'b.txt': 'two\n' });
    for (const path of ['a.txt', 'b.txt']) await ground.call('read', { path });
    ground.put('b.txt', 'TWO\n');
    const result = await envelope('*** Update File: a.txt', '@@', '-one', '+1', '*** Delete File: b.txt');
    expect(result).toMatchObject({
      error: { code: 'CHANGED_ON_DISK', message: expect.stringContaining('-two\n+TWO') },
    });
    expect([ground.text('a.txt'), ground.text('b.txt')]).toEqual(['one\n', 'TWO\n']);
  });

  it('marks written files as read and forgets deleted files', async () => {
    start({ 'a.txt': 'one  \n' });
    await ground.call('read', { path: 'a.txt' });
    await envelope('*** Update File: a.txt', '*** Move to: b.txt', '@@', '+more  ');
    expect(codeOf(await ground.call('edit', { path: 'b.txt', old_text: 'more\n', new_text: 'x\n' }))).toBe('ok');
    ground.put('a.txt', 'one  \n');
    expect(codeOf(await ground.call('edit', { path: 'a.txt', old_text: 'one\n', new_text: 'x\n' }))).toBe('NOT_READ');
  });

  it('asks for permission for every file that it names, including both paths of a move', async () => {
    const asked: string[] = [];
    const permission: PermissionEngine = {
      ask: ({ footprint }) => {
        asked.push(...footprint.writes);
        return { action: 'deny', denial: { source: 'rule', reason: 'no' } };
      },
    };
    start({ 'a.txt': 'one\n' }, { permission });
    await envelope(
      '*** Update File: a.txt',
      '*** Move to: b.txt',
      '*** Add File: c/../d.txt',
      '+x',
      '*** Delete File: e.txt',
    );
    expect(asked).toEqual(['a.txt', 'b.txt', 'd.txt', 'e.txt'].map((name) => `file:${ground.folder}/${name}`));
    expect(codeOf(await apply('nonsense'))).toBe('INVALID_ARGS');
    expect(asked).toHaveLength(4);
  });

  it('waits for concurrent patches and edits of the same files', async () => {
    const lines = Array.from({ length: 12 }, (_, index) => `<${index}>`);
    start({ 'a.txt': `${lines.join('\n')}\n`, 'b.txt': `${lines.join('\n')}\n` });
    const workspace = createWorkspace({ cwd: ground.folder, permission: allowAll });
    const other = createDispatcher({ registry: createBuiltins(), workspace });
    const results = await Promise.all(
      lines.map((line, index) => {
        const files = index % 2 === 0 ? ['a.txt', 'b.txt'] : ['b.txt', 'a.txt'];
        const body = files.flatMap((file) => [`*** Update File: ${file}`, '@@', `-${line}`, `+[${index}]`]);
        const patch = ['*** Begin Patch', ...body, '*** End Patch'].join('\n');
        const call = { id: `p${index}`, name: 'apply_patch', arguments: { patch } };
        // Each call has its own session, so no session has seen the changes of the others.
        return (index % 3 === 0 ? other : ground.source).dispatch(call, { sessionId: `s${index}` });
      }),
    );
    expect(results.map(codeOf)).toEqual(lines.map(() => 'ok'));
    const wanted = `${lines.map((_, index) => `[${index}]`).join('\n')}\n`;
    expect([ground.text('a.txt'), ground.text('b.txt')]).toEqual([wanted, wanted]);
  });

  it('applies a generated diff correctly to any text or rejects it as ambiguous', async () => {
    start({});
    const random = createRandom(34);
    const words = ['alpha', 'beta', '', '  gamma', 'delta', '}', '-- dash', '++ plus', '@@ at', '*** star', '\\ back'];
    const take = (): string => words[Math.floor(random() * words.length)]!;
    let applied = 0;
    for (let round = 0; round < 120; round += 1) {
      const eol = random() < 0.2 ? '\r\n' : '\n';
      const lines = Array.from({ length: 1 + Math.floor(random() * 40) }, (_, index) =>
        random() < 0.5 ? take() : `line ${index}`,
      );
      const changed = lines.flatMap((line) =>
        random() < 0.1 ? [] : random() < 0.1 ? [line, `new ${take()}`] : [line],
      );
      const end = random() < 0.2 ? '' : eol;
      const before = lines.join(eol) + end;
      const after = changed.length === 0 ? '' : changed.join(eol) + (random() < 0.1 ? '' : end);
      const { patch } = computeFileDiff({
        path: 'a.txt',
        before: before.replaceAll('\r\n', '\n'),
        after: after.replaceAll('\r\n', '\n'),
      });
      if (patch === '') continue;
      ground.put('a.txt', before);
      await ground.call('read', { path: 'a.txt' });
      const result = await ground.call('apply_patch', { patch });
      if (result.ok) {
        applied += 1;
        expect({ patch, text: ground.text('a.txt') }).toEqual({ patch, text: after });
      } else {
        expect({ patch, code: codeOf(result) }).toMatchObject({
          code: expect.stringMatching(/^(?:TEXT_MULTIPLE_MATCHES|INVALID_ARGS)$/),
        });
        expect(ground.text('a.txt')).toBe(before);
      }
    }
    expect(applied).toBeGreaterThan(100);
  });
});
