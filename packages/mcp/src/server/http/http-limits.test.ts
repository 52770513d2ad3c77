import { allowAll, createDispatcher } from '@haft/core';
import { afterEach, describe, expect, it } from 'vitest';
import { createSampleRegistry } from '../../fixtures/sample-registry.ts';
import { createHttpGuard } from './http-guard.ts';
import {
  createHttpHandler,
  serve,
  type HttpHandler,
  type HttpHandlerOptions,
  type ListenOptions,
} from '../../index.ts';
import { limitEventStream } from '../../flow/limit-event-stream.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

const greeting = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
};
const post = (who: string, message: object, session?: string): Request =>
  new Request('http://localhost/mcp', {
    method: 'POST',
    headers: {
      host: 'localhost',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: who,
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    },
    body: JSON.stringify(message),
  });
const byName = (request: Request) => {
  const name = request.headers.get('authorization') ?? '';
  return Promise.resolve(
    name.startsWith('bad') ? new Response(null, { status: 401 }) : { clientId: name, token: name, scopes: [] },
  );
};

function open(options: HttpHandlerOptions): HttpHandler {
  const dispatcher = createDispatcher({ registry: createSampleRegistry(), permission: allowAll });
  const handler = createHttpHandler(dispatcher, options);
  cleanups.push(() => handler.close());
  return handler;
}

async function start(http: ListenOptions): Promise<string> {
  const dispatcher = createDispatcher({ registry: createSampleRegistry(), permission: allowAll });
  const server = serve(dispatcher, { http });
  cleanups.push(() => server.close());
  return (await server.ready).url!;
}

describe('sessions of many callers', () => {
  const begin = async (
    handler: HttpHandler,
    who: string,
  ): Promise<{ readonly status: number; readonly id: string }> => {
    const answer = await handler.fetch(post(who, greeting));
    await answer.body?.cancel();
    return { status: answer.status, id: answer.headers.get('mcp-session-id') ?? '' };
  };
  const isAlive = async (handler: HttpHandler, who: string, id: string): Promise<boolean> => {
    const answer = await handler.fetch(post(who, { jsonrpc: '2.0', method: 'notifications/initialized' }, id));
    await answer.body?.cancel();
    return answer.status === 202;
  };

  it('are limited per caller: a new one replaces the oldest session of the same caller', async () => {
    const handler = open({ sessions: true, authenticate: byName, requestsPerMinute: 100_000 });
    const victim = await begin(handler, 'victim');
    const ids: string[] = [];
    for (let count = 0; count < 1_050; count += 1) ids.push((await begin(handler, 'greedy')).id);
    expect(await isAlive(handler, 'victim', victim.id)).toBe(true);
    expect(await isAlive(handler, 'greedy', ids[0]!)).toBe(false);
    expect(await isAlive(handler, 'greedy', ids.at(-1)!)).toBe(true);
  });

  it('are refused to new callers at the total limit, and stay available to their owners', async () => {
    const handler = open({ sessions: true, authenticate: byName, requestsPerMinute: 100_000 });
    const first = await begin(handler, 'caller 0');
    for (let count = 1; count < 1_000; count += 1) await begin(handler, `caller ${count % 20}`);
    expect((await begin(handler, 'late')).status).toBe(503);
    expect((await begin(handler, 'caller 3')).status).toBe(200);
    expect(await isAlive(handler, 'caller 0', first.id)).toBe(true);
  });

  it('cannot be used, ended or resumed by other callers', async () => {
    const handler = open({ sessions: true, authenticate: byName });
    const { id } = await begin(handler, 'victim');
    expect(await isAlive(handler, 'thief', id)).toBe(false);
    for (const [method, more] of [
      ['DELETE', {}],
      ['GET', { accept: 'text/event-stream' }],
      ['GET', { accept: 'text/event-stream', 'last-event-id': `_GET_stream_1` }],
    ] as const) {
      const headers = { host: 'localhost', authorization: 'thief', 'mcp-session-id': id, ...more };
      const answer = await handler.fetch(new Request('http://localhost/mcp', { method, headers }));
      expect(answer.status).toBe(404);
    }
    expect(await isAlive(handler, 'victim', id)).toBe(true);
  });
});

describe('callers that fail to authenticate', () => {
  const ask = (authorization: string): Request => new Request('http://localhost/mcp', { headers: { authorization } });

  it('are counted by address and refused without calling authenticate', async () => {
    let asked = 0;
    let time = 0;
    const guard = createHttpGuard(
      {
        requestsPerMinute: 10,
        authenticate(request) {
          asked += 1;
          return byName(request);
        },
      },
      () => time,
    );
    const admit = async (who: string, address: string): Promise<number> => {
      const answer = await guard.admit(ask(who), address);
      return 'refusal' in answer ? answer.refusal.status : 200;
    };
    expect(await admit('good', 'a')).toBe(200);
    const statuses = await Promise.all(Array.from({ length: 50 }, (_, count) => admit(`bad ${count}`, 'a')));
    expect(statuses.filter((status) => status === 401).length).toBe(10);
    expect(statuses.filter((status) => status === 429).length).toBe(40);
    expect(asked).toBe(11);
    // Accepted callers behind the same address, and other addresses, are not locked out.
    expect(await admit('good', 'a')).toBe(200);
    expect(await admit('good too', 'b')).toBe(200);
    expect(await admit('good too late', 'a')).toBe(429);
    const refused = await guard.admit(ask('bad'), 'a');
    expect('refusal' in refused && Number(refused.refusal.headers.get('retry-after'))).toBeGreaterThan(0);
    time += 60_001;
    expect(await admit('good too late', 'a')).toBe(200);
  });

  it('are counted again when accepted credentials become invalid', async () => {
    let isRevoked = false;
    let asked = 0;
    const guard = createHttpGuard({
      requestsPerMinute: 5,
      authenticate(request) {
        asked += 1;
        return isRevoked ? Promise.resolve(new Response(null, { status: 401 })) : byName(request);
      },
    });
    await guard.admit(ask('good'), 'a');
    isRevoked = true;
    for (let count = 0; count < 50; count += 1) await guard.admit(ask('good'), 'a');
    expect(asked).toBeLessThanOrEqual(7);
  });

  it('get 429 over HTTP', async () => {
    const url = await start({ authenticate: byName, requestsPerMinute: 3 });
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1)
      statuses.push((await fetch(url, { method: 'POST', headers: { authorization: 'bad' }, body: '{}' })).status);
    expect(statuses).toEqual([401, 401, 401, 429, 429]);
  });
});

describe('an event stream that its client does not read', () => {
  const endless = (state: { cancelled: boolean }): Response =>
    new Response(
      new ReadableStream<Uint8Array>(
        {
          pull: (controller) => controller.enqueue(new Uint8Array(10_000)),
          cancel: () => void (state.cancelled = true),
        },
        { highWaterMark: 0 },
      ),
      { headers: { 'content-type': 'text/event-stream' } },
    );

  it('ends with a reason, and its producer is cancelled', async () => {
    const state = { cancelled: false };
    const reasons: Error[] = [];
    const ended = new Promise<void>((resolve) => {
      const limited = limitEventStream(
        endless(state),
        (reason) => {
          reasons.push(reason);
          resolve();
        },
        { maxQueuedBytes: 2_000_000 },
      );
      cleanups.push(() => limited.body!.cancel().catch(() => undefined));
    });
    await ended;
    expect(reasons).toMatchObject([{ code: 'PEER_STALLED' }]);
    expect(state.cancelled).toBe(true);
  });

  it('arrives complete when it is read', async () => {
    const text = Array.from({ length: 1_000 }, (_, at) => `data: ${at}\n\n`).join('');
    const response = new Response(text, { headers: { 'content-type': 'text/event-stream' } });
    expect(await limitEventStream(response, () => undefined).text()).toBe(text);
  });
});
