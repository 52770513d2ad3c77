import { describe, expect, it } from 'vitest';
import { repairJson } from '../document/repair-json.ts';
import { holdsInfinity } from './holds-infinity.ts';

describe('holdsInfinity', () => {
  it.each([
    '1e999',
    '-1e400',
    '[1, 1e309]',
    '{"a": [{"b": 1e999}], "c": 1}',
    `${'['.repeat(9_000)}1e999${']'.repeat(9_000)}`,
  ])('finds a number that is too large for a double', (text) => {
    expect(holdsInfinity(JSON.parse(text))).toBe(true);
  });

  it.each(['1e308', '"1e999"', 'null', '{"a": [{"b": "Infinity"}, null, 0.1], "1e999": true}'])(
    'passes other values',
    (text) => {
      expect(holdsInfinity(JSON.parse(text))).toBe(false);
    },
  );
});

describe('repairJson', () => {
  it('reads a number that only its exponent makes infinite as null, and reports it', () => {
    const result = repairJson(`{"n": ${'7'.repeat(250)}e70, "m": 1}`);
    expect(result).toMatchObject({ ok: true, value: { n: null, m: 1 }, risk: 'lossy' });
  });
});
