import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutIntoSegments, type Span } from './segments.ts';

const cut = (length: number, spans: readonly (readonly [id: string, start: number, end: number])[]): unknown =>
  cutIntoSegments(
    length,
    spans.map(([id, start, end]) => ({ id, start, end, look: id })),
  ).map((segment) => [segment.start, segment.end, segment.spans.map(({ id }) => id).join('')]);

describe('cutIntoSegments', () => {
  test('keeps a text without spans whole', () => {
    expect(cut(5, [])).toEqual([[0, 5, '']]);
    expect(cut(0, [])).toEqual([]);
  });

  test('lists every overlap, the wider span first', () => {
    expect(
      cut(10, [
        ['b', 3, 5],
        ['a', 1, 8],
        ['c', 5, 10],
      ]),
    ).toEqual([
      [0, 1, ''],
      [1, 3, 'a'],
      [3, 5, 'ab'],
      [5, 8, 'ac'],
      [8, 10, 'c'],
    ]);
  });

  test('keeps empty spans, even at both ends of the text', () => {
    expect(
      cut(4, [
        ['a', 0, 0],
        ['b', 2, 2],
        ['c', 4, 4],
      ]),
    ).toEqual([
      [0, 0, 'a'],
      [0, 2, ''],
      [2, 2, 'b'],
      [2, 4, ''],
      [4, 4, 'c'],
    ]);
    expect(cut(0, [['a', 0, 0]])).toEqual([[0, 0, 'a']]);
  });

  test('ignores spans outside the text', () => {
    expect(
      cut(3, [
        ['a', -5, 2],
        ['b', 2, 99],
        ['c', 3, 1],
      ]),
    ).toEqual([
      [0, 2, 'a'],
      [2, 3, 'b'],
    ]);
  });

  test('covers the whole text once, with all spans of each character', () => {
    const offset = fc.integer({ min: 0, max: 12 });
    fc.assert(
      fc.property(offset, fc.array(fc.tuple(offset, offset)), (length, pairs) => {
        const spans: readonly Span[] = pairs.map(([a, b], index) => ({
          id: String(index),
          start: Math.min(a, b, length),
          end: Math.min(Math.max(a, b), length),
          look: '',
        }));
        const segments = cutIntoSegments(length, spans);
        let at = 0;
        for (const segment of segments) {
          expect(segment.start).toBe(at);
          at = segment.end;
          const inside = spans.filter(({ start, end }) =>
            segment.start === segment.end
              ? start === end && start === segment.start
              : start <= segment.start && end >= segment.end && start < end,
          );
          expect(segment.spans.map(({ id }) => id).sort()).toEqual(inside.map(({ id }) => id).sort());
        }
        expect(at).toBe(length);
      }),
    );
  });
});
