import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { formatExamples, formats } from './formats.ts';

const table: Readonly<Record<string, { readonly right: readonly string[]; readonly wrong: readonly string[] }>> = {
  date: {
    right: ['2024-02-29', '2000-02-29', '1999-12-31'],
    wrong: [
      '2023-02-29',
      '1900-02-29',
      '2024-13-01',
      '2024-00-10',
      '2024-04-31',
      '24-01-01',
      '2024-1-1',
      '২০২৪-01-01',
      '',
    ],
  },
  time: {
    right: ['00:00:00Z', '23:59:60Z', '12:30:15.123+05:30', '01:29:60+01:30', '10:00:00z'],
    wrong: ['24:00:00Z', '12:60:00Z', '12:00:61Z', '12:00:00', '22:59:60Z', '12:00Z', '12:00:00+24:00'],
  },
  'date-time': {
    right: ['2024-01-31T09:30:00Z', '2024-01-31t09:30:00.5-08:00', '2024-01-31 09:30:00Z'],
    wrong: ['2024-01-31', '2024-01-31T09:30:00', '2024-02-30T09:30:00Z', '2024-01-31T25:00:00Z', 'today'],
  },
  duration: {
    right: ['P1Y', 'PT30M', 'P1Y2M3DT4H5M6S', 'P2W', 'PT1H', 'P1M', 'P4DT12H30M5S'],
    wrong: ['P', 'PT', '1Y', 'P1YT', 'P1D2H', 'PT1D', 'P1W2D', 'P1Y2W', 'PT1H2S3M', ''],
  },
  email: {
    right: ['a@b', 'joe.bloggs+tag@example.com', '"joe bloggs"@example.com', 'joe@[127.0.0.1]', 'joe@[IPv6:::1]'],
    wrong: ['a', '@b', 'a@', '.a@b.c', 'a.@b.c', 'a..b@c.d', 'a b@c.d', 'a@b_c.d', 'a@-b.c', 'joe@[127.0.0.300]'],
  },
  hostname: {
    right: ['example.com', 'a', 'xn--4gbwdl.xn--wgbh1c', '1host', 'a'.repeat(63)],
    wrong: ['', '-a.b', 'a-.b', 'a_b', 'a..b', '.a', 'a'.repeat(64), `${'a.'.repeat(130)}a`],
  },
  ipv4: {
    right: ['0.0.0.0', '255.255.255.255'],
    wrong: ['256.0.0.1', '1.2.3', '01.2.3.4', '1.2.3.4.5', '1.2.3.4/8', '0x7f.0.0.1'],
  },
  ipv6: {
    right: ['::', '::1', '2001:db8::1', '1:2:3:4:5:6:7:8', '::ffff:192.0.2.1', '1::', '1:2:3:4:5:6:1.2.3.4'],
    wrong: [
      '1',
      ':1',
      '1:2:3:4:5:6:7',
      '1:2:3:4:5:6:7:8:9',
      '1::2::3',
      '::12345',
      '1:2:3:4:5:6:7::8',
      '::1.2.3',
      'fe80::1%eth0',
    ],
  },
  uri: {
    right: [
      'https://example.com/a?b=c#d',
      'urn:isbn:0451450523',
      'mailto:a@b.c',
      'http://[2001:db8::7]/x',
      'file:///etc/hosts',
      'tel:+1-816-555-1212',
    ],
    wrong: [
      'example.com',
      '//example.com',
      '/path',
      'http://a b',
      'http://x/%zz',
      'http://a/<b>',
      'http://[::1',
      'bar,baz:foo',
      String.raw`c:\windows`,
      '',
    ],
  },
  'uri-reference': {
    right: ['/a/b', '../a', '#x', '', '?q', 'https://example.com', 'a/b:c'],
    wrong: [String.raw`\\host\share`, '#a#b', 'a b', '1:b'],
  },
  uuid: {
    right: [
      '123e4567-e89b-42d3-a456-426614174000',
      '00000000-0000-0000-0000-000000000000',
      '2EB8AA08-AA98-11EA-B4AA-73B441D16380',
    ],
    wrong: [
      '123e4567e89b42d3a456426614174000',
      '123e4567-e89b-42d3-a456-42661417400',
      'g23e4567-e89b-42d3-a456-426614174000',
    ],
  },
  'json-pointer': { right: ['', '/a/b', '/a~0b/~1', '/'], wrong: ['a', '/~2', '/a~', '#/a'] },
  'relative-json-pointer': { right: ['0', '1/a', '2#', '0/~01'], wrong: ['/a', '-1', '01', '1#a', ''] },
  regex: { right: ['^a+$', '', String.raw`\d`], wrong: ['(', '[', String.raw`\a`] },
};

describe('formats', () => {
  it('are all covered by these test cases', () => {
    expect(Object.keys(table).toSorted()).toEqual([...formats.keys()].toSorted());
  });

  describe.each(Object.entries(table))('%s', (name, { right, wrong }) => {
    const isRight = formats.get(name) as (text: string) => boolean;

    it.each(right)('accepts %j', (text) => {
      expect(isRight(text)).toBe(true);
    });

    it.each(wrong)('refuses %j', (text) => {
      expect(isRight(text)).toBe(false);
    });
  });

  it('have valid examples', () => {
    for (const [name, example] of Object.entries(formatExamples)) expect(formats.get(name)?.(example)).toBe(true);
  });

  it('take time in proportion to the text, for any text', async () => {
    const attacks = ['a', '1:', '.', '"\\"', '1Y', '[', '%41', 'a.', '~0/', '1.'];
    for (const [name, isRight] of formats) {
      if (name === 'regex') continue;
      for (const attack of attacks) {
        const makeText = (length: number): string => `P"http://${attack.repeat(length)}!`;
        const check = (text: string): void => [0, 1, 9].forEach((start) => isRight(text.slice(start)));
        expect(await growthOf(makeText, check, 5_000), `${name} of ${attack}`).toBeLessThan(linearGrowth);
      }
    }
  });
});
