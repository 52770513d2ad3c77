import { describe, expect, test } from 'vitest';
import { createOutputRing, type OutputRing } from './output-ring.ts';

const push = (ring: OutputRing, text: string): string => ring.push(Buffer.from(text));

describe('createOutputRing', () => {
  test('returns the output since a cursor and the next cursor', () => {
    const ring = createOutputRing(1_000);
    push(ring, 'one\ntwo\n');
    const first = ring.read(0, 100);
    expect(first).toEqual({ text: 'one\ntwo\n', cursor: 8, dropped: 0, hasMore: false, open: '' });
    expect(ring.read(first.cursor, 100)).toMatchObject({ text: '', cursor: 8 });
    push(ring, 'three\n');
    expect(ring.read(first.cursor, 100)).toMatchObject({ text: 'three\n', cursor: 14 });
    expect(ring.read(0, 4)).toMatchObject({ text: 'one\n', cursor: 4, hasMore: true });
    expect(ring.read(undefined, 6)).toMatchObject({ text: 'three\n', cursor: 14, dropped: 0 });
    expect(ring.read(999, 100)).toMatchObject({ text: '', cursor: 14, dropped: 0 });
  });

  test('returns the open line separately and settles only its final state', () => {
    const ring = createOutputRing(1_000);
    push(ring, 'a\n10%\r50%');
    expect(ring.read(0, 100)).toMatchObject({ text: 'a\n', cursor: 2, open: '50%' });
    push(ring, '\r100%\n');
    expect(ring.read(2, 100)).toMatchObject({ text: '100%\n', open: '' });
    push(ring, 'last');
    expect(ring.finish()).toBe('last');
    expect(ring.read(7, 100)).toMatchObject({ text: 'last', open: '' });
  });

  test('counts dropped output, passes it on in order, and bounds its memory', () => {
    const gone: string[] = [];
    const ring = createOutputRing(100_000, (text) => gone.push(text));
    const lines = Array.from({ length: 50_000 }, (_, index) => `line ${index}\n`);
    for (const line of lines) push(ring, line);
    const whole = lines.join('');
    expect(ring.stored.length).toBeGreaterThanOrEqual(100_000);
    expect(ring.stored.length).toBeLessThan(100_000 + 20_000);
    expect(gone.join('') + ring.stored).toBe(whole);
    expect(ring).toMatchObject({
      totalCharacters: whole.length,
      totalBytes: whole.length,
      dropped: gone.join('').length,
    });
    expect(ring.read(10, 50)).toMatchObject({
      dropped: ring.dropped - 10,
      text: whole.slice(ring.dropped, ring.dropped + 50),
    });
  });

  test('never splits a character and always makes progress', () => {
    const ring = createOutputRing(1_000);
    push(ring, '😀😀😀\n');
    let [cursor, joined] = [0, ''];
    for (let hasMore = true; hasMore;) {
      const slice = ring.read(cursor, 1);
      expect(slice.cursor).toBeGreaterThan(cursor);
      ({ cursor, hasMore } = slice);
      joined += slice.text;
    }
    expect(joined).toBe('😀😀😀\n');
    expect(ring.read(1, 3).text).toBe('😀');
    expect(ring.read(undefined, 4).text).toBe('😀\n');
  });

  test('reports bytes that are not text', () => {
    const ring = createOutputRing(1_000);
    ring.push(Uint8Array.of(0xff, 0x00, 0x0a));
    expect(ring.isBinary).toBe(true);
    expect(ring.stored).toBe('\uFFFD␀\n');
  });
});
