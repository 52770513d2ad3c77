import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prefixValue } from '../../fixtures/prefix-value.ts';
import { repairJson } from './repair-json.ts';

const runs = process.env['HAFT_TEST_LONG'] === undefined ? 300 : 5_000;

const word = fc.string({ unit: 'grapheme', maxLength: 12 });
const awkward = fc.constantFrom(
  '"',
  '\\',
  '{',
  '}',
  '","',
  '": ',
  '\n',
  '</tool_call>',
  "'",
  '//',
  '/*',
  '#',
  '```',
  ', "a": ',
  ']',
);
const text = fc.array(fc.oneof(word, awkward), { maxLength: 5 }).map((parts) => parts.join(''));
const { document } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('object'),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
  object: fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'a', 'path')), tie('value'), {
    maxKeys: 4,
  }),
  document: fc.oneof(tie('object'), fc.array(tie('value'), { maxLength: 4 })),
}));
const spelled = fc
  .tuple(document, fc.constantFrom(0, 1, 2, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));

function isSpellable(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || value === null || Object.values(value).every((part) => isSpellable(part));
}

describe('repairJson', () => {
  it('leaves valid JSON unchanged and reports no risk', () => {
    fc.assert(
      fc.property(spelled, (json) => {
        const result = repairJson(json);
        expect(result).toEqual({ ok: true, value: JSON.parse(json), risk: 'none', complete: true, repairs: [] });
      }),
      { numRuns: runs },
    );
  });

  it('parses valid JSON like JSON.parse even if the repairing parser runs', () => {
    fc.assert(
      fc.property(spelled, (json) => {
        // A comma after the last member is the smallest damage that JSON.parse rejects.
        const damaged = `${json.slice(0, -1).trimEnd()}${/^[[{]\s*[\]}]$/.test(json) ? '' : ','}${json.at(-1)} `;
        const result = repairJson(damaged);
        expect(result.ok && result.value).toEqual(JSON.parse(json));
        expect(result.ok && result.complete).toBe(true);
        expect(result.ok && ['none', 'safe']).toContain(result.ok && result.risk);
      }),
      { numRuns: runs },
    );
  });

  it('parses its own output to the same value', () => {
    fc.assert(
      fc.property(fc.oneof(spelled, fc.string({ maxLength: 40 })), fc.nat(), fc.nat(), (json, from, length) => {
        const at = from % (json.length + 1);
        const result = repairJson(json.slice(0, at) + json.slice(at + (length % 3)));
        // JSON.parse returns Infinity for 1e999, which JSON can't represent.
        if (!result.ok || !isSpellable(result.value)) return;
        const again = repairJson(JSON.stringify(result.value));
        expect(again).toEqual({ ok: true, value: result.value, risk: 'none', complete: true, repairs: [] });
      }),
      { numRuns: runs },
    );
  });

  it('returns for every prefix of a document the prefix of its value, and never calls it complete', () => {
    fc.assert(
      fc.property(spelled, (json) => {
        for (let end = 1; end < json.trimEnd().length; end += 1) {
          const result = repairJson(json.slice(0, end), { stopped: 'length' });
          const expected = prefixValue(json.slice(0, end));
          expect({ cut: json.slice(0, end), value: result.ok && result.value }).toEqual({
            cut: json.slice(0, end),
            value: expected,
          });
          expect(result.ok && result.complete).toBe(false);
          expect(result.ok && result.risk).toBe('truncated');
        }
      }),
      { numRuns: runs / 3 },
    );
  });

  it('returns a result for any text without throwing', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ':',
      ',',
      '\\',
      '`',
      '```',
      '//',
      '/*',
      '*/',
      '#',
      '\n',
      ' ',
      'a',
      'true',
      'None',
      '1',
      '-',
      '.',
      '=',
      '(',
      ')',
      '“',
      '&quot;',
      '\\"',
      '""',
      '"""',
      '<',
      '\u0000',
      '\ud800',
      '…',
      '+',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
        ),
        (anything) => {
          const result = repairJson(anything);
          expect(typeof result.ok).toBe('boolean');
        },
      ),
      { numRuns: runs * 5 },
    );
  });
});
