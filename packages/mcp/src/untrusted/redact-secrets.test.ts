import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { createSecretRedactor } from './redact-secrets.ts';
import { answerJson, startBadHttpServer, type Misbehave } from '../fixtures/bad-http-server.ts';
import { createHandWrittenServer, type Answers } from '../fixtures/hand-written-server.ts';
import { createTestConnection, rawServer } from '../fixtures/test-connection.ts';
import { createConnection } from '../index.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

const secret = 'sEcr3t/to+ken="7 é';
const redactor = createSecretRedactor({ env: { TOKEN: secret }, headers: {} });

describe('a secret at a cut', () => {
  const long = 'tok-3nv1ron-zq81-longer-than-others';
  const cutting = createSecretRedactor({ env: { TOKEN: long }, headers: {} });
  const text = (given: string): string => cutting.text(given);

  it('is redacted at both ends of a text and at each ellipsis', () => {
    for (let length = 8; length < long.length; length += 1) {
      const [begin, end] = [long.slice(0, length), long.slice(-length)];
      for (const cut of [`it said ${begin}`, `it said "${begin}…" with status 500`, encodeURIComponent(`= ${begin}`)])
        expect(text(cut)).not.toContain(begin.slice(0, 8));
      for (const cut of [`${end} was said`, `it said …${end} here`]) expect(text(cut)).not.toContain(end.slice(-8));
    }
  });

  it('does not affect words that only resemble it', () => {
    for (const similar of [
      'it said tok-3nv',
      'tok-3nv1ron-zq80',
      'than-otherz',
      'a tok-3nv1ron in the middle of a text',
    ])
      expect(text(similar)).toBe(similar);
  });
});

/** Encodings in which servers return the text that they received. */
const encodings: readonly (readonly [string, (text: string) => string])[] = [
  ['as it is', (text) => text],
  ['percent-encoded', encodeURIComponent],
  ['percent-encoded, every byte', (text) => Buffer.from(text).toString('hex').replace(/../g, '%$&')],
  ['percent-encoded twice', (text) => encodeURIComponent(encodeURIComponent(text))],
  ['as a form', (text) => new URLSearchParams({ q: text }).toString().slice(2)],
  ['in JSON', JSON.stringify],
  ['in JSON in JSON', (text) => JSON.stringify(JSON.stringify({ text }))],
  [
    'with escapes of Unicode',
    (text) =>
      Array.from(text)
        .map((one) => `\\u${one.codePointAt(0)!.toString(16).padStart(4, '0')}`)
        .join(''),
  ],
  [
    'as entities',
    (text) =>
      Array.from(text)
        .map((one) => `&#${one.codePointAt(0)};`)
        .join(''),
  ],
  [
    'as hexadecimal entities',
    (text) =>
      Array.from(text)
        .map((one) => `&#x${one.codePointAt(0)!.toString(16)};`)
        .join(''),
  ],
  ['in base64', (text) => Buffer.from(text).toString('base64')],
  ['in base64 for URLs', (text) => Buffer.from(text).toString('base64url')],
  ['in base64, broken into lines', (text) => Buffer.from(text).toString('base64').replace(/.{8}/g, '$&\r\n')],
  ['in base64 in a URL', (text) => encodeURIComponent(Buffer.from(text).toString('base64'))],
  ['in hexadecimal digits', (text) => Buffer.from(text).toString('hex')],
  [
    'in separated hexadecimal digits',
    (text) =>
      Buffer.from(text)
        .toString('hex')
        .toUpperCase()
        .replace(/..(?=.)/g, '$&:'),
  ],
  ['with characters in it that are not seen', (text) => Array.from(text).join('\u200b')],
];
const ends = ['sEcr3t', 'ken='];
const base64Core = Buffer.from(secret).toString('base64').slice(3, 15);
const traces = [...ends, base64Core, Buffer.from('Ecr3t/to').toString('hex')];

describe('a secret in a text', () => {
  it.each(encodings)('is redacted %s, and the text around it stays', (_name, encode) => {
    const text = redactor.text(`before (${encode(secret)}) after`);
    expect(text).toMatch(/^before \(.{0,20}\[redacted\].{0,8}\) after$/);
    for (const trace of traces) expect(text.toLowerCase()).not.toContain(trace.toLowerCase());
  });

  it('is redacted in base64 of a longer text', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.string({ maxLength: 20 }), (before, after) => {
        const text = redactor.text(`Basic ${Buffer.from(before + secret + after).toString('base64')}`);
        expect(text).toContain('[redacted]');
      }),
    );
  });

  it.each([
    ['a bearer token', { authorization: 'Bearer abcdef123456' }, 'abcdef123456'],
    ['the password of Basic', { authorization: `Basic ${btoa('ann:pa55word')}` }, 'pa55word'],
    ['user and password of Basic', { authorization: `Basic ${btoa('ann:pa55word')}` }, 'ann:pa55word'],
    ['any header', { 'x-api-key': ' abcdef123456 ' }, 'abcdef123456'],
  ])('is redacted when it is %s', (_name, headers, known) => {
    expect(createSecretRedactor({ env: {}, headers: headers as Record<string, string> }).text(`(${known})`)).toBe(
      '([redacted])',
    );
  });

  it.each([
    'https://a.example/mcp?key=abc123%20def456',
    'https://a.example/abc123def456abc123/mcp',
    'https://a.example/#abc123def456',
  ])('is redacted when it is in the URL %s', (url) => {
    const text = createSecretRedactor({ env: {}, headers: {}, url }).text(`could not reach ${url} (abc123 def456)`);
    expect(text).not.toMatch(/abc123(?:%20)?def456/);
  });

  it('takes linear time to redact', () => {
    const many = createSecretRedactor({ env: { A: `${'x'.repeat(3_000)}y`, B: secret }, headers: {} });
    for (const unit of ['x', '\\', '%25', '&#', 'a b', '%78']) {
      const started = process.cpuUsage();
      many.text(unit.repeat(100_000));
      const { user, system } = process.cpuUsage(started);
      expect((user + system) / 1_000).toBeLessThan(3_000);
    }
  });
});

describe('a secret in an error', () => {
  it('is redacted in causes, collected errors and members', () => {
    const inner = Object.assign(new TypeError(`inner ${secret}`), {
      data: { [secret]: [{ deep: secret }] },
      code: 'E_X',
    });
    const collected = new AggregateError([inner, secret, { secret }], `all ${secret}`, { cause: inner });
    const thrown = Object.assign(
      new Error(`outer ${secret}`, {
        cause: { error: collected, request: new Request(`http://x/?${encodeURIComponent(secret)}`) },
      }),
      {
        name: secret,
      },
    );
    const safe = redactor.error(thrown);
    const shown = inspect(safe, { depth: Infinity, showHidden: true });
    for (const trace of traces) expect(shown).not.toContain(trace);
    expect(safe.message).toBe('outer [redacted]');
    expect(shown).toContain('E_X');
  });

  it('does not change the type of the error', () => {
    expect(redactor.error(new RangeError(secret))).toBeInstanceOf(RangeError);
    expect(redactor.error(secret)).toBeInstanceOf(Error);
    expect(redactor.error(undefined)).toBeInstanceOf(Error);
  });

  it('is redacted in cyclic errors and errors with throwing members', () => {
    const circle = new Error(secret);
    Object.assign(circle, { cause: circle });
    expect(inspect(redactor.error(circle), { depth: 5 })).not.toContain('sEcr3t');
    const trap = new Proxy(new Error(secret), {
      get: () => {
        throw new Error(secret);
      },
    });
    expect(inspect(redactor.error(trap), { depth: 5 })).not.toContain('sEcr3t');
  });
});

const token = 'tok-3nv1ron-zq81';
const encoded = [
  token,
  encodeURIComponent(`<${token}>`),
  btoa(`x${token}`),
  JSON.stringify(JSON.stringify(token)),
].join(' ');
const core = btoa(`x${token}`).slice(4, 16);

function expectNoTrace(value: unknown): void {
  const shown = inspect(value, { depth: Infinity, showHidden: true, maxArrayLength: null, maxStringLength: null });
  expect(shown).not.toContain(token);
  expect(shown).not.toContain(core);
}

describe('a server that repeats a secret', () => {
  const answers: Answers = {
    initialize: () => ({
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, resources: {}, prompts: {} },
      serverInfo: { name: `server ${token}`, version: token },
    }),
    'tools/call': ({ name }) =>
      name === 'act'
        ? { error: { code: -32_000, message: encoded, data: { headers: { token, deep: [encoded] } } } }
        : {},
    'resources/read': () => ({ error: { code: -32_002, message: encoded, data: { token } } }),
    'resources/list': () => ({ resources: [{ uri: 'a:b', name: 'b' }] }),
    'prompts/list': () => ({ prompts: [{ name: 'p' }] }),
    'prompts/get': () => ({ error: { code: -32_002, message: encoded, data: { token } } }),
  };

  it('shows it in no failure, rejection, event or description', async () => {
    const server = createHandWrittenServer(answers);
    const { connection, call, events, next } = await createTestConnection({
      name: 'evil',
      transport: server.transport,
      secrets: [token],
    });
    cleanups.push(() => connection.close());
    const result = await call('evil_act');
    expect(result).toMatchObject({ ok: false, error: { code: 'REMOTE_ERROR' } });
    expectNoTrace(result);
    const { library } = connection;
    const rejected = (task: Promise<unknown>): Promise<unknown> =>
      task.then(
        () => expect.unreachable(),
        (error: unknown) => error,
      );
    const [resource] = await library.resources();
    const [prompt] = await library.prompts();
    const tasks = [
      library.read('a:b'),
      library.subscribe('a:b'),
      resource!.read() as Promise<unknown>,
      prompt!.prepare({}, []) as Promise<unknown>,
      library.complete({ prompt: 'p', variable: 'v', typed: '', otherValues: {} }),
    ];
    for (const task of tasks) expectNoTrace(await rejected(task));
    const notifications = next('log');
    server.notify('notifications/resources/updated', { uri: `a:${token}` });
    server.notify('notifications/message', { level: 'info', logger: token, data: { token, encoded } });
    await notifications;
    expectNoTrace([events, connection.server, connection.diagnostics]);
  });

  it('shows it in no result with isError', async () => {
    const server = createHandWrittenServer({
      'tools/call': () => ({ isError: true, content: [{ type: 'text', text: encoded }], structuredContent: { token } }),
    });
    const { connection, call } = await createTestConnection({
      name: 'evil',
      transport: server.transport,
      secrets: [token],
    });
    cleanups.push(() => connection.close());
    const result = await call('evil_act');
    expectNoTrace([result.ok, result.content, result.advisories, result.metadata]);
  });

  it.each<[string, Misbehave]>([
    ['the text of an error', (_message, response) => void response.writeHead(500).end(encoded)],
    [
      'an error page',
      (_message, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(`<p>${encoded}`),
    ],
    ['a status', (_message, response) => void response.writeHead(403, encoded.replace(/[^ -~]/g, '')).end()],
    [
      'a redirect',
      (_message, response) => void response.writeHead(302, { location: `http://127.0.0.1:1/?${token}` }).end(),
    ],
    [
      'an error of the protocol',
      ({ id }, response) => answerJson(response, { id, error: { code: -32_000, message: encoded, data: { token } } }),
    ],
  ])('has it redacted from %s over HTTP', async (_name, misbehave) => {
    const server = await startBadHttpServer(misbehave);
    cleanups.push(() => server.close());
    const thrown: unknown = await createConnection({
      url: `${server.url}?key=${token}`,
      headers: { authorization: `Bearer ${token}` },
      startTimeoutMs: 5_000,
    }).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(Error);
    expectNoTrace(thrown);
  });

  it('has it redacted from its standard error', async () => {
    const thrown: unknown = await createConnection({
      ...rawServer('repeats-secret'),
      env: { TOKEN: token },
      startTimeoutMs: 5_000,
    }).catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: 'CONNECT_FAILED', stderr: expect.stringContaining('[redacted]') as string });
    expectNoTrace(thrown);
  });
});
