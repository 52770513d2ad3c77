import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { redactSecrets, redactText } from './redact-event-secrets.ts';

describe('redactSecrets', () => {
  it('masks values under keys that name secrets, at any depth', () => {
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

  it('masks patterns of secrets inside text', () => {
    const secrets = [
      'curl -H "Authorization: Bearer abc.def-ghi123"',
      'api_key=sekret-value',
      'export TOKEN: hunter22',
      'AKIAABCDEFGHIJKLMNOP',
      `ghp_${'a1'.repeat(15)}`,
      `sk-proj-${'a1'.repeat(15)}`,
      `gsk_${'a1'.repeat(15)}`,
      `github_pat_${'a1'.repeat(15)}`,
      `xoxb-${'1'.repeat(12)}-${'a1'.repeat(8)}`,
      `glpat-${'a1'.repeat(10)}`,
      'postgres://ada:hunter22@db:5432/app',
      `AIza${'a1-_B'.repeat(7)}`,
      '-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----',
      '-----BEGIN PRIVATE KEY-----\nMIIE and the rest was cut',
    ];
    for (const text of secrets) expect(redactText(text), text).toMatch(/\[redacted\]/);
    expect(redactText(secrets.join('\n'))).not.toMatch(/MIIE|hunter22|sekret|ghi123/);
    expect(redactText('the tokenizer reads tokens, and passwords are never shown')).toBe(
      'the tokenizer reads tokens, and passwords are never shown',
    );
  });

  it('copies __proto__ as an own member and omits levels that are too deep', () => {
    const hostile: unknown = JSON.parse('{"__proto__": {"token": "t"}}');
    expect(Object.getOwnPropertyNames(redactSecrets(hostile))).toEqual(['__proto__']);
    let deep: unknown = 'end';
    for (let level = 0; level < 100_000; level += 1) deep = [deep];
    expect(JSON.stringify(redactSecrets(deep))).toContain('[too deep]');
  });

  it('masks only the values after names of secrets, in any style of quotes', () => {
    const masked: Readonly<Record<string, string>> = {
      '{"user": "u", "password": "a b\\"c", "n": 1}': '{"user": "u", "password": "[redacted]", "n": 1}',
      "{'client_secret': 'x', n: 1}": "{'client_secret': '[redacted]', n: 1}",
      '{user: "u", accessToken: "hunter2"}': '{user: "u", accessToken: "[redacted]"}',
      '"{\\"api_key\\": \\"hunter2\\", \\"n\\": 1}"': '"{\\"api_key\\": \\"[redacted]\\", \\"n\\": 1}"',
      'DB_PASSWORD=hunter2 npm start': 'DB_PASSWORD=[redacted] npm start',
      '?token=hunter2&page=1': '?token=[redacted]&page=1',
      '{"password": "cut in the midd': '{"password": "[redacted]',
      'Authorization: ApiKey hunter2\nAccept: text': 'Authorization: [redacted]\nAccept: text',
      '-H "Cookie: sid=hunter2; b=1" x': '-H "Cookie: [redacted]" x',
      '{"password": "", "n": 1}': '{"password": "", "n": 1}',
    };
    for (const [text, expected] of Object.entries(masked)) expect(redactText(text)).toBe(expected);
  });

  it.each([
    'the token: expired yesterday',
    'secret: none configured',
    'Access token: Missing.',
    'invalid api key: rotate it first, then retry',
    'password: must have 8 characters',
    'expected { user: string, password: string }',
    'it has no permission for FileSystemRead of /etc/secret: declare capabilities.fs.read',
  ])('keeps the words of %j', (text) => {
    expect(redactText(text)).toBe(text);
  });

  it.each([
    ['token: hunter22 expired', 'token: [redacted] expired'],
    ['token: abcdefghijklmnop expired', 'token: [redacted] expired'],
    ['token: ABCDEFGH expired', 'token: [redacted] expired'],
    ['token: swordfish', 'token: [redacted]'],
    ['token: swordfish user: ada', 'token: [redacted] user: ada'],
    ['token: swordfish user=ada', 'token: [redacted] user=ada'],
    ['token: swordfish\nthe rest', 'token: [redacted]\nthe rest'],
    ['token: "expired yesterday"', 'token: "[redacted]"'],
    ['token=expired yesterday', 'token=[redacted] yesterday'],
    ['token:expired yesterday', 'token:[redacted] yesterday'],
    ['token: none-of-your-business', 'token: [redacted]'],
    ['token: correct.horse is wrong', 'token: [redacted] is wrong'],
    ['secret: swordfish was rejected', 'secret: [redacted] was rejected'],
    ['password: swordfish was rejected', 'password: [redacted] was rejected'],
    ['credentials: swordfish was rejected', 'credentials: [redacted] was rejected'],
    ['Cookie: missing here', 'Cookie: [redacted]'],
    ['the token: secret: hunter22', 'the token: secret: [redacted]'],
    ['the token: expired password: hunter22', 'the token: expired password: [redacted]'],
  ])('masks the value in %j', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it('masks JSON Web Tokens anywhere in a run of characters', () => {
    const token = `eyJ${'a'.repeat(10)}.${'b'.repeat(10)}.${'c'.repeat(10)}`;
    expect(redactText(`x ${token}, y`)).toBe('x [redacted], y');
    expect(redactText(`id-${token}.rest`)).toBe('id-[redacted].rest');
    expect(redactText(`${token}.${token}`)).toBe('[redacted].[redacted]');
    expect(redactText('eyJshort.b.c')).toBe('eyJshort.b.c');
    expect(redactText('see node.example.com and eyJ')).toBe('see node.example.com and eyJ');
  });

  it('limits the copy of shared and cyclic values', () => {
    let shared: unknown = { token: 'hunter2' };
    for (let level = 0; level < 30; level += 1) shared = { a: shared, b: shared };
    expect(JSON.stringify(redactSecrets(shared)).length).toBeLessThan(10_000_000);
    const circle: Record<string, unknown> = {};
    circle['again'] = [circle, circle];
    const text = JSON.stringify(redactSecrets(circle));
    expect(text.length).toBeLessThan(10_000_000);
    expect(text).toMatch(/too (?:deep|large)/);
    expect(redactSecrets(Array.from({ length: 30_000 }, () => 1))).toContain('[10000 more]');
  });

  it('never throws', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const throwing = Object.defineProperty({}, 'a', { enumerable: true, get: () => [].at(0)!['x'] });
    expect([redactSecrets([proxy]), redactSecrets(throwing)]).toEqual(['[unreadable]', '[unreadable]']);
  });

  it.each([
    'token=',
    'token: ',
    'token: expired ',
    'token: gone now ',
    'Bearer ',
    '-----BEGIN PRIVATE KEY-----',
    'eyJaaaaaaaa.',
    'eyJaaaaaaaa-',
    'eyJ-',
    'password   ',
    '-----BEGIN ',
    'token="',
    'token=\\"',
    'ghp_aaaaaaaaaaaaaaaaaaaaaaa_',
    'sk-',
  ])('takes linear time for text that only contains %j', async (unit) => {
    const makeText = (count: number): string => unit.repeat(count);
    expect(await growthOf(makeText, (text) => void redactText(text), 2_000)).toBeLessThan(linearGrowth);
  });
});
