import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createNetworkGuard } from '@haft/sandbox';
import { expect, it, onTestFinished } from 'vitest';
import { createGuardedStreamFetch } from './guarded-stream-fetch.ts';

/** Returns the URL of a server that sends a text to each client that connects. */
async function serveText(text: string): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(text));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it.each([
  ['a status above 599', 'HTTP/1.1 999 Odd\r\ncontent-length: 0\r\n\r\n'],
  ['a status of 0', 'HTTP/1.1 000 Odd\r\ncontent-length: 0\r\n\r\n'],
  ['no head', 'nothing\r\n\r\n'],
  ['an unfinished head', 'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n'],
])('rejects a response with %s', async (_what, text) => {
  const fetch = createGuardedStreamFetch(createNetworkGuard({ allow: ['127.0.0.1'] }));
  await expect(fetch(await serveText(text))).rejects.toThrow();
});

it('returns any other status, with repeated headers', async () => {
  const fetch = createGuardedStreamFetch(createNetworkGuard({ allow: ['127.0.0.1'] }));
  const head = 'HTTP/1.1 404 Not Found\r\nset-cookie: a=1\r\nset-cookie: b=2\r\ncontent-length: 2\r\n\r\nno';
  const response = await fetch(await serveText(head));
  expect([response.status, response.headers.getSetCookie(), await response.text()]).toEqual([
    404,
    ['a=1', 'b=2'],
    'no',
  ]);
});
