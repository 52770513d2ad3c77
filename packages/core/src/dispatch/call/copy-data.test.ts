import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { copyData, freezeData } from './copy-data.ts';

const isDeeplyFrozen = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(isDeeplyFrozen));

describe('copyData', () => {
  it('returns an equal deep copy of any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const before = JSON.stringify(value);
        const copy = copyData(value);
        expect(JSON.stringify(copy)).toBe(before);
        freezeData(copy);
        expect(isDeeplyFrozen(copy)).toBe(true);
        if (typeof value === 'object' && value !== null) {
          expect(copy).not.toBe(value);
          expect(Object.isFrozen(value)).toBe(false);
        }
      }),
    );
  });

  it('preserves cycles and an own member named __proto__', () => {
    const hostile = JSON.parse('{"__proto__": {"a": 1}}') as object;
    const copy = copyData(hostile) as object;
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    const circle: unknown[] = [];
    circle.push(circle, { circle });
    const round = copyData(circle) as unknown[];
    expect(round).not.toBe(circle);
    expect([round[0], (round[1] as { circle: unknown }).circle]).toEqual([round, round]);
    freezeData(round);
    expect(Object.isFrozen(round[1])).toBe(true);
  });

  it('copies dates, maps, sets and bytes, and returns other objects unchanged', () => {
    const address = new URL('https://example.org/');
    const value = {
      when: new Date(5),
      map: new Map([['a', [1]]]),
      set: new Set(['x']),
      bytes: new Uint8Array([1]),
      address,
    };
    const copy = copyData(value) as typeof value;
    value.when.setTime(6);
    value.map.get('a')!.push(2);
    value.set.add('y');
    value.bytes[0] = 2;
    expect(copy).toEqual({
      when: new Date(5),
      map: new Map([['a', [1]]]),
      set: new Set(['x']),
      bytes: new Uint8Array([1]),
      address,
    });
    expect(copy.address).toBe(address);
  });

  it('rejects endless and unreadable values', () => {
    const endless = (): object => new Proxy({ inside: 1 }, { get: endless });
    expect(() => copyData(endless(), 10_000)).toThrow(RangeError);
    expect(() => copyData(Object.assign([], { length: 4_000_000_000 }))).toThrow(RangeError);
    const revoked = Proxy.revocable({}, {});
    revoked.revoke();
    expect(() => copyData([revoked.proxy])).toThrow(TypeError);
  });

  it('takes linear time for flat, deep and shared values', async () => {
    const shapes: readonly ((size: number) => unknown)[] = [
      (size) => Array.from({ length: size }, (_, index) => ({ index })),
      (size) => {
        let deep: unknown = 'end';
        for (let level = 0; level < size; level += 1) deep = { deep };
        return deep;
      },
      (size) => {
        let shared: unknown = 'end';
        for (let level = 0; level < size; level += 1) shared = [shared, shared];
        return shared;
      },
    ];
    const copy = (value: unknown): void => freezeData(copyData(value));
    for (const make of shapes) expect(await growthOf(make, copy, 5_000)).toBeLessThan(linearGrowth);
  });
});
