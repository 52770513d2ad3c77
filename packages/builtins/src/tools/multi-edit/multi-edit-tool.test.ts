import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, createGround, type Ground } from '../../fixtures/create-ground.ts';

let ground: Ground;
const start = (files: Readonly<Record<string, string>>): Ground => (ground = createGround({ files }));
afterEach(() => ground.remove());

const edit = (edits: readonly unknown[]): Promise<unknown> => ground.call('multi_edit', { path: 'a.txt', edits });
const swap = (old_text: string, new_text: string, more: object = {}): object => ({ old_text, new_text, ...more });

describe('multi_edit', () => {
  it('applies all replacements as one change', async () => {
    start({ 'a.txt': 'one\r\ntwo\r\nthree\r\nfour\r\n' });
    const result = await edit([swap('four', '4'), swap('one\n', '1\n1.5\n'), swap('two', '2')]);
    expect(ground.text('a.txt')).toBe('1\r\n1.5\r\n2\r\nthree\r\n4\r\n');
    expect(result).toMatchObject({
      ok: true,
      summary: 'Modified: a.txt (+4 -3)',
      metadata: { replacements: 3, edits: 3 },
      effects: [{ op: 'modify' }],
    });
  });

  it('applies no replacement if one has no match, names it and shows the closest match as a diff', async () => {
    start({ 'a.txt': 'one\ntwo and more\nthree\n' });
    await ground.call('read', { path: 'a.txt' });
    const said = await ground.say('multi_edit', {
      path: 'a.txt',
      edits: [swap('one', '1'), swap('two and less', '2')],
    });
    expect(said).toContain('edits[1].old_text does not occur in a.txt');
    expect(said).toContain('-two and less\n+two and more');
    expect(ground.text('a.txt')).toBe('one\ntwo and more\nthree\n');
  });

  it('rejects an ambiguous text and names the edit', async () => {
    start({ 'a.txt': 'dup\nx\ndup\n' });
    expect(await edit([swap('x', 'y'), swap('dup', 'one')])).toMatchObject({
      error: { code: 'TEXT_MULTIPLE_MATCHES', message: expect.stringContaining('edits[1].old_text occurs 2 times') },
    });
    expect(await edit([swap('x', 'y'), swap('dup', 'one', { replace_all: true })])).toMatchObject({
      ok: true,
      metadata: { replacements: 3 },
    });
    expect(ground.text('a.txt')).toBe('one\ny\none\n');
  });

  it('rejects overlapping edits, including nested ones', async () => {
    start({ 'a.txt': 'abcdef\n' });
    for (const edits of [
      [swap('abc', 'x'), swap('cde', 'y')],
      [swap('bc', 'x'), swap('abcdef', 'y')],
    ])
      expect(await edit(edits)).toMatchObject({
        error: { code: 'INVALID_ARGS', message: expect.stringContaining('edits[0] and edits[1] overlap') },
      });
    expect(await edit([swap('abc', 'x'), swap('def', 'y')])).toMatchObject({ ok: true });
    expect(ground.text('a.txt')).toBe('xy\n');
  });

  it('searches the result of the earlier edits for text that the file lacks', async () => {
    start({ 'a.txt': 'one\n' });
    expect(await edit([swap('one', 'two'), swap('two', 'three')])).toMatchObject({ ok: true });
    expect(ground.text('a.txt')).toBe('three\n');
  });

  it('rejects edits whose result depends on whether they apply in sequence or at once', async () => {
    start({ 'a.txt': 'a b\n' });
    expect(await edit([swap('a', 'b'), swap('b', 'c', { replace_all: true })])).toMatchObject({
      error: { code: 'INVALID_ARGS', details: { edits: [0, 1] }, hint: expect.stringContaining('in separate calls') },
    });
    expect(ground.text('a.txt')).toBe('a b\n');
    // A second occurrence that another edit creates is not ambiguous, because edits refer to the original file.
    expect(await edit([swap('a', 'a b'), swap(' b\n', ' c\n')])).toMatchObject({ ok: true });
    expect(ground.text('a.txt')).toBe('a b c\n');
  });

  it('rejects everything that edit rejects: empty, equal and elided texts, approximate matches in unread files, changed files, missing texts', async () => {
    start({ 'a.txt': '  one\n', 'b.txt': 'x\n' });
    const code = async (edits: readonly unknown[]): Promise<unknown> => codeOf((await edit(edits)) as never);
    expect(await code([swap('', 'x')])).toBe('INVALID_ARGS');
    expect(await code([swap('', 'x', { replace_all: true })])).toBe('INVALID_ARGS');
    expect(await code([swap('one', 'one')])).toBe('NO_CHANGE');
    expect(await code([swap('one', '... rest of the code')])).toBe('INVALID_ARGS');
    expect(await code([{ old_text: 'one' }])).toBe('INVALID_ARGS');
    expect(await code([])).toBe('INVALID_ARGS');
    expect(await code([swap('one  \n', 'x\n')])).toBe('NOT_READ');
    await ground.call('read', { path: 'a.txt' });
    ground.put('a.txt', '  two\n');
    expect(await code([swap('two', 'x')])).toBe('CHANGED_ON_DISK');
    expect(ground.text('a.txt')).toBe('  two\n');
  });

  it('accepts the argument names of other tool sets in every edit', async () => {
    start({ 'a.txt': 'one two three\n' });
    const edits = [
      { oldText: 'one', newText: '1' },
      { old_string: 'two', new_string: '2', replaceAll: true },
      { search: 'three', replace: '3' },
    ];
    expect(codeOf(await ground.call('multi_edit', { file_path: 'a.txt', edits }))).toBe('ok');
    expect(ground.text('a.txt')).toBe('1 2 3\n');
  });

  it('loses no changes if other tools change the same file concurrently', async () => {
    start({ 'a.txt': Array.from({ length: 20 }, (_, index) => `<${index}>\n`).join('') });
    const calls = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? ground.call('edit', { path: 'a.txt', old_text: `<${index}>`, new_text: `[${index}]` })
        : ground.call('multi_edit', { path: './a.txt', edits: [swap(`<${index}>`, `[${index}]`)] }),
    );
    calls.push(ground.call('append', { path: 'a.txt', content: 'end\n' }));
    expect((await Promise.all(calls)).map(codeOf)).toEqual(calls.map(() => 'ok'));
    expect(ground.text('a.txt')).toBe(`${Array.from({ length: 20 }, (_, index) => `[${index}]\n`).join('')}end\n`);
  });
});
