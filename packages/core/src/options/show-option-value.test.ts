import { describe, expect, it } from 'vitest';
import { showName, showValue } from './show-option-value.ts';

describe('showValue', () => {
  it.each<[unknown, string]>([
    ['gpt', '"gpt"'],
    ['a\nb\u2028c\u202Ed', '"a b c d"'],
    ['x'.repeat(100), `"${'x'.repeat(60)}…"`],
    [5, '5'],
    [null, 'null'],
    [undefined, 'undefined'],
    [Symbol('s'), 'a symbol'],
    [() => 1, 'a function'],
    [[1], 'a list'],
    [{ password: 'p' }, 'an object'],
    [Promise.resolve(1), 'a promise: await it'],
  ])('formats %j on one line', (value, expected) => {
    expect(showValue(value)).toBe(expected);
  });

  it.each([
    'sk-abcdefghijklmnop1234',
    'ghp_abcdefghijklmnopqrst1234',
    'Bearer abcdefgh.12345678',
    'postgres://haft:s3cret@db.example/haft',
    'password=s3cret',
    'BSAabcdefghijk1234567890lmn',
    `${'a '.repeat(20)}sk-abcdefghijklmnop1234`,
  ])('never shows the secret in %j', (text) => {
    const shown = showValue(text);
    expect(shown).toContain('[redacted]');
    expect(shown).not.toMatch(/s3cret|1234/);
  });

  it('hides the value of an option whose name is that of a secret', () => {
    expect(showValue('hunter2', 'login.clientSecret')).toBe('a string of 7 characters');
    expect(showValue(123_456, 'token')).toBe('a number');
    expect(showValue('hunter2', 'keys.password[0]')).toBe('a string of 7 characters');
    expect(showValue(undefined, 'apiKey')).toBe('undefined');
  });

  it('formats a number of any size', () => {
    expect(showValue(5n)).toBe('5');
  });

  it('handles an object that throws when it is read', () => {
    const hostile = new Proxy(
      {},
      {
        has: () => {
          throw new Error('no');
        },
      },
    );
    expect(showValue(hostile)).toBe('an object');
  });
});

describe('showName', () => {
  it('quotes a name that is not one word, and cuts a long name', () => {
    expect(showName('modle')).toBe('modle');
    expect(showName('a b\nc')).toBe('"a b c"');
    expect(showName('x'.repeat(100))).toBe(`"${'x'.repeat(60)}…"`);
  });
});
