import { allowAll, createDispatcher, defineTool, ToolRegistry } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { afterEach, describe, expect, it } from 'vitest';
import { startBadHttpServer } from '../fixtures/bad-http-server.ts';
import { createSampleRegistry } from '../fixtures/sample-registry.ts';
import { createTestConnection, unfenced } from '../fixtures/test-connection.ts';
import { serve } from '../index.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

/** Resolves when callbacks that are already due have run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('event streams over HTTP', () => {
  it.each([
    ['legacy', false],
    ['legacy', true],
    ['auto', false],
  ] as const)('end without a diagnostic after their response (era %s, sessions %s)', async (era, sessions) => {
    const source = createDispatcher({ registry: createSampleRegistry(), permission: allowAll });
    const server = serve(source, { name: 'sample', http: { sessions } });
    cleanups.push(() => server.close());
    const { url } = await server.ready;
    const { connection, call } = await createTestConnection({ url: url!, era, name: 'sample' });
    cleanups.push(() => connection.close());
    for (const word of ['one', 'two', 'three']) expect(unfenced(await call('sample_echo', { text: word }))).toBe(word);
    await settled();
    expect(connection.diagnostics).toEqual([]);
  });

  it('end without a diagnostic after their call was cancelled', async () => {
    const started = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const wait = defineTool({
      name: 'wait',
      description: 'Waits until it is cancelled.',
      input: { type: 'object', properties: {} },
      kind: 'read',
      execute: (_args, { signal }) =>
        new Promise<string>((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            stopped.resolve();
            reject(signal.reason as Error);
          });
          started.resolve();
        }),
    });
    const source = createDispatcher({ registry: new ToolRegistry({ tools: [eraseTool(wait)] }), permission: allowAll });
    const server = serve(source, { name: 'slow', http: { sessions: true } });
    cleanups.push(() => server.close());
    const { url } = await server.ready;
    const { connection, call } = await createTestConnection({ url: url!, era: 'legacy', name: 'slow' });
    cleanups.push(() => connection.close());
    const cancel = new AbortController();
    const calling = call('slow_wait', {}, { signal: cancel.signal });
    await started.promise;
    cancel.abort();
    expect(await calling).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
    await stopped.promise;
    await connection.refresh();
    expect(connection.diagnostics).toEqual([]);
  });
});

describe('a connection that the server closes during a request', () => {
  it('is replaced for a request without an effect, and fails a call, which may have had one', async () => {
    const lost = new Set(['initialize', 'tools/list', 'tools/call']);
    const server = await startBadHttpServer(({ method = '' }, response) => {
      if (!lost.delete(method)) return false;
      response.destroy();
      return true;
    });
    cleanups.push(() => server.close());
    const { connection, call } = await createTestConnection({ url: server.url, name: 'closing' });
    cleanups.push(() => connection.close());
    expect(await call('closing_act')).toMatchObject({ ok: false, error: { code: 'CONNECTION_LOST' } });
    expect(unfenced(await call('closing_act'))).toBe('done');
    const counts = ['initialize', 'tools/list', 'tools/call'].map(
      (method) => server.requests.filter((one) => one === `POST ${method}`).length,
    );
    expect(counts).toEqual([2, 2, 2]);
  });
});

describe('a session over HTTP', () => {
  it('is ended with DELETE when the connection closes', async () => {
    const server = await startBadHttpServer((_message, response, request) => {
      if (request.method !== 'DELETE') return false;
      response.writeHead(204).end();
      return true;
    });
    cleanups.push(() => server.close());
    const { connection } = await createTestConnection({ url: server.url, name: 'session' });
    await connection.close();
    expect(server.requests.filter((one) => one.startsWith('DELETE'))).toHaveLength(1);
  });

  it('ends without a failure when the server refuses or ignores the DELETE', async () => {
    for (const misbehaviour of ['refuse', 'ignore'] as const) {
      const server = await startBadHttpServer((_message, response, request) => {
        if (request.method !== 'DELETE') return false;
        if (misbehaviour === 'refuse') response.writeHead(500).end();
        return true;
      });
      cleanups.push(() => server.close());
      const { connection } = await createTestConnection({ url: server.url, name: 'session', closeGraceMs: 100 });
      await connection.close();
      expect(connection.state).toBe('closed');
    }
  });
});
