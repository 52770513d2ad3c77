import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printValue } from './print-value.ts';

const printed = (value: unknown, room: number): string =>
  printValue(value, room)
    .pieces.map(({ text }) => text)
    .join('');

describe('printValue', () => {
  test('prints the same as JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const read: unknown = JSON.parse(JSON.stringify(value));
        expect(printed(read, 1e9)).toBe(JSON.stringify(read, null, 2));
        expect(printValue(read, 1e9).isWhole).toBe(true);
      }),
    );
  });

  test('stops at the limit, even inside indentation', () => {
    let deep: unknown = 'end';
    for (let level = 0; level < 900; level += 1) deep = [deep, deep];
    const { pieces, isWhole } = printValue(deep, 5_000);
    expect(isWhole).toBe(false);
    expect(pieces.reduce((length, { text }) => length + text.length, 0)).toBeLessThanOrEqual(5_001);
    expect(printed('x'.repeat(100), 10)).toBe('"xxxxxxxxx…');
  });
});
