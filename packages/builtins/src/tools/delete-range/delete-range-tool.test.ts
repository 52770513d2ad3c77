import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, createGround, type Ground } from '../../fixtures/create-ground.ts';

let ground: Ground;
afterEach(() => ground.remove());

async function start(text: string): Promise<void> {
  ground = createGround({ files: { 'a.txt': text } });
  await ground.call('read', { path: 'a.txt' });
}

const cut = (start_anchor: string, end_anchor: string, inclusive?: boolean): ReturnType<Ground['call']> =>
  ground.call('delete_range', {
    path: 'a.txt',
    start_anchor,
    end_anchor,
    ...(inclusive === undefined ? {} : { inclusive }),
  });

describe('delete_range', () => {
  it.each([
    ['the lines between', 'a\nb\nc\nd\n', 'a', 'd', undefined, 'a\nd\n'],
    ['the named lines too', 'a\nb\nc\nd\n', 'b', 'c', true, 'a\nd\n'],
    ['a single line', 'a\nb\nc\n', 'b', 'b', true, 'a\nc\n'],
    ['everything', 'a\nb\n', 'a', 'b', true, ''],
    ['the end of a file without a final break', 'a\nb\nc', 'b', 'c', true, 'a'],
    ['the end of a file with one', 'a\nb\nc\n', 'b', 'c', true, 'a\n'],
    ['lines of a CRLF file', 'a\r\nb\r\nc\r\n', 'a', 'c', false, 'a\r\nc\r\n'],
    ['between lines that are written with other blanks', '  a\nb\n\tc  \n', 'a', 'c', false, '  a\n\tc  \n'],
    ['by a line with its break', 'a\nb\nc\n', 'a\n', 'c\n', false, 'a\nc\n'],
  ])('deletes %s', async (_, before, from, to, inclusive, after) => {
    await start(before);
    expect(codeOf(await cut(from, to, inclusive))).toBe('ok');
    expect(ground.text('a.txt')).toBe(after);
  });

  it('reports the deleted lines with the diff', async () => {
    await start('a\nb\nc\nd\n');
    const result = await cut('a', 'd');
    expect(result).toMatchObject({ summary: 'Modified: a.txt (+0 -2)', metadata: { deletedFrom: 2, deletedTo: 3 } });
    expect(result.diff!.patch).toContain('-b\n-c\n');
  });

  it('accepts anchors in the form that read shows', async () => {
    await start('}\nx\n}\n');
    const [, second, third] = (await ground.say('read', { path: 'a.txt', hash_len: 4 })).split('\n');
    expect(codeOf(await cut(second!, third!.split('→')[0]!, true))).toBe('ok');
    expect(ground.text('a.txt')).toBe('}\n');
  });

  it('rejects missing or ambiguous lines, the wrong order and an empty range, and changes nothing', async () => {
    const text = 'a\ndup\nb\ndup\nc\n';
    await start(text);
    expect(codeOf(await cut('a', 'gone'))).toBe('TEXT_NOT_FOUND');
    expect(await cut('dup', 'c')).toMatchObject({
      error: { code: 'TEXT_MULTIPLE_MATCHES', details: { lines: [2, 4] } },
    });
    expect(await cut('c', 'a')).toMatchObject({
      error: { code: 'INVALID_ARGS', hint: expect.stringContaining('upper line') },
    });
    expect(await cut('a', 'a')).toMatchObject({
      error: { code: 'INVALID_ARGS', hint: expect.stringContaining('inclusive') },
    });
    expect(codeOf(await cut('5:ffff', 'c'))).toBe('TEXT_NOT_FOUND');
    expect(ground.text('a.txt')).toBe(text);
  });

  it('rejects a file that was not read or that has changed since', async () => {
    await start('a\nb\nc\n');
    ground.put('a.txt', 'a\nB\nc\n');
    expect(codeOf(await cut('a', 'c'))).toBe('CHANGED_ON_DISK');
    ground.put('other.txt', 'a\nb\nc\n');
    const unread = { path: 'other.txt', startAnchor: 'a', endAnchor: 'c' };
    expect(codeOf(await ground.call('delete_range', unread))).toBe('NOT_READ');
    expect(ground.text('other.txt')).toBe('a\nb\nc\n');
  });
});
