import { request } from 'node:http';
import { allowAll, createDispatcher, defineTool, type PermissionEngine } from '@haft/core';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpHandler, serve, type ListenOptions } from '../../index.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

const who = defineTool({
  name: 'who',
  description: 'Tells in which session the caller is.',
  kind: 'read',
  execute: (_args, { session, sessionId }) => JSON.stringify([sessionId, session.id]),
});

const accept = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const greeting = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'who', arguments: {} } };

async function start(http: ListenOptions, permission: PermissionEngine = allowAll): Promise<string> {
  const server = serve(createDispatcher({ registry: [who], permission }), { http });
  cleanups.push(() => server.close());
  return (await server.ready).url!;
}

/** Starts an HTTP session and returns a function that asks for the session that the tool sees. */
async function openSession(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<() => Promise<string>> {
  const post = (body: object, more: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(url, { method: 'POST', headers: { ...accept, ...headers, ...more }, body: JSON.stringify(body) });
  const begun = await post(greeting);
  await begun.text();
  const id = begun.headers.get('mcp-session-id');
  return async () => readSession(await (await post(call, id === null ? {} : { 'mcp-session-id': id })).text());
}

/** Returns the id in an answer, after checking that the tool's context and its session agree. */
function readSession(answer: string): string {
  const [, sessionId, session] = /\[\\"([^"]*)\\",\\"([^"]*)\\"\]/.exec(answer) ?? [];
  expect(session, answer).toBe(sessionId);
  return sessionId!;
}

/** Calls the tool without a session from a local address. */
function callFrom(url: string, localAddress: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers: { ...accept, ...headers }, localAddress }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.on('end', () => resolve(readSession(text)));
    });
    sent.on('error', reject).end(JSON.stringify(call));
  });
}

const byName: ListenOptions['authenticate'] = (from) =>
  Promise.resolve({ token: 'x', clientId: from.headers.get('x-who') ?? '', scopes: [] });

describe('the state of a caller over HTTP', () => {
  it('belongs to one HTTP session without a login, for tools and for the permission engine', async () => {
    const asked = new Set<string>();
    const engine: PermissionEngine = {
      ask: (question) => {
        asked.add(question.sessionId);
        return allowAll.ask(question);
      },
    };
    const url = await start({ sessions: true }, engine);
    const [ada, eve] = [await openSession(url), await openSession(url)];
    const [adas, eves] = [await ada(), await eve()];
    expect(adas).toMatch(/^mcp-session:[\da-f-]{36}$/);
    expect(eves).not.toBe(adas);
    expect([await ada(), await eve()]).toEqual([adas, eves]);
    expect(asked).toEqual(new Set([adas, eves]));
  });

  it('belongs to an authenticated caller across its HTTP sessions', async () => {
    const url = await start({ sessions: true, authenticate: byName });
    const ids = await Promise.all(
      ['ada', 'ada', 'eve', 'session:x'].map(async (name) => (await openSession(url, { 'x-who': name }))()),
    );
    expect(ids).toEqual(['mcp:ada', 'mcp:ada', 'mcp:eve', 'mcp:session:x']);
  });

  it('cannot be chosen by a client, with a session id or otherwise', async () => {
    const url = await start({});
    const known = await callFrom(url, '127.0.0.1');
    expect(known).toBe('mcp-address:127.0.0.1');
    for (const headers of [
      { 'mcp-session-id': 'ada' },
      { 'x-forwarded-for': '10.0.0.1' },
      { forwarded: 'for=10.0.0.1' },
    ])
      expect(await callFrom(url, '127.0.0.1', headers)).toBe(known);
  });

  // Only Linux lets a program use every loopback address.
  it.runIf(process.platform === 'linux')('belongs to a network address if there is no session', async () => {
    const url = await start({});
    expect(await callFrom(url, '127.0.0.1')).toBe('mcp-address:127.0.0.1');
    expect(await callFrom(url, '127.0.0.2')).toBe('mcp-address:127.0.0.2');
  });

  it('is shared by requests whose address is not known', async () => {
    const handler = createHttpHandler(createDispatcher({ registry: [who] }));
    cleanups.push(() => handler.close());
    const answer = await handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: { ...accept, host: 'localhost' },
        body: JSON.stringify(call),
      }),
    );
    expect(readSession(await answer.text())).toBe('mcp-anonymous');
  });
});
