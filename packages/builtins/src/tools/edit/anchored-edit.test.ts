import { afterEach, describe, expect, it } from 'vitest';
import { codeOf, createGround, createRandom, type Ground } from '../../fixtures/create-ground.ts';
import { hashLine, parseAnchor } from '../../editing/anchors/line-anchor.ts';

let ground: Ground;
afterEach(() => ground.remove());

async function start(text: string, hash_len: 3 | 4 = 4): Promise<readonly string[]> {
  ground = createGround({ files: { 'a.txt': text } });
  return anchors(hash_len);
}

async function anchors(hash_len: 3 | 4 = 4): Promise<readonly string[]> {
  return (await ground.say('read', { path: 'a.txt', hash_len })).split('\n').map((line) => line.split('→')[0]!);
}

const edit = (args: object): ReturnType<Ground['call']> => ground.call('edit', { path: 'a.txt', ...args });

describe('anchored edit', () => {
  it('reads lines as number, hash and text', async () => {
    await start('one\n\n  two →\n');
    const said = await ground.say('read', { path: 'a.txt', hash_len: 3 });
    expect(said.split('\n')).toEqual([
      `1:${hashLine('one', 3)}→one`,
      `2:${hashLine('', 3)}→`,
      `3:${hashLine('  two →', 3)}→  two →`,
    ]);
    expect(said).not.toBe(await ground.say('read', { path: 'a.txt' }));
  });

  it.each([
    ['replaces a line', {}, 'B', 'a\nB\nc\nd\n'],
    ['replaces several lines by more', { end: 2 }, 'x\ny\nz', 'a\nx\ny\nz\nd\n'],
    ['takes a break at the end for none', {}, 'B\n', 'a\nB\nc\nd\n'],
    ['deletes lines', { end: 2, mode: 'delete' }, undefined, 'a\nd\n'],
    ['deletes by an empty text', {}, '', 'a\nc\nd\n'],
    ['inserts before', { mode: 'insert_before' }, 'x\ny', 'a\nx\ny\nb\nc\nd\n'],
    ['inserts after', { mode: 'insert_after' }, 'x\n', 'a\nb\nx\nc\nd\n'],
  ])('%s', async (_, { end, mode }: { end?: number; mode?: string }, new_text, after) => {
    for (const breaks of ['\n', '\r\n']) {
      const lines = await start('a\nb\nc\nd\n'.replaceAll('\n', breaks));
      const end_anchor = end === undefined ? undefined : lines[end];
      const result = await edit({ start_anchor: lines[1], end_anchor, mode, new_text });
      expect(codeOf(result)).toBe('ok');
      expect(ground.text('a.txt')).toBe(after.replaceAll('\n', breaks));
      if (breaks === '\n') ground.remove();
    }
  });

  it('inserts at both ends of a file without a final line break', async () => {
    const lines = await start('a\nb');
    const edits = [
      { start_anchor: lines[0], mode: 'insert_before', new_text: 'top' },
      { start_anchor: lines[1], mode: 'insert_after', new_text: 'bottom' },
    ];
    expect(codeOf(await ground.call('multi_edit', { path: 'a.txt', edits }))).toBe('ok');
    expect(ground.text('a.txt')).toBe('top\na\nb\nbottom');
  });

  it('distinguishes equal lines', async () => {
    const lines = await start('}\nx\n}\n');
    expect(codeOf(await edit({ start_anchor: lines[2], new_text: 'end' }))).toBe('ok');
    expect(ground.text('a.txt')).toBe('}\nx\nend\n');
  });

  it('returns new anchors that the next edit accepts', async () => {
    const lines = await start('a\nb\nc\n');
    const said = await ground.say('edit', { path: 'a.txt', start_anchor: lines[1], new_text: 'x\ny' });
    expect(said).toContain(`New anchors:\n1:${hashLine('a', 4)}→a\n2:${hashLine('x', 4)}→x\n3:${hashLine('y', 4)}→y`);
    expect(codeOf(await edit({ start_anchor: `3:${hashLine('y', 4)}`, new_text: 'z' }))).toBe('ok');
    expect(ground.text('a.txt')).toBe('a\nx\nz\nc\n');
  });

  it('follows lines that edits of this session moved and never matches another line with the same hash', async () => {
    const lines = await start('}\na\n}\nb\n}\n');
    await edit({ start_anchor: lines[0], mode: 'insert_before', new_text: '}\n}\nnew' });
    expect(codeOf(await edit({ start_anchor: lines[3], new_text: 'B' }))).toBe('ok');
    expect(ground.text('a.txt')).toBe('}\n}\nnew\n}\na\n}\nB\n}\n');
  });

  it('is rejected if the line is gone, with the current text and the changes', async () => {
    const lines = await start('one\ntwo\nthree\n');
    await edit({ start_anchor: lines[1], new_text: 'TWO' });
    const said = await ground.say('edit', { path: 'a.txt', start_anchor: lines[1], new_text: 'x' });
    expect(said).toContain('Error TEXT_NOT_FOUND: start_anchor');
    expect(said).toContain(`2:${hashLine('TWO', 4)}→TWO`);
    expect(said).toContain('-two\n+TWO');
    expect(ground.text('a.txt')).toBe('one\nTWO\nthree\n');
  });

  it('is rejected after another program changed the file until it is read again, and anchors of unchanged lines stay valid', async () => {
    const lines = await start('one\ntwo\nthree\n');
    ground.put('a.txt', 'zero\none\ntwo\n3\n');
    expect(await edit({ start_anchor: lines[1], new_text: 'x' })).toMatchObject({
      error: { code: 'CHANGED_ON_DISK', message: expect.stringContaining('+zero') },
    });
    await ground.call('read', { path: 'a.txt' });
    expect(codeOf(await edit({ start_anchor: lines[2], new_text: 'x' }))).toBe('TEXT_NOT_FOUND');
    expect(codeOf(await edit({ start_anchor: lines[1], new_text: '2' }))).toBe('ok');
    expect(ground.text('a.txt')).toBe('zero\none\n2\n3\n');
  });

  it('requires a read file, a valid anchor and a range in the right order', async () => {
    const lines = await start('a\nb\n');
    expect(codeOf(await edit({ start_anchor: 'two', new_text: 'x' }))).toBe('INVALID_ARGS');
    expect(codeOf(await edit({ start_anchor: '9:abcd', new_text: 'x' }))).toBe('TEXT_NOT_FOUND');
    expect(codeOf(await edit({ start_anchor: '0:abcd', new_text: 'x' }))).toBe('TEXT_NOT_FOUND');
    expect(codeOf(await edit({ start_anchor: lines[1], end_anchor: lines[0], new_text: 'x' }))).toBe('INVALID_ARGS');
    expect(codeOf(await edit({ start_anchor: lines[1], new_text: '... rest of the code' }))).toBe('INVALID_ARGS');
    ground.put('b.txt', 'a\n');
    const unread = { path: 'b.txt', start_anchor: `1:${hashLine('a', 4)}`, new_text: 'x' };
    expect(codeOf(await ground.call('edit', unread))).toBe('NOT_READ');
    expect(ground.text('a.txt')).toBe('a\nb\n');
  });

  it('works together with text edits in multi_edit and overlaps with none', async () => {
    const lines = await start('a\nb\nc\n');
    const both = [
      { start_anchor: lines[0], new_text: 'A' },
      { old_text: 'c', new_text: 'C' },
    ];
    expect(codeOf(await ground.call('multi_edit', { path: 'a.txt', edits: both }))).toBe('ok');
    expect(ground.text('a.txt')).toBe('A\nb\nC\n');
    const clash = [
      { start_anchor: (await anchors())[1], new_text: 'x' },
      { old_text: 'b\nC', new_text: 'y' },
    ];
    expect(codeOf(await ground.call('multi_edit', { path: 'a.txt', edits: clash }))).toBe('INVALID_ARGS');
  });

  it('is not available for files that are too large to edit, and read says so', async () => {
    ground = createGround();
    ground.put('big.txt', 'line of text\n'.repeat(900_000));
    const said = await ground.say('read', { path: 'big.txt', limit: 1, hash_len: 4 });
    expect(said).toContain('1→line of text');
    expect(said).toContain('no anchors');
  });

  it('changes exactly the line that was read after any sequence of edits by this session', async () => {
    const random = createRandom(7);
    const names = Array.from({ length: 40 }, (_, index) => (index % 3 === 0 ? '}' : `line ${index}`));
    const known = await start(`${names.join('\n')}\n`);
    // Maps each line of the file to its original line.
    let model: { readonly text: string; readonly origin: number }[] = names.map((text, origin) => ({ text, origin }));
    for (let round = 0; round < 12; round += 1) {
      const origin = Math.floor(random() * names.length);
      const at = model.findIndex((line) => line.origin === origin);
      const isInsert = random() < 0.5;
      const new_text = `new ${round}`;
      const result = await edit({
        start_anchor: known[origin],
        new_text,
        ...(isInsert ? { mode: 'insert_after' } : {}),
      });
      if (!result.ok) continue;
      const added = { text: new_text, origin: -1 };
      const next = isInsert ? model.toSpliced(at + 1, 0, added) : model.toSpliced(at, 1, added);
      const stored = ground.text('a.txt').trimEnd().split('\n');
      expect(stored).toEqual(next.map(({ text }) => text));
      model = next;
    }
    expect(model.filter(({ origin }) => origin === -1).length).toBeGreaterThan(5);
  });
});

describe('anchor syntax', () => {
  it.each([
    ['12:a1b2', { line: 12, hash: 'a1b2' }],
    [' 12:A1B→text: 3', { line: 12, hash: 'a1b' }],
    ['12:a1b2|text\n', { line: 12, hash: 'a1b2' }],
    ['12', undefined],
    ['12:xyz', undefined],
    ['12:a1b2 text', undefined],
    ['return 12:a1b2', undefined],
  ])('parses %j as %j', (given, anchor) => expect(parseAnchor(given)).toEqual(anchor));

  it('produces few collisions: a thousand lines have more than 980 distinct four-digit hashes', () => {
    const hashes = new Set(
      Array.from({ length: 1_000 }, (_, index) => hashLine(`  const value${index} = ${index};`, 4)),
    );
    expect(hashes.size).toBeGreaterThan(980);
  });
});
