import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { redactSecrets, redactText } from './redact-secrets.ts';

describe('redactSecrets', () => {
  it('masks what stands under keys that name secrets, at any depth', () => {
    const value = {
      user: 'a',
      Password: 'p',
      nested: [{ api_key: 'k', 'x-api-key': 'k', accessToken: 't', tokens: 5 }],
    };
    expect(redactSecrets(value)).toEqual({
      user: 'a',
      Password: '[redacted]',
      nested: [{ api_key: '[redacted]', 'x-api-key': '[redacted]', accessToken: '[redacted]', tokens: 5 }],
    });
    expect(value.Password).toBe('p');
  });

  it('masks shapes of secrets inside text', () => {
    const secrets = [
      'curl -H "Authorization: Bearer abc.def-ghi123"',
      'api_key=sekret-value',
      'export TOKEN: hunter22',
      'AKIAABCDEFGHIJKLMNOP',
      `ghp_${'a1'.repeat(15)}`,
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----\nMIIE and the rest was cut',
    ];
    for (const text of secrets) expect(redactText(text), text).toMatch(/\[redacted\]/);
    expect(redactText(secrets.join('\n'))).not.toMatch(/MIIE|hunter22|sekret|ghi123/);
    expect(redactText('the tokenizer reads tokens, and passwords are never shown')).toBe(
      'the tokenizer reads tokens, and passwords are never shown',
    );
  });

  it('copies __proto__ as an own member and cuts what is too deep', () => {
    const hostile: unknown = JSON.parse('{"__proto__": {"token": "t"}}');
    expect(Object.getOwnPropertyNames(redactSecrets(hostile))).toEqual(['__proto__']);
    let deep: unknown = 'end';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(redactSecrets(deep))).toContain('[too deep]');
  });

  it.each(['token=', 'Bearer ', '-----BEGIN PRIVATE KEY-----', 'eyJaaaaaaaa.', 'password   ', '-----BEGIN '])(
    'takes time in proportion to a text of nothing but %j',
    async (unit) => {
      const makeText = (count: number): string => unit.repeat(count);
      expect(await growthOf(makeText, (text) => void redactText(text), 2_000)).toBeLessThan(linearGrowth);
    },
  );
});
