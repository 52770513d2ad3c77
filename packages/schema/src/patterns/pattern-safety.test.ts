import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { canExplode } from './pattern-safety.ts';

describe('canExplode', () => {
  it.each([
    '^(a+)+$',
    '(a|a)*$',
    '(a|aa)+$',
    '([a-zA-Z]+)*$',
    '(.*a){20}',
    String.raw`^(\w+\s?)*$`,
    '(a*)*b',
    '(a*b*)*c',
    '^(([a-z])+.)+[A-Z]([a-z])+$',
    '(?=(a+)+$)a',
    String.raw`^(\d+|\w+)*$`,
    '(a?){40}a{40}',
    '^(?:a{1,20}){1,20}$',
    '((ab)*)*c',
    String.raw`^(.|\s)*$`,
    '(x+x+)+y',
    '^([^@]+|b)+@$',
    '((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9}',
  ])('finds two paths through a loop of %s', (pattern) => {
    expect(canExplode(pattern)).toBe(true);
  });

  it.each([
    '',
    '[]',
    '[^]',
    '^.*$',
    'a*a*',
    '^(a|b)*$',
    '[0-9a-f]{32}',
    String.raw`^[\w.-]+$`,
    String.raw`^\d{4}-\d{2}-\d{2}$`,
    '^[a-z0-9]+(?:-[a-z0-9]+)*$',
    String.raw`^[^\s]+(\s+[^\s]+)*$`,
    String.raw`^(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}$`,
    String.raw`^https?://[^\s/$.?#].[^\s]*$`,
    '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$',
    String.raw`^([0-9]{1,3}\.){3}[0-9]{1,3}$`,
    String.raw`^\p{L}+(?: \p{L}+)*$`,
    String.raw`(["']).*?\1`,
    '^(foo|bar|baz)(,(foo|bar|baz))*$',
    '^(?!-)[A-Za-z0-9-]{1,63}(?<!-)$',
    String.raw`^(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-((?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?$`,
    String.raw`^\/(?:[^/]+\/)*$`,
    `(${Array.from({ length: 150 }, (_, index) => `word${index}`).join('|')})(,x)*`,
  ])('accepts %s', (pattern) => {
    expect(canExplode(pattern)).toBe(false);
  });

  it('accepts the patterns of zod', () => {
    const schemas = [
      z.email(), z.uuid(), z.url(), z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6(), z.base64(), z.base64url(), z.cuid(),
      z.cuid2(), z.ulid(), z.iso.date(), z.iso.datetime({ offset: true }), z.iso.time(), z.iso.duration(), z.nanoid(),
      z.e164(), z.string().lowercase(), z.templateLiteral(['a', z.number(), 'b']),
    ]; // prettier-ignore
    const patterns = schemas.flatMap((schema) => {
      const found: unknown = z.toJSONSchema(schema).pattern;
      return typeof found === 'string' ? [found] : [];
    });
    expect(patterns.length).toBeGreaterThan(12);
    expect(patterns.filter((pattern) => canExplode(pattern))).toEqual([]);
  });
});
