import { allowAll, createDispatcher, createWorkspace, defineTool, silentLogger } from '@haft/core';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestConnection } from '../fixtures/test-connection.ts';
import { createConnection, createLibrary, serve, type ConnectionOptions } from '../index.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

const note = { uri: 'note:///today', name: 'today', type: 'text/plain', read: () => 'tea' };
const chatty = defineTool({
  name: 'work',
  description: 'Works and logs.',
  kind: 'read',
  execute: (_args, { logger }) => {
    logger.debug('too small');
    logger.info('half done');
    return 'done';
  },
});

async function open(options: Partial<ConnectionOptions>) {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const library = createLibrary({ resources: [note] });
  const workspace = createWorkspace({ cwd: '/', logger: silentLogger });
  const source = createDispatcher({ registry: [chatty], permission: allowAll, workspace });
  const server = serve(source, { name: 'far', library, transport: there });
  const steered: string[] = [];
  let wake = (): void => undefined;
  const steer = { steer: (message: unknown) => (steered.push(JSON.stringify(message)), wake()) };
  const opened = await createTestConnection({ transport: here, steer: steer as never, ...options });
  cleanups.push(
    () => server.close(),
    () => opened.connection.close(),
  );
  const steeredWith = async (text: string): Promise<string> => {
    for (;;) {
      const found = steered.find((message) => message.includes(text));
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { ...opened, library, steered, steeredWith };
}

describe('log messages of a server', () => {
  it.each(['auto', 'legacy'] as const)('reach steering without setLogLevel (%s)', async (era) => {
    const { call, steered, steeredWith, connection } = await open({ era });
    expect(connection.protocol.era).toBe(era === 'auto' ? 'modern' : 'legacy');
    await call('far_work');
    expect(await steeredWith('half done')).toContain('info');
    if (era === 'auto') expect(steered.join()).not.toContain('too small');
  });

  it.each(['auto', 'legacy'] as const)('have at least the level of the options (%s)', async (era) => {
    const quiet = await open({ era, logLevel: 'warning' });
    await quiet.call('far_work');
    await quiet.call('far_work');
    expect(quiet.events.filter(({ type }) => type === 'log')).toEqual([]);
    const loud = await open({ era, logLevel: 'debug' });
    const log = loud.next('log');
    await loud.call('far_work');
    expect(await log).toMatchObject({ level: 'debug', text: 'too small' });
  });
});

describe('resources named by the option subscribe', () => {
  it.each([
    ['auto', ['note:///today']],
    ['legacy', ['note:///today']],
    ['auto', 'all'],
    ['legacy', 'all'],
  ] as const)('deliver resource-updated events (%s, %j)', async (era, subscribe) => {
    const { events, steeredWith, library } = await open({ era, subscribe });
    const notified = steeredWith('note:///today');
    // The server may not know of the subscription yet, so the change is announced until it arrives.
    const timer = setInterval(() => library.notifyUpdated('note:///today'), 10);
    await notified.finally(() => clearInterval(timer));
    expect(events).toContainEqual({ type: 'resource-updated', uri: 'note:///today' });
  });

  it('cause a diagnostic if the server refuses', async () => {
    const [here, there] = InMemoryTransport.createLinkedPair();
    const server = serve(createDispatcher({ registry: [chatty] }), { transport: there });
    let onEvent: ConnectionOptions['onEvent'];
    const diagnosed = new Promise((resolve) => {
      onEvent = (event) => {
        if (event.type === 'diagnostic') resolve(event.diagnostic);
      };
    });
    const connection = await createConnection({
      transport: here,
      era: 'legacy',
      subscribe: ['note:///gone'],
      onEvent: onEvent!,
    });
    cleanups.push(() => connection.close());
    expect(await diagnosed).toMatchObject({
      kind: 'subscribe-failed',
      message: expect.stringContaining('note:///gone'),
    });
    await server.close();
  });
});
