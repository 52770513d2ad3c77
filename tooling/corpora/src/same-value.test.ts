import { describe, expect, it } from 'vitest';

import { isSameValue } from './same-value.ts';

describe('isSameValue', () => {
  it('compares values as JSON does', () => {
    expect(isSameValue({ a: -0, b: undefined }, { a: 0 })).toBe(true);
    expect(isSameValue([undefined], [])).toBe(false);
    expect(isSameValue({ a: 1 }, ['a'])).toBe(false);
    expect(isSameValue(Number.NaN, Number.NaN)).toBe(true);
    expect(isSameValue({}, null)).toBe(false);
    expect(isSameValue('1', 1)).toBe(false);
  });

  it('treats inherited properties as missing', () => {
    const inheriting = Object.create({ a: 1 }) as object;
    expect(isSameValue(inheriting, { a: 1 })).toBe(false);
    expect(isSameValue(JSON.parse('{"__proto__":{"a":1}}'), {})).toBe(false);
  });
});
