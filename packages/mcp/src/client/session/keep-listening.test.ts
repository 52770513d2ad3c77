import { allowAll, createDispatcher, ToolRegistry } from '@haft/core';
import { afterEach, describe, expect, it } from 'vitest';
import { sayTool } from '../../fixtures/in-process-servers.ts';
import {
  startInterruptingProxy,
  type InterruptingProxy,
  type StreamHandling,
} from '../../fixtures/interrupting-proxy.ts';
import { createTestConnection, unfenced, type TestConnection } from '../../fixtures/test-connection.ts';
import { createLibrary, serve, type Library } from '../../index.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

interface Interrupted extends TestConnection {
  readonly proxy: InterruptingProxy;
  readonly served: ToolRegistry;
  readonly library: Library;
}

/** Connects to a server of the modern era through a proxy that interrupts streams. */
async function connect(streams: StreamHandling = 'pass'): Promise<Interrupted> {
  const served = new ToolRegistry({ tools: [sayTool('first')] });
  const library = createLibrary({ resources: [{ uri: 'note://a', name: 'a', type: 'text/plain', read: () => 'a' }] });
  const server = serve(createDispatcher({ registry: served, permission: allowAll }), {
    name: 'live',
    library,
    http: {},
  });
  cleanups.push(() => server.close());
  const proxy = await startInterruptingProxy((await server.ready).url!);
  cleanups.push(() => proxy.close());
  proxy.streams = streams;
  const connected = await createTestConnection({ url: proxy.url, name: 'live' });
  cleanups.push(() => connected.connection.close());
  expect(connected.connection.protocol.era).toBe('modern');
  return { ...connected, proxy, served, library };
}

describe('the stream of changes in the modern era', () => {
  it('is reopened after a proxy ended it, and the tools are listed again', async () => {
    const { proxy, served, connection, registry, next } = await connect();
    const lost = next('diagnostic');
    const changed = next('tool-list-changed');
    proxy.streams = 'refuse';
    proxy.endStreams();
    expect((await lost).diagnostic.kind).toBe('listen-lost');
    // At this point, no stream is open that could announce the change.
    served.register(sayTool('second'));
    proxy.streams = 'pass';
    expect(await changed).toMatchObject({ added: ['live_second'] });
    expect(connection.state).toBe('ready');
    // From here on, changes are announced again.
    const live = next('tool-list-changed');
    served.register(sayTool('third'));
    expect(await live).toMatchObject({ added: ['live_third'] });
    expect(registry.names).toEqual(['live_first', 'live_second', 'live_third']);
  });

  it('renews subscriptions and notifies of updates that may have been missed', async () => {
    const { proxy, library, connection, next } = await connect();
    await connection.library.subscribe('note://a');
    const missed = next('resource-updated');
    proxy.endStreams();
    expect(await missed).toMatchObject({ uri: 'note://a' });
    const live = next('resource-updated');
    library.notifyUpdated('note://a');
    expect(await live).toMatchObject({ uri: 'note://a' });
  });

  it.each(['refuse', 'ignore', 'unknown-method'] as const)(
    'does not prevent a connection when the server answers: %s',
    async (streams) => {
      const { connection, call } = await connect(streams);
      expect(connection.state).toBe('ready');
      expect(unfenced(await call('live_first'))).toBe('first said');
    },
  );
});
