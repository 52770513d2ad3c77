import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { answerJson, startBadHttpServer } from '../fixtures/bad-http-server.ts';
import { createTestConnection, unfenced } from '../fixtures/test-connection.ts';
import { createEventCheck } from './check-http-answers.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

/** Connects to a server that answers calls as given. Its time limit is longer than that of a test. */
async function open(
  answer: (id: number, response: ServerResponse) => void,
  era: 'legacy' | 'modern' = 'legacy',
): ReturnType<typeof createTestConnection> {
  const server = await startBadHttpServer(({ id, method }, response) => {
    if (id === undefined) return false;
    if (method === 'tools/call') answer(id, response);
    else if (era === 'modern' && method === 'server/discover') {
      const server = { supportedVersions: ['2026-07-28'], serverInfo: { name: 'bad', version: '1' } };
      answerJson(response, { id, result: { ...server, capabilities: { tools: {} } } });
    } else return false;
    return true;
  });
  cleanups.push(() => server.close());
  const opened = await createTestConnection({ url: server.url, name: 'bad', idleTimeoutMs: 600_000 });
  cleanups.push(() => opened.connection.close());
  expect(opened.connection.protocol.era).toBe(era);
  return opened;
}

const json = (response: ServerResponse, value: unknown): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value));
/** Sends an event, and leaves the stream open. */
const event = (response: ServerResponse, value: unknown): void =>
  void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`data: ${JSON.stringify(value)}\n\n`);

describe('a malformed response over HTTP', () => {
  const result = { content: [] };
  it.each<[string, string, (id: number) => unknown]>([
    ['both', 'both a result and an error', (id) => ({ jsonrpc: '2.0', id, result, error: { code: 1, message: 'x' } })],
    ['neither', 'neither a result nor an error', (id) => ({ jsonrpc: '2.0', id })],
    ['no version', 'not JSON-RPC 2.0', (id) => ({ id, result })],
    ['a text as result', 'a result that is not an object', (id) => ({ jsonrpc: '2.0', id, result: 'done' })],
    ['a text as error', 'an error without a code and a message', (id) => ({ jsonrpc: '2.0', id, error: 'no' })],
  ])('fails its call at once and names the fault (%s)', async (_kind, fault, make) => {
    let respond = json;
    const { call } = await open((id, response) => respond(response, make(id)));
    for (respond of [json, event]) {
      const failed = await call('bad_act');
      expect(failed).toMatchObject({ ok: false, error: { code: 'REMOTE_ERROR' } });
      expect(unfenced(failed)).toBe(`the server sent a malformed response: ${fault}`);
    }
  });

  it('fails its call at once when a stream contains a batch, which only a JSON body may be', async () => {
    let respond = event;
    const { call } = await open((id, response) => respond(response, [{ jsonrpc: '2.0', id, result }]));
    expect(unfenced(await call('bad_act'))).toBe('the server sent a malformed response: a batch');
    respond = json;
    expect((await call('bad_act')).ok).toBe(true);
  });

  it.each<[string, (id: number) => unknown]>([
    ['another id', (id) => ({ jsonrpc: '2.0', id: id + 1_000, result })],
    ['a notification', () => ({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info' } })],
    ['nothing', () => []],
    ['null', () => null],
  ])('fails its call at once when a JSON body does not answer it (%s)', async (_kind, make) => {
    const { call } = await open((id, response) => json(response, make(id)));
    expect(unfenced(await call('bad_act'))).toBe(
      'the server sent a malformed response: it does not answer the request',
    );
  });

  it('passes on the error of a server that could not read the request, which has no id', async () => {
    const error = { code: -32_700, message: 'not readable' };
    const { call } = await open((_id, response) => json(response, { jsonrpc: '2.0', id: null, error }));
    const failed = await call('bad_act');
    expect(failed).toMatchObject({ ok: false, error: { details: { code: -32_700 } } });
    expect(unfenced(failed)).toBe('not readable');
  });

  it('fails its call at once in the modern era when the server only accepts the request', async () => {
    const { call } = await open((_id, response) => void response.writeHead(202).end(), 'modern');
    expect(unfenced(await call('bad_act'))).toBe('the server answered status 202 without an answer to the request');
  });

  it('fails its call and says so when the body is cut off', async () => {
    const { call } = await open((_id, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
      response.write('{"jsonrpc"', () => response.destroy());
    });
    expect(unfenced(await call('bad_act'))).toBe(
      'the response of the server ended after 10 bytes, before it was complete',
    );
  });
});

describe('the body of a failed request', () => {
  it('is read up to a limit, however long it is, and its status is named', async () => {
    let written = 0;
    const stopped = Promise.withResolvers<void>();
    const { call } = await open((_id, response) => {
      response.writeHead(500, { 'content-type': 'text/plain' });
      response.once('close', stopped.resolve);
      const write = (): void => {
        while (!response.destroyed && response.write('x'.repeat(65_536))) written += 65_536;
        response.once('drain', write);
      };
      write();
    });
    const failed = await call('bad_act');
    expect(failed).toMatchObject({ ok: false, error: { code: 'REMOTE_ERROR', details: { status: 500 } } });
    expect(unfenced(failed)).toMatch(/^HTTP status 500: .*x{100}/);
    await stopped.promise;
    expect(written).toBeLessThan(64 * 1024 * 1024);
  });
});

describe('the check of events', () => {
  /** Returns what follows an event in chunks of a size. */
  const check = (text: string, size: number): string => {
    const events = createEventCheck();
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.byteLength; at += size) events.add(bytes.subarray(at, at + size));
    return Buffer.from(events.end() ?? []).toString();
  };
  const broken = '{"jsonrpc":"2.0","id":7}';

  it.each([1, 5, 1_000])('finds a malformed response in chunks of %d bytes and any form of fields', (size) => {
    for (const text of [
      `data: ${broken}\n\n`,
      `event: message\r\nid: 3\r\ndata:${broken}\r\n\r\n`,
      `: comment\ndata: {"jsonrpc":"2.0",\ndata: "id":7}\n\n`,
    ])
      expect(JSON.parse(check(text, size).slice('data: '.length))).toMatchObject({ id: 7, error: { code: -32_000 } });
  });

  it('adds nothing to other events', () => {
    for (const text of [
      ': comment\n\n',
      `event: endpoint\ndata: ${broken}\n\n`,
      'data: {"jsonrpc":"2.0","id":7,"result":{}}\n\n',
      'data: {"jsonrpc":"2.0","id":7,"method":"ping"}\n\n',
      'data: {\n\n',
      `data: {"jsonrpc":"2.0","id":7,"more":"${'x'.repeat(100_000)}"}\n\n`,
    ])
      expect(check(text, 1_000)).toBe('');
  });
});
