import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { allowAll, createDispatcher, defineTool, ToolRegistry, type AnyTool } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createStreamClient, initialize } from '../fixtures/stream-client.ts';
import { createTestConnection, type TestConnection } from '../fixtures/test-connection.ts';
import { createSampleRegistry } from '../fixtures/sample-registry.ts';
import { programArguments } from '../fixtures/program-arguments.ts';
import { createLibrary, serve, type ConnectionOptions } from '../index.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end();
});

const sample = {
  command: process.execPath,
  args: [...programArguments, fileURLToPath(new URL('../fixtures/serve-sample.ts', import.meta.url))],
  // On a busy machine, the server starts slowly and would be taken for a legacy server.
  startTimeoutMs: 120_000,
};

async function open(options: Partial<ConnectionOptions>): Promise<TestConnection> {
  const opened = await createTestConnection(options);
  cleanups.push(() => opened.connection.close());
  return opened;
}

describe.each(['modern', 'legacy'] as const)('a registry served by its own process to our client, %s era', (era) => {
  let opened: TestConnection;
  beforeAll(async () => {
    opened = await createTestConnection({ ...sample, era: era === 'modern' ? 'auto' : 'legacy' });
  });
  afterAll(() => opened.connection.close());

  it('shows its tools and returns every kind of content', async () => {
    const { connection, registry, call, text } = opened;
    expect(connection.protocol.era).toBe(era);
    expect(connection).toMatchObject({
      name: 'sample',
      provider: 'dynamic/mcp/sample',
      state: 'ready',
      server: { name: 'sample', version: '1.0.0' },
    });
    expect(registry.toolsByProvider('dynamic/mcp').map((tool) => tool.name)).toEqual([
      'sample_break_down',
      'sample_count',
      'sample_echo',
      'sample_learn',
      'sample_measure',
      'sample_picture',
      'sample_refuse',
    ]);
    expect(await text('sample_echo', { text: 'hello' })).toMatch(/^<(untrusted-[0-9a-f]{16})>\nhello\n<\/\1>\nNote: /);
    expect(await call('sample_measure', { text: 'four' })).toMatchObject({ ok: true, structured: { length: 4 } });
    expect((await call('sample_picture')).content).toEqual([
      { type: 'image', mediaType: 'image/png', data: new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]) },
    ]);
    const refused = await call('sample_refuse');
    expect(refused).toMatchObject({ ok: false, error: { code: 'REMOTE_ERROR', fault: 'world', retryable: false } });
    expect(await text('sample_refuse')).toContain('Ask for another.');
    expect(await text('sample_break_down')).toContain('the tool break_down failed: cannot read [path]');
    expect(await call('sample_count', { to: '2' })).toMatchObject({ ok: true });
    expect(await call('sample_echo', {})).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS' } });
  });

  it('forwards progress, keeps console output off the protocol, and cancels calls', async () => {
    const { connection, call, next } = opened;
    const notified: unknown[] = [];
    expect(await call('sample_count', { to: 3 }, { onProgress: (update) => notified.push(update) })).toMatchObject({
      ok: true,
    });
    expect(notified).toEqual([1, 2, 3].map((step) => ({ done: step, total: 3, message: `step ${step}` })));
    expect(connection.diagnostics).toEqual([]);
    expect(connection.stderr()).toContain('a tool that prints on standard output');

    const stop = new AbortController();
    const changed = next('tool-list-changed');
    const cancelled = await call(
      'sample_count',
      { to: 1, wait: true },
      { signal: stop.signal, onProgress: () => stop.abort() },
    );
    expect(cancelled).toMatchObject({ ok: false, error: { code: 'ABORTED', fault: 'cancelled' } });
    expect(await changed).toMatchObject({ added: ['sample_was_cancelled'], removed: [], replaced: [] });
  });

  it('updates the list while it is connected', async () => {
    const { registry, call, text, next } = opened;
    const echo = registry.get('sample_echo');
    const changed = next('tool-list-changed');
    await call('sample_learn', { name: 'new_trick' });
    expect(await changed).toMatchObject({ added: ['sample_new_trick'] });
    expect(await text('sample_new_trick')).toContain('learnt');
    expect(registry.get('sample_echo')).toBe(echo);
  });
});

describe('a registry served to SDK 1.x', () => {
  it('shows its tools, answers calls and notifies of changes', async () => {
    const client = new OlderClient({ name: 'older', version: '1.0.0' });
    const changed = new Promise<void>((resolve) =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => resolve()),
    );
    await client.connect(new StdioClientTransport({ ...sample, stderr: 'ignore' }));
    cleanups.push(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain('measure');
    expect(await client.callTool({ name: 'measure', arguments: { text: 'four' } })).toMatchObject({
      structuredContent: { length: 4 },
    });
    expect(await client.callTool({ name: 'refuse', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'Error NOT_FOUND: there is no such thing\nAsk for another.' }],
    });
    const unknown = await client.callTool({ name: 'mesure', arguments: {} });
    expect(unknown).toMatchObject({ isError: true });
    expect(JSON.stringify(unknown.content)).toContain('Did you mean measure?');
    const notified: unknown[] = [];
    await client.callTool({ name: 'count', arguments: { to: 2 } }, undefined, {
      onprogress: (progress) => notified.push(progress),
    });
    // SDK 1.x drops progress that arrives in one chunk with the result, so any received progress has to be right.
    for (const progress of notified)
      expect(progress).toMatchObject({ total: 2, message: expect.stringMatching(/^step [12]$/) });
    await client.callTool({ name: 'learn', arguments: { name: 'new_trick' } });
    await changed;
    expect((await client.listTools()).tools.map((tool) => tool.name)).toContain('new_trick');
  });
});

describe('a registry served in memory', () => {
  it('shows only exposed tools', async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const source = createDispatcher({ registry: createSampleRegistry(), permission: allowAll });
    const server = serve(source, { transport: theirs, expose: (tool) => tool.name === 'echo' });
    const { connection, registry, text } = await open({ transport: ours, name: 'mem' });
    expect(registry.names).toEqual(['mem_echo']);
    expect(await text('mem_echo', { text: 'x' })).toContain('x');
    await connection.close();
    await server.closed;
  });
});

describe('a tool called by a client', () => {
  const who = eraseTool(
    defineTool({
      name: 'who',
      description: 'Tells who calls.',
      input: { type: 'object', properties: {} },
      kind: 'read',
      execute: (_args, { session, sessionId }) => ({ session, sessionId }),
    }),
  );

  it.each(['auto', 'legacy'] as const)('sees the name and capabilities of its client (%s)', async (era) => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = serve(createDispatcher({ registry: new ToolRegistry({ tools: [who] }) }), { transport: theirs });
    const { connection, call } = await open({ transport: ours, name: 'mem', era });
    expect(await call('mem_who', {})).toMatchObject({
      ok: true,
      structured: {
        session: {
          metadata: {},
          clientInfo: { name: expect.stringMatching(/./), version: expect.stringMatching(/./) },
          capabilities: expect.any(Object),
        },
      },
    });
    await connection.close();
    await server.closed;
  });
});

describe('a connection in memory', () => {
  it('follows changed and removed tools, keeps the others, and is lost with its server', async () => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const source = createSampleRegistry();
    const server = serve(createDispatcher({ registry: source, permission: allowAll }), { transport: theirs });
    const { connection, registry, call, becomes, next } = await open({
      transport: ours,
      name: 'mem',
      changedTools: 'accept',
    });
    const batches: unknown[] = [];
    registry.onChange(({ added, removed, replaced }) => batches.push({ added, removed, replaced }));
    const measureTool = registry.get('mem_measure');
    const snapshot = registry.snapshot();
    const changed = next('tool-list-changed');
    source.batch((draft) => {
      draft.unregister('picture');
      draft.registerWithProvider({ ...source.get('echo')!, description: 'Echoes differently.' }, 'local');
    });
    expect(await changed).toMatchObject({ added: [], removed: ['mem_picture'], replaced: ['mem_echo'] });
    expect(batches).toEqual([{ added: [], removed: ['mem_picture'], replaced: ['mem_echo'] }]);
    expect(registry.get('mem_measure')).toBe(measureTool);
    expect(registry.get('mem_echo')?.description).toContain('Echoes differently.');
    // A client may still call a removed tool. The server explains that the tool was removed.
    expect(await call('mem_picture', {}, { snapshot })).toMatchObject({ ok: false, error: { code: 'REMOTE_ERROR' } });

    const lost = becomes('lost');
    await server.close();
    expect(await lost).toMatchObject({ reason: 'the connection ended' });
    expect(connection.state).toBe('lost');
    expect(await call('mem_echo', { text: 'x' })).toMatchObject({ ok: false, error: { code: 'TOOL_UNAVAILABLE' } });
  });
});

describe('a client', () => {
  const anything = { type: 'object' } as const;
  const createTool = (name: string, execute: AnyTool['execute'], more: object = {}): AnyTool =>
    eraseTool(defineTool({ name, description: 'Is a fixture.', input: anything, kind: 'read', execute, ...more }));

  it('cancels its running call and ends the server when it disconnects', async () => {
    const client = createStreamClient();
    let started = (): void => undefined;
    const running = new Promise<void>((resolve) => (started = resolve));
    let aborted = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (aborted = resolve));
    const waits = createTool('waits', async (_args, context) => {
      context.signal.addEventListener('abort', () => aborted());
      started();
      await stopped;
    });
    const server = serve(createDispatcher({ registry: [waits], permission: allowAll }), {
      input: client.input,
      output: client.output,
    });
    await initialize(client);
    void client.request('tools/call', { name: 'waits', arguments: {} });
    await running;
    client.input.end();
    await stopped;
    await server.closed;
  });

  it('is answered although it sends invalid lines', async () => {
    const client = createStreamClient();
    const registry = createSampleRegistry();
    const errors: Error[] = [];
    const server = serve(createDispatcher({ registry, permission: allowAll }), {
      input: client.input,
      output: client.output,
      onWarning: (error) => errors.push(error),
    });
    client.input.write('hello?\n{"jsonrpc":"2.0"}\n[]\n{"jsonrpc":"2.0","id":{},"method":5}\n');
    await initialize(client);
    expect(await client.request('no/such/method')).toMatchObject({ error: { code: -32_601 } });
    expect(await client.request('tools/call', { name: 5 })).toMatchObject({ error: { code: -32_602 } });
    expect(await client.request('tools/call', { name: 'echo', arguments: 'text' })).toMatchObject({
      error: { code: -32_602 },
    });
    expect(await client.request('tools/call', { name: '__proto__', arguments: {} })).toMatchObject({
      result: { isError: true },
    });
    expect(await client.request('tools/call', { name: 'echo', arguments: { text: 'fine' } })).toMatchObject({
      result: { content: [{ type: 'text', text: 'fine' }] },
    });
    await server.close();
  });

  it('loses only its oversized message, and large ones take linear time', async () => {
    const client = createStreamClient();
    const errors: Error[] = [];
    const server = serve(createDispatcher({ registry: createSampleRegistry(), permission: allowAll }), {
      input: client.input,
      output: client.output,
      maxMessageBytes: 300_000,
      onWarning: (error) => errors.push(error),
    });
    await initialize(client);
    const echo = (text: string): Promise<unknown> =>
      client.request('tools/call', { name: 'echo', arguments: { text } });
    const [large, small] = await Promise.all([echo('x'.repeat(400_000)), echo('small')]);
    expect(large).toMatchObject({ error: { code: -32_600, message: expect.stringContaining('300000') } });
    expect(small).toMatchObject({ result: { content: [{ text: 'small' }] } });
    expect(errors).toHaveLength(1);
    expect(await echo('y'.repeat(200_000))).toMatchObject({ result: { content: [{ text: 'y'.repeat(200_000) }] } });
    client.input.end();
    await server.closed;
  });

  it('learns nothing about hidden tools from a similar name, and learns why a shown tool is unavailable', async () => {
    const client = createStreamClient();
    const registry = createSampleRegistry();
    registry.register({ ...createTool('tired', () => 'x'), available: () => ({ reason: 'it sleeps' }) });
    const server = serve(createDispatcher({ registry, permission: allowAll }), {
      input: client.input,
      output: client.output,
      expose: (tool) => ['echo', 'measure', 'tired'].includes(tool.name),
    });
    await initialize(client);
    const answerTo = async (name: string): Promise<string> =>
      JSON.stringify(await client.request('tools/call', { name, arguments: {} }));
    for (const name of ['refuse', 'refus', 'nothing_like_it']) {
      const answer = await answerTo(name);
      expect(answer).toContain('TOOL_NOT_FOUND');
      expect(answer).not.toMatch(/refuse[^\\"]|break_down|count|learn|picture|tired/);
    }
    expect(await answerTo('nothing_like_it')).toContain('echo, measure');
    expect(await answerTo('tired')).toMatch(/TOOL_UNAVAILABLE.*it sleeps/);
    await server.close();
  });

  it('neither sees nor calls unexposed tools, and gets no change notification before listing', async () => {
    const client = createStreamClient();
    const registry = createSampleRegistry();
    const server = serve(createDispatcher({ registry, permission: allowAll }), {
      input: client.input,
      output: client.output,
      expose: (tool, provider) => provider === 'local' && tool.name !== 'refuse',
    });
    await initialize(client);
    registry.register(createTool('later', () => 'x'));
    expect(await client.request('tools/call', { name: 'refuse' })).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('TOOL_NOT_FOUND') }] },
    });
    const listed = (await client.request('tools/list')) as { result: { tools: readonly { name: string }[] } };
    expect(listed.result.tools.map((tool) => tool.name)).toEqual([
      'break_down',
      'count',
      'echo',
      'later',
      'learn',
      'measure',
      'picture',
    ]);
    expect(client.notifications).toEqual([]);
    registry.batch((draft) => {
      draft.unregister('later');
      draft.unregister('learn');
    });
    registry.register(createTool('learn', () => 'y'));
    await expect.poll(() => client.notifications).toMatchObject([{ method: 'notifications/tools/list_changed' }]);
    await server.close();
  });

  it('gets annotations and output schemas, and no success without structured content', async () => {
    const client = createStreamClient();
    const output = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] } as const;
    const registry = new ToolRegistry({
      tools: [
        createTool('keeps', () => ({ a: 1 }), { output }),
        createTool('breaks', () => 'only words', { output }),
        createTool('list', () => [1, 2]),
      ],
    });
    const server = serve(createDispatcher({ registry, permission: allowAll }), {
      input: client.input,
      output: client.output,
    });
    await initialize(client);
    const { result } = (await client.request('tools/list')) as { result: { tools: readonly object[] } };
    expect(result.tools[1]).toEqual({
      name: 'keeps',
      title: 'keeps',
      description: 'Is a fixture.',
      inputSchema: anything,
      outputSchema: output,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
    });
    const call = async (name: string): Promise<unknown> => (await client.request('tools/call', { name })).result;
    expect(await call('keeps')).toEqual({ content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 } });
    expect(await call('breaks')).toMatchObject({
      isError: true,
      content: [
        { text: 'The tool did not return the structured content that its output schema requires.' },
        { text: 'only words' },
      ],
    });
    expect(await call('list')).toEqual({ content: [{ type: 'text', text: '[1,2]' }] });
    await server.close();
  });

  it('gets one notification for a batch of changes', async () => {
    const library = createLibrary();
    const client = createStreamClient();
    const registry = createSampleRegistry();
    const source = createDispatcher({ registry, permission: allowAll });
    const server = serve(source, { input: client.input, output: client.output, library });
    await initialize(client);
    await client.request('tools/list');
    await client.request('resources/subscribe', { uri: 'x://a' });
    registry.unregister('picture');
    registry.unregister('echo');
    for (const name of ['a', 'b', 'c']) library.addResource({ uri: `x://${name}`, name, type: '', read: () => name });
    library.notifyUpdated('x://a');
    library.notifyUpdated('x://a');
    library.notifyUpdated('x://b');
    // Changes before a listing need no notification.
    await new Promise((resolve) => setImmediate(resolve));
    await client.request('ping');
    expect(client.notifications.map(({ method }) => String(method)).toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      'notifications/resources/list_changed',
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ]);
    await server.close();
  });

  it('ends an otherwise idle server by closing the pipe', async () => {
    const child = spawn(sample.command, sample.args, { stdio: ['pipe', 'pipe', 'inherit'] });
    child.stdin.end();
    expect(await once(child, 'exit')).toEqual([0, null]);
  });
});
