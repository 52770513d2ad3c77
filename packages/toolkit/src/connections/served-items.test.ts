import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { allowAll, createDispatcher, ToolRegistry } from '@haft/core';
import { createConnection, createLibrary, serve } from '@haft/mcp';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, expect, it } from 'vitest';
import { createToolkit } from '../toolkit/create-toolkit.ts';
import type { ToolkitEvent } from '../events.ts';
import { definePrompt } from '../prompts/define-prompt.ts';
import { defineResourceTemplate } from '../resources/resource-template.ts';
import { text } from '../resources/text.ts';
import type { ToolkitOptions } from '../options/toolkit-options.ts';
import type { Toolkit } from '../toolkit/toolkit.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end();
});

async function open(options: ToolkitOptions): Promise<Toolkit> {
  const toolkit = await createToolkit({ builtins: false, permission: allowAll, ...options });
  endings.push(() => toolkit.dispose());
  return toolkit;
}

function received(toolkit: Toolkit, fits: (event: ToolkitEvent) => boolean): Promise<ToolkitEvent> {
  return new Promise((resolve) => {
    const stop = toolkit.onEvent((event) => {
      if (!fits(event)) return;
      stop();
      resolve(event);
    });
  });
}

it('serves prompts and resources along with the tools, and notifies clients of additions, removals and changes', async () => {
  const note = { uri: 'note:///today', name: 'today', type: 'text/plain', read: () => 'tea' };
  const day = defineResourceTemplate({ uriTemplate: 'log:///{day}', name: 'log', read: ({ day: of }) => `of ${of}` });
  const hello = definePrompt({ name: 'hello', template: 'Say hello.' });
  const toolkit = await open({
    resources: [note, day],
    prompts: [hello, definePrompt({ name: 'bye', template: 'Say bye.' })],
  });
  const [transport, serverSide] = InMemoryTransport.createLinkedPair();
  const server = await toolkit.serve({ transport: serverSide });
  endings.push(() => server.close());
  const hears = new Map<string, () => void>();
  const next = (type: string): Promise<void> => new Promise((resolve) => hears.set(type, resolve));
  const connection = await createConnection({
    name: 'far',
    transport,
    onEvent: ({ type }) => hears.get(type)?.(),
  });
  endings.push(() => connection.close());
  const { library } = connection;
  expect((await library.prompts()).map(({ name }) => name)).toEqual(['hello', 'bye']);
  expect((await library.resources()).map(({ uri }) => uri)).toEqual(['note:///today']);
  expect((await library.templates()).map(({ uriTemplate }) => uriTemplate)).toEqual(['log:///{day}']);
  expect((await library.read('log:///monday'))[0]?.read()).toBe('of monday');
  let changed = next('prompt-list-changed');
  toolkit.removeBuiltin('hello');
  await changed;
  expect((await library.prompts()).map(({ name }) => name)).toEqual(['bye']);
  changed = next('resource-list-changed');
  toolkit.removeBuiltin('log:///{day}');
  await changed;
  expect(await library.templates()).toEqual([]);
  await library.subscribe('note:///today');
  changed = next('resource-updated');
  toolkit.addResource({ ...note, read: () => 'coffee' });
  await changed;
  expect((await library.read('note:///today'))[0]?.read()).toBe('coffee');
  await toolkit.user.setResource(text('kept', 'kept'));
  await expect.poll(async () => (await library.resources()).map(({ name }) => name)).toEqual(['today', 'kept']);
});

it('lists the prompts and resources of a server once', async () => {
  let asked = 0;
  const library = createLibrary({
    prompts: [{ name: 'plan', variables: [], prepare: () => [{ role: 'user', content: 'plan it' }] }],
    resources: [{ uri: 'far:///note', name: 'note', type: 'text/plain', read: () => `read ${(asked += 1)} times` }],
  });
  const [transport, serverSide] = InMemoryTransport.createLinkedPair();
  const server = serve(createDispatcher({ registry: new ToolRegistry() }), { transport: serverSide, library });
  endings.push(() => server.close());
  const toolkit = await open({ connections: { far: { transport } } });
  const { prompts, resources } = await toolkit.list();
  expect(prompts.map(({ key }) => key)).toEqual(['far.plan']);
  expect(resources.map(({ key }) => key)).toEqual(['far:///note#far']);
  const listed = received(toolkit, ({ type }) => type === 'prompt-list-changed');
  library.addPrompt({ name: 'more', variables: [], prepare: () => [] });
  await listed;
  expect((await toolkit.list()).prompts.map(({ name }) => name)).toEqual(['more', 'plan']);
  const note = await toolkit.lookup('far:///note');
  expect(note.ok && note.item.kind === 'resource' && (await note.item.resource.read())).toBe('read 1 times');
});

it('connects to a server that becomes available after the start', async () => {
  // A free port, which stays free until the server uses it.
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  const toolkit = await open({
    connections: { late: `http://127.0.0.1:${port}/mcp` },
    logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
  expect(toolkit.connections()[0]).toMatchObject({ namespace: 'late', state: 'failed' });
  const ready = received(toolkit, (event) => event.type === 'state-change' && event.state === 'ready');
  const server = serve(createDispatcher({ registry: new ToolRegistry() }), { http: { port } });
  endings.push(() => server.close());
  await ready;
  expect(toolkit.connections()[0]).toMatchObject({ namespace: 'late', state: 'ready' });
  expect(toolkit.connections()[0]).not.toHaveProperty('reason');
});

it('serves the prompts and resources of its MCP servers, unless serverItems is false', async () => {
  const library = createLibrary({
    prompts: [{ name: 'plan', variables: [], prepare: () => [{ role: 'user', content: 'plan it' }] }],
    resources: [{ uri: 'far:///note', name: 'note', type: 'text/plain', read: () => 'far away' }],
  });
  const [transport, serverSide] = InMemoryTransport.createLinkedPair();
  const far = serve(createDispatcher({ registry: new ToolRegistry() }), { transport: serverSide, library });
  endings.push(() => far.close());
  const toolkit = await open({
    connections: { far: { transport } },
    prompts: [definePrompt({ name: 'hello', template: 'Say hello.' })],
  });
  const connect = async (options: Parameters<Toolkit['serve']>[0]) => {
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const server = await toolkit.serve({ ...options, transport: theirs });
    endings.push(() => server.close());
    const connection = await createConnection({ name: 'outer', transport: ours });
    endings.push(() => connection.close());
    return connection.library;
  };
  const passed = await connect({});
  const prompts = await passed.prompts();
  expect(prompts.map(({ name }) => name)).toEqual(['hello', 'far_plan']);
  expect(JSON.stringify(await prompts[1]!.prepare({}, []))).toContain('plan it');
  expect((await passed.resources()).map(({ uri }) => uri)).toEqual(['far:///note']);
  expect(await (await passed.read('far:///note'))[0]?.read()).toBe('far away');
  library.addPrompt({ name: 'late', variables: [], prepare: () => [{ role: 'user', content: 'late' }] });
  await expect
    .poll(async () => (await passed.prompts()).map(({ name }) => name))
    .toEqual(['hello', 'far_plan', 'far_late']);
  expect(await toolkit.removeConnector('far')).toBe(true);
  await expect.poll(async () => (await passed.prompts()).map(({ name }) => name)).toEqual(['hello']);

  const own = await connect({ serverItems: false });
  expect((await own.prompts()).map(({ name }) => name)).toEqual(['hello']);
});

it('serves the other resources of a server when one has an invalid URI', async () => {
  const note = { uri: 'far:///note', name: 'note', type: 'text/plain', read: () => 'far away' };
  const library = { ...createLibrary(), resources: [{ ...note, uri: 'not a uri' }, note] };
  const [transport, serverSide] = InMemoryTransport.createLinkedPair();
  const far = serve(createDispatcher({ registry: new ToolRegistry() }), { transport: serverSide, library });
  endings.push(() => far.close());
  const toolkit = await open({ connections: { far: { transport } } });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const server = await toolkit.serve({ transport: theirs });
  endings.push(() => server.close());
  const connection = await createConnection({ name: 'outer', transport: ours });
  endings.push(() => connection.close());
  expect((await connection.library.resources()).map(({ uri }) => uri)).toEqual(['far:///note']);
});
