import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkEndpoint } from './check-endpoint.ts';

const { signal } = new AbortController();

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** A server that lists two models, to all clients or only with the key `right`. */
function serveModels(needsKey: boolean): Promise<string> {
  return serve(({ url, method, headers }, response) => {
    const isAllowed = !needsKey || headers.authorization === 'Bearer right';
    const status = method !== 'GET' || url !== '/v1/models' ? 404 : isAllowed ? 200 : 401;
    response.writeHead(status).end(JSON.stringify({ data: [{ id: 'tiny:latest' }, { id: 'models/small' }, 7] }));
  });
}

describe('checkEndpoint', () => {
  test('accepts a right key, and refuses a wrong or missing one', async () => {
    const baseUrl = await serveModels(true);
    expect(await checkEndpoint({ baseUrl, model: 'tiny', apiKey: 'right' }, signal)).toBeUndefined();
    await expect(checkEndpoint({ baseUrl, model: 'tiny', apiKey: 'wrong' }, signal)).rejects.toThrow(
      'refuses the key (status 401)',
    );
    await expect(checkEndpoint({ baseUrl, model: 'tiny' }, signal)).rejects.toThrow('needs a key (status 401)');
  });

  test('says that a key could not be checked if the server lists its models without a key', async () => {
    const baseUrl = await serveModels(false);
    expect(await checkEndpoint({ baseUrl, model: 'small' }, signal)).toBeUndefined();
    expect(await checkEndpoint({ baseUrl, model: 'small', apiKey: 'any' }, signal)).toBe(
      'The key could not be checked, because the server lists its models without a key.',
    );
  });

  test.each(['sk-\u2026abc', 'two words', 'line\nbreak'])(
    'refuses the key %j without showing or sending it',
    async (apiKey) => {
      const check = checkEndpoint({ baseUrl: 'http://127.0.0.1:1/v1', model: 'm', apiKey }, signal);
      await expect(check).rejects.toThrow(
        /^the key contains a blank or another character that keys do not have: copy the key again$/,
      );
    },
  );

  test.each([
    ['http://me:secret@127.0.0.1:1/v1', /^the URL must not contain a user name or password$/],
    ['http://[', /^the URL is not valid/],
  ])('refuses the URL %s', async (baseUrl, message) => {
    await expect(checkEndpoint({ baseUrl, model: 'm' }, signal)).rejects.toThrow(message);
  });

  test('stops to read an endless list of models', async () => {
    const baseUrl = await serve((_, response) => {
      const more = (): void => void (response.destroyed || (response.write('x'.repeat(1_000_000)), setImmediate(more)));
      more();
    });
    expect(await checkEndpoint({ baseUrl, model: 'm' }, signal)).toContain('the URL may be wrong');
  });

  test('ends the check when the program ends', async () => {
    const ended = new AbortController();
    const baseUrl = await serve(() => ended.abort());
    await expect(checkEndpoint({ baseUrl, model: 'm' }, ended.signal)).rejects.toThrow('no server responds');
  });

  test('says that the server does not list the model', async () => {
    const baseUrl = await serveModels(true);
    expect(await checkEndpoint({ baseUrl, model: 'huge', apiKey: 'right' }, signal)).toBe(
      'The server does not list a model named huge: check the name.',
    );
  });

  test.each([403, 404, 500])('does not take status %i for a refusal of the key', async (status) => {
    const baseUrl = await serve((_, response) => response.writeHead(status).end());
    expect(await checkEndpoint({ baseUrl, model: 'm', apiKey: 'k' }, signal)).toBe(
      `The key could not be checked. The server does not list its models (status ${status}), so the name of the model could not be checked.`,
    );
  });

  test('sends the key to no other server', async () => {
    const keys: (string | undefined)[] = [];
    const other = await serve(({ headers }, response) => {
      keys.push(headers.authorization);
      response.end('{"data":[]}');
    });
    const baseUrl = await serve((_, response) => response.writeHead(307, { location: `${other}/models` }).end());
    expect(await checkEndpoint({ baseUrl, model: 'm', apiKey: 'k' }, signal)).toContain('could not be checked');
    expect(keys).toEqual([]);
  });

  test('says that a web page is no list of models, and gives the reason if no server responds', async () => {
    const baseUrl = await serve((_, response) => response.end('<!doctype html>'));
    expect(await checkEndpoint({ baseUrl, model: 'm' }, signal)).toContain('the URL may be wrong');
    const closed = 'http://127.0.0.1:1/v1';
    await expect(checkEndpoint({ baseUrl: closed, model: 'm' }, signal)).rejects.toThrow(
      `no server responds at ${closed}: `,
    );
  });
});
