import { allowAll, createDispatcher, defineTool, ToolRegistry, type AnyTool, type Footprint } from '@haft/core';
import { describe, expect, it } from 'vitest';
import { createStreamClient, initialize, type StreamClient } from '../../fixtures/stream-client.ts';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { createConnection, serve, type ServeOptions } from '../../index.ts';

/** A served tool that writes the given file, or conflicts with every call, and ends when the test releases it. */
async function openStage(options: ServeOptions = {}) {
  const log: string[] = [];
  const endings = new Map<string, () => void>();
  const waiting: (() => void)[] = [];
  const stages = (name: string, footprint?: (args: unknown) => Footprint): AnyTool =>
    defineTool({
      name,
      description: 'Ends when told to.',
      input: { type: 'object', properties: { as: { type: 'string' }, file: { type: 'string' } }, required: ['as'] },
      ...(footprint ? { footprint } : {}),
      execute: ({ as }, { signal }) => {
        log.push(`+${as}`);
        return new Promise<string>((resolve) => {
          const end = (): void => {
            log.push(`-${as}`);
            resolve(as);
          };
          endings.set(as, end);
          signal.addEventListener('abort', end, { once: true });
          for (const wake of waiting.splice(0)) wake();
        });
      },
    }) as AnyTool;
  const writes = (args: unknown): Footprint => ({ reads: [], writes: [`file:/${(args as { file: string }).file}`] });
  const registry = [
    stages('alone'),
    stages('put', writes),
    defineTool({ name: 'odd', description: 'd', input: { type: 'object' }, execute: () => invalidValues }) as AnyTool,
    defineTool({ name: 'round', description: 'd', input: { type: 'object' }, execute: () => cyclic }) as AnyTool,
  ];
  const client = createStreamClient();
  const source = createDispatcher({ registry, permission: allowAll, cancelGraceMs: 1 });
  const server = serve(source, { input: client.input, output: client.output, ...options });
  await initialize(client);
  const call = (name: string, args: object): ReturnType<StreamClient['request']> =>
    client.request('tools/call', { name, arguments: args });
  const until = async (...names: readonly string[]): Promise<void> => {
    while (!names.every((name) => endings.has(name))) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  /** Waits until every call that can start has started, by another request. */
  const settled = (): Promise<unknown> => client.request('tools/list');
  return { client, server, log, call, until, settled, end: (name: string) => endings.get(name)!() };
}

const invalidValues = {
  ok: true,
  callId: '',
  content: [{ type: 'video', secret: 'of the host' }],
  advisories: [],
  effects: [],
};
const ring: Record<string, unknown> = {};
ring['ring'] = ring;
const cyclic = {
  ok: true,
  callId: '',
  content: [{ type: 'json', value: ring }],
  advisories: [],
  effects: [],
  metadata: {},
};

describe('calls of a client', () => {
  it('run in order of arrival for one file, and overlap for different files', async () => {
    const { server, log, call, until, settled, end } = await openStage();
    const answers = [
      call('put', { as: 'a1', file: 'a' }),
      call('put', { as: 'a2', file: 'a' }),
      call('put', { as: 'b', file: 'b' }),
    ];
    await until('a1', 'b');
    await settled();
    expect(log).toEqual(['+a1', '+b']);
    end('a1');
    await until('a2');
    end('a2');
    end('b');
    expect(await Promise.all(answers)).toMatchObject(
      ['a1', 'a2', 'b'].map((text) => ({ result: { content: [{ text }] } })),
    );
    await server.close();
  });

  it('never overlap for a tool that runs alone', async () => {
    const { server, log, call, until, end } = await openStage();
    const names = Array.from({ length: 40 }, (_, index) => `${index}`);
    const answers = names.map((as) => call('alone', { as }));
    for (const name of names) {
      await until(name);
      end(name);
    }
    await Promise.all(answers);
    expect(log).toEqual(names.flatMap((name) => [`+${name}`, `-${name}`]));
    await server.close();
  });

  it.each([
    [undefined, 8],
    [2, 2],
  ])('run in parallel up to the limit (%s)', async (maxParallel, most) => {
    const { server, log, call, until, settled, end } = await openStage(
      maxParallel === undefined ? {} : { maxParallel },
    );
    const names = Array.from({ length: most + 1 }, (_, index) => `${index}`);
    const answers = names.map((as) => call('put', { as, file: as }));
    await until(...names.slice(0, most));
    await settled();
    expect(log.length).toBe(most);
    end('0');
    await until(`${most}`);
    for (const name of names.slice(1)) end(name);
    await Promise.all(answers);
    await server.close();
  });

  it('are cancelled while queued without running or blocking others', async () => {
    const { client, server, log, call, until, settled, end } = await openStage();
    const first = call('alone', { as: 'first' });
    await until('first');
    client.send({ id: 'second', method: 'tools/call', params: { name: 'alone', arguments: { as: 'second' } } });
    const third = call('alone', { as: 'third' });
    client.send({ method: 'notifications/cancelled', params: { requestId: 'second' } });
    await settled();
    end('first');
    await until('third');
    end('third');
    await Promise.all([first, third]);
    expect(log).toEqual(['+first', '-first', '+third', '-third']);
    await server.close();
  });

  it('are dropped from the queue when the client disconnects', async () => {
    const { client, server, log, call, until } = await openStage();
    for (const as of ['1', '2', '3']) void call('alone', { as });
    await until('1');
    client.input.end();
    await server.closed;
    await new Promise((resolve) => setImmediate(resolve));
    expect(log).toEqual(['+1', '-1']);
  });

  it.each(['odd', 'round'])('are answered when their result cannot be serialized (%s)', async (name) => {
    const { server, call } = await openStage();
    const answer = await call(name, {});
    expect(answer).toMatchObject({ result: { isError: true } });
    expect(JSON.stringify(answer)).toContain('OUTPUT_INVALID');
    expect(JSON.stringify(answer)).not.toMatch(/secret|circular|stack/i);
    await server.close();
  });

  it('cannot be served with an invalid maxParallel', () => {
    expect(() => serve(createDispatcher({ registry: [] }), { maxParallel: 0 })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    );
  });

  it('pass their metadata to the session, without protocol members', async () => {
    const reported: unknown[] = [];
    const hears = defineTool({
      name: 'hears',
      description: 'd',
      input: { type: 'object' },
      kind: 'read',
      execute: (_, { session }) => void reported.push(session.metadata),
    });
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = serve(createDispatcher({ registry: [hears] }), { transport: theirs });
    let isBroken = false;
    const meta = (): Record<string, unknown> => {
      if (isBroken) throw new Error('broken');
      return { traceparent: '00-1' };
    };
    const registry = new ToolRegistry();
    const connection = await createConnection({ transport: ours, name: 'mem', meta, registry });
    const source = createDispatcher({ registry, permission: allowAll });
    await source.dispatch({ id: '1', name: 'mem_hears', arguments: {} });
    isBroken = true;
    await source.dispatch({ id: '2', name: 'mem_hears', arguments: {} });
    expect(reported).toEqual([{ traceparent: '00-1' }, {}]);
    await connection.close();
    await server.close();
  });
});

it('a progress failure is reported once and the call continues', async () => {
  const [far, near] = InMemoryTransport.createLinkedPair();
  const send = near.send.bind(near);
  near.send = async (message, options) => {
    if ('method' in message && message.method === 'notifications/progress') throw new Error('the line is cut');
    return send(message, options);
  };
  const work = defineTool({
    name: 'work',
    description: 'Works.',
    kind: 'read',
    input: {},
    execute: (_args, { progress }) => {
      for (const done of [1, 2]) progress({ done, total: 2 });
      return 'done';
    },
  }) as AnyTool;
  const errors: Error[] = [];
  const source = createDispatcher({ registry: [work], permission: allowAll });
  const server = serve(source, { transport: near, onWarning: (error) => void errors.push(error) });
  const registry = new ToolRegistry();
  const connection = await createConnection({ transport: far, name: 'far', registry });
  const dispatcher = createDispatcher({ registry, permission: allowAll });
  const result = await dispatcher.dispatch(
    { id: '1', name: 'far_work', arguments: {} },
    { onProgress: () => undefined },
  );
  expect(result.ok).toBe(true);
  expect(errors).toMatchObject([
    { message: 'the progress of work could not be delivered', cause: expect.any(Error) as Error },
  ]);
  await connection.close();
  await server.close();
});
