import { describe, expect, it } from 'vitest';
import { repairJson } from '../document/repair-json.ts';
import { mayHoldInfinity } from './may-hold-infinity.ts';

describe('mayHoldInfinity', () => {
  it.each([200, 209, 210, 250, 308, 309])(
    'finds a number of %i digits if an exponent of two digits makes it infinite',
    (digits) => {
      for (const exponent of ['', 'e9', 'e98', 'e99', 'E+99', 'e100']) {
        for (const before of ['', '-', ' '.repeat(100)]) {
          const text = `${before}${'9'.repeat(digits)}${exponent}`;
          if (!Number.isFinite(Number(text))) expect(mayHoldInfinity(`{"n":${text}}`)).toBe(true);
        }
      }
    },
  );

  it('passes long numbers that a double can represent', () => {
    expect(mayHoldInfinity(`[${'1'.repeat(209)}e99]`)).toBe(false);
    expect(mayHoldInfinity(`[0.${'1'.repeat(200)}e99, 1e99]`)).toBe(false);
  });
});

describe('repairJson', () => {
  it('reads a number that only its exponent makes infinite as null, and reports it', () => {
    const result = repairJson(`{"n": ${'7'.repeat(250)}e70, "m": 1}`);
    expect(result).toMatchObject({ ok: true, value: { n: null, m: 1 }, risk: 'lossy' });
  });
});
