import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { createNameCodec, encodeName, isWireName } from './name-codec.ts';

const anyName = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.constantFrom('a.b', 'a_b', 'a b', 'a/b', '', 'x'.repeat(64), 'x'.repeat(65), '__proto__', 'constructor'),
);

describe('a name codec', () => {
  it('maps every name to a different wire name and back', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyName, { maxLength: 40 }), (names) => {
        const codec = createNameCodec(names);
        const wires = names.map((name) => codec.encode(name)!);
        expect(new Set(wires).size).toBe(names.length);
        for (const wire of wires) expect(isWireName(wire)).toBe(true);
        expect(wires.map((wire) => codec.decode(wire))).toEqual(names);
      }),
    );
  });

  it('does not depend on the order of the names', () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyName, { maxLength: 20 }), (names) => {
        const [one, other] = [createNameCodec(names), createNameCodec(names.toReversed())];
        for (const name of names) expect(one.encode(name)).toBe(other.encode(name));
      }),
    );
  });

  it('keeps valid names unchanged, even if another name would be encoded to the same one', () => {
    const guessed = createNameCodec(['a.b']).encode('a.b')!;
    const codec = createNameCodec(['a.b', guessed, 'read_file', 'get-sum']);
    expect([guessed, 'read_file', 'get-sum'].map((name) => codec.encode(name))).toEqual([
      guessed,
      'read_file',
      'get-sum',
    ]);
    expect(codec.encode('a.b')).not.toBe(guessed);
    expect(codec.decode(codec.encode('a.b')!)).toBe('a.b');
  });

  it('keeps the readable characters of a name', () => {
    expect(createNameCodec(['github.create issue']).encode('github.create issue')).toMatch(
      /^github_create_issue_[0-9a-f]{8}$/,
    );
    expect(encodeName('é'.repeat(80), () => false)).toHaveLength(64);
  });

  it('returns undefined for unknown names', () => {
    const codec = createNameCodec(['a.b']);
    expect([codec.encode('c'), codec.decode('a.b'), codec.decode('constructor')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('takes no longer for many names with similar wire names', async () => {
    const make = (size: number): readonly string[] =>
      Array.from({ length: size }, (_, index) => `a${'.'.repeat(70)}${index}`);
    expect(await growthOf(make, (names) => void createNameCodec(names), 2_000)).toBeLessThan(linearGrowth);
  });
});
