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

  it('takes time in proportion to the text, whatever the text', () => {
    const measure = (text: string): number => {
      let best = Infinity;
      for (let round = 0; round < 5; round += 1) {
        const start = performance.now();
        redactText(text);
        best = Math.min(best, performance.now() - start);
      }
      return best;
    };
    for (const unit of [
      'token=',
      'Bearer ',
      '-----BEGIN PRIVATE KEY-----',
      'eyJaaaaaaaa.',
      'password   ',
      '-----BEGIN ',
    ]) {
      const small = measure(unit.repeat(2_000));
      const large = measure(unit.repeat(8_000));
      // Four times the text: quadratic would be 16 times the time. The constant absorbs timer noise.
      expect(large, unit).toBeLessThan(small * 10 + 5);
    }
  });
});
