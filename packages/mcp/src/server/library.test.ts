import { allowAll, createDispatcher, createWorkspace, defineTool, silentLogger, ToolRegistry } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import type { SessionPeer } from '@haft/core/workspace';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestConnection, unfenced, type TestConnection } from '../fixtures/test-connection.ts';
import {
  createHttpHandler,
  createLibrary,
  serve,
  type ConnectionOptions,
  type Library,
  type LibraryOptions,
  type ServerOptions,
} from '../index.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

interface Linked extends TestConnection {
  readonly library: Library;
  readonly errors: readonly Error[];
}

type Body = (peer: SessionPeer) => Promise<unknown>;

/** A tool that asks its client. */
function asking(name: string, body: Body): ReturnType<typeof eraseTool> {
  return eraseTool(
    defineTool({
      name,
      description: 'Asks.',
      input: { type: 'object', properties: {} },
      kind: 'read',
      execute: async (_args, { session, logger }) => {
        logger.info('asked', { by: name });
        return JSON.stringify(session.peer ? await body(session.peer) : 'nobody to ask');
      },
    }),
  );
}

async function link(
  options: Partial<ConnectionOptions>,
  given: LibraryOptions,
  tools: readonly ReturnType<typeof eraseTool>[] = [],
  served: ServerOptions = {},
): Promise<Linked> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  const library = createLibrary(given);
  const errors: Error[] = [];
  const source = createDispatcher({
    registry: new ToolRegistry({ tools }),
    permission: allowAll,
    workspace: createWorkspace({ cwd: '/', logger: silentLogger }),
  });
  const onWarning = (error: Error): void => void errors.push(error);
  const server = serve(source, { name: 'shelf', library, transport: there, onWarning, ...served });
  const opened = await createTestConnection({ transport: here, ...options });
  cleanups.push(
    () => server.close(),
    () => opened.connection.close(),
  );
  return { ...opened, library, errors };
}

const text = (uri: string, body: string): { uri: string; name: string; type: string; read: () => string } => ({
  uri,
  name: uri.split('/').at(-1)!,
  type: 'text/plain',
  read: () => body,
});

const given: LibraryOptions = {
  resources: [
    { ...text('notes://all/one', 'first'), description: 'The \u001b[31mfirst\u202e note.' },
    { uri: 'notes://all/bytes', name: 'bytes', type: 'application/x-bytes', read: () => new Uint8Array([1, 2, 3]) },
    { ...text('notes://all/bad', ''), read: () => Promise.reject<string>(new Error('disk at /home/ada broke')) },
  ],
  templates: [
    {
      uriTemplate: 'notes://{year}/{name}',
      name: 'notes of a year',
      type: 'text/plain',
      read: ({ year, name }) => `${name} of ${year}`,
    },
  ],
  prompts: [
    {
      name: 'review',
      title: 'Review',
      description: 'Reviews code.',
      variables: [
        { name: 'code', required: true, description: 'What to review.' },
        { name: 'tone', required: false },
      ],
      prepare: ({ code, tone = 'kind' }) => [
        { role: 'system', content: `Be ${String(tone)}.` },
        { role: 'user', content: [{ type: 'text', text: `Look at ${String(code)}` }] },
        { role: 'assistant', content: 'I will.' },
      ],
    },
  ],
  complete: ({ prompt, uriTemplate, variable, typed, otherValues }) =>
    prompt === 'review' && variable === 'tone'
      ? ['kind', 'keen', 'strict'].filter((tone) => tone.startsWith(typed))
      : uriTemplate === undefined
        ? []
        : Array.from({ length: 150 }, (_, index) => `${typed}${index}${otherValues['year'] ?? ''}`),
};

it('refuses a prompt and a resource that could not be listed or read', () => {
  const prepare = () => [];
  const read = () => 'milk';
  for (const [options, message] of [
    [{ prompts: [{ name: 'a', prepare }] }, 'prompt "a": variables is not valid (expected an array such as'],
    [
      { prompts: [{ name: 'a', variables: [] }] },
      'prompt "a": prepare is not valid (expected a function, got undefined)',
    ],
    [{ prompts: [{ variables: [], prepare }] }, 'prompt.name is not valid'],
    [
      { resources: [{ uri: 'a:b', name: 'b' }] },
      'resource "a:b": read is not valid (expected a function, got undefined)',
    ],
    [
      { resources: [{ uri: 'not a uri', name: 'b', type: '', read }] },
      'resource "not a uri": uri is not valid (expected an absolute URI such as "notes:///today"',
    ],
    [
      { resources: [{ uri: 'a:b', name: 'b', mimeType: 'text/plain', read }] },
      'resource "a:b": mimeType is unknown (use "type")',
    ],
    [{ resources: [{ uri: 'a:b', name: 'b', type: 7, read }] }, 'resource "a:b": type is not valid (expected a media'],
    [
      { templates: [{ uriTemplate: 'a:{b}', name: 'b', mimeType: 'text/plain', read }] },
      'template "a:{b}": mimeType is unknown (use "type")',
    ],
    [{ templates: [{ uriTemplate: 'a:{b}', name: 'b', type: '' }] }, 'template "a:{b}": read is not valid'],
  ] as const)
    expect(() => createLibrary(options as never), message).toThrow(message);
});

describe.each(['legacy', 'auto'] as const)('a served library (%s)', (era) => {
  it('lists and reads resources, including templates', async () => {
    const { connection, errors } = await link({ era }, given);
    const { library } = connection;
    const listed = await library.resources();
    expect(listed.map(({ uri, type }) => [uri, type])).toEqual([
      ['notes://all/one', 'text/plain'],
      ['notes://all/bytes', 'application/x-bytes'],
      ['notes://all/bad', 'text/plain'],
    ]);
    expect(listed[0]!.description).toBe('The first note.');
    expect(await listed[0]!.read()).toBe('first');
    expect(await listed[1]!.read()).toEqual(new Uint8Array([1, 2, 3]));
    expect(await library.templates()).toEqual([
      { uriTemplate: 'notes://{year}/{name}', name: 'notes of a year', type: 'text/plain' },
    ]);
    const [made] = await library.read('notes://2026/caf%C3%A9');
    expect(await made!.read()).toBe('café of 2026');
    await expect(library.read('other://x')).rejects.toMatchObject({ code: -32_602 });
    await expect(Promise.resolve(listed[2]!.read())).rejects.toThrow(/^(?!.*ada).*failed/);
    expect((errors[0]!.cause as Error).message).toContain('/home/ada');
  });

  it('prepares prompts and completes values', async () => {
    const { connection } = await link({ era }, given);
    const [prompt] = await connection.library.prompts();
    expect(prompt).toMatchObject({
      name: 'review',
      title: 'Review',
      variables: [
        { name: 'code', required: true, description: 'What to review.' },
        { name: 'tone', required: false },
      ],
    });
    expect(await prompt!.prepare({ code: 'x = 1', tone: 'strict' }, [])).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Be strict.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Look at x = 1' }] },
      { role: 'assistant', content: 'I will.' },
    ]);
    await expect(Promise.resolve(prompt!.prepare({}, []))).rejects.toThrow('requires code');
    const ask = { variable: 'tone', typed: 'k', otherValues: {} };
    expect(await connection.library.complete({ ...ask, prompt: 'review' })).toEqual(['kind', 'keen']);
    const many = { uriTemplate: 'notes://{year}/{name}', variable: 'name', typed: 'n', otherValues: { year: '2026' } };
    expect(await connection.library.complete(many)).toHaveLength(100);
  });

  it('notifies clients of changes, and of a resource only its subscribers', async () => {
    const { connection, library, events, next } = await link({ era }, given);
    await connection.library.resources();
    let change: Promise<unknown> = next('resource-list-changed');
    library.addResource(text('notes://all/two', 'second'));
    await change;
    change = next('prompt-list-changed');
    library.removePrompt('review');
    await change;
    expect(await connection.library.prompts()).toEqual([]);
    const stop = await connection.library.subscribe('notes://all/one');
    change = next('resource-updated');
    library.notifyUpdated('notes://all/two');
    library.notifyUpdated('notes://all/one');
    expect(await change).toEqual({ type: 'resource-updated', uri: 'notes://all/one' });
    await stop();
    library.notifyUpdated('notes://all/one');
    change = next('resource-list-changed');
    library.removeResource('notes://all/two');
    await change;
    expect(events.filter(({ type }) => type === 'resource-updated')).toHaveLength(1);
  });
});

describe.each(['legacy', 'auto'] as const)('a served tool (%s)', (era) => {
  const form = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
  let runs = 0;
  const survey = asking('survey', async (peer) => {
    runs += 1;
    const place = await peer.elicit!('Where to?', form);
    const [said, roots] = await Promise.all([
      peer.sample!({ prompt: `Praise ${JSON.stringify(place)}`, maxOutputTokens: 10 }),
      peer.roots!(),
    ]);
    return { place, said, roots };
  });

  it('asks its client, and the host answers', async () => {
    runs = 0;
    const asked: unknown[] = [];
    const { call, next, connection } = await link(
      {
        era,
        host: {
          roots: () => [{ uri: 'file:///work', name: 'work' }],
          sample: async ({ messages, maxTokens }) => {
            asked.push(messages, maxTokens);
            return { role: 'assistant', model: 'tiny', content: { type: 'text', text: 'Lovely.' } };
          },
          elicit: async (request, { server }) => {
            asked.push(request.message, server);
            return { action: 'accept', content: { city: 'Oslo' } };
          },
        },
      },
      {},
      [survey],
    );
    await connection.library.setLogLevel('info');
    const log = next('log');
    expect(JSON.parse(unfenced(await call('shelf_survey')))).toEqual({
      place: { action: 'accept', content: { city: 'Oslo' } },
      said: { text: 'Lovely.', model: 'tiny' },
      roots: [{ uri: 'file:///work', name: 'work' }],
    });
    expect(asked.slice(0, 2)).toEqual(['Where to?', 'shelf']);
    expect(await log).toMatchObject({ level: 'info', logger: 'survey', text: '{"message":"asked","by":"survey"}' });
    // In the modern era, the body runs again for each round of requests.
    expect(runs).toBe(era === 'legacy' ? 1 : 3);
  });

  it('can detect a client that answers no requests, and only its call fails when it asks anyway', async () => {
    const alone = await link({ era }, {}, [survey]);
    expect(unfenced(await alone.call('shelf_survey'))).toBe('"nobody to ask"');
    const { call, connection } = await link(
      { era, host: { elicit: () => Promise.reject(new Error('the window is closed')) } },
      {},
      [survey],
    );
    const result = await call('shelf_survey');
    expect(result.ok).toBe(false);
    expect(JSON.stringify(connection.diagnostics)).toContain('the window is closed');
    expect(connection.state).toBe('ready');
  });
});

describe('answers of earlier rounds', () => {
  const name = 'survey';
  const form = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
  const twice = asking(name, async (peer) => [await peer.elicit!('first', form), await peer.elicit!('second', form)]);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'by hand', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };

  it('are sealed, requested again when invalid, and readable by every replica', async () => {
    const stateKey = 'k'.repeat(32);
    const copies = [1, 2].map(() => {
      const registry = new ToolRegistry({ tools: [twice] });
      return createHttpHandler(createDispatcher({ registry, permission: allowAll }), { stateKey, json: true });
    });
    cleanups.push(async () => void (await Promise.all(copies.map((copy) => copy.close()))));
    let sent = 0;
    const post = async (more: object = {}): Promise<Record<string, unknown>> => {
      sent += 1;
      const params = { name, arguments: {}, _meta: meta, ...more };
      const response = await copies[sent % 2]!.fetch(
        new Request('http://localhost/mcp', {
          method: 'POST',
          headers: {
            host: 'localhost',
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': 'tools/call',
            'mcp-name': name,
          },
          body: JSON.stringify({ jsonrpc: '2.0', id: sent, method: 'tools/call', params }),
        }),
      );
      const { result, error } = (await response.json()) as { result?: Record<string, unknown>; error?: object };
      return result ?? { error };
    };
    const accept = (n: unknown): object => ({ action: 'accept', content: { n } });
    const first = await post();
    expect(first).toMatchObject({ resultType: 'input_required' });
    expect(Object.keys(first['inputRequests'] as object)).toEqual(['request-1']);
    const { requestState } = first;
    const unfit = await post({ requestState, inputResponses: { 'request-1': accept('one') } });
    expect(Object.keys(unfit['inputRequests'] as object)).toEqual(['request-1']);
    const second = await post({ requestState, inputResponses: { 'request-1': accept(1), 'question-9': accept(9) } });
    expect(Object.keys(second['inputRequests'] as object)).toEqual(['request-2']);
    const forged = `${String(second['requestState']).slice(0, -3)}AAA`;
    const more = { 'request-2': accept(2) };
    expect(await post({ requestState: forged, inputResponses: more })).toMatchObject({ error: { code: -32_602 } });
    const done = await post({ requestState: second['requestState'], inputResponses: more });
    expect(JSON.parse((done['content'] as { text: string }[])[0]!.text)).toEqual([
      { action: 'accept', content: { n: 1 } },
      { action: 'accept', content: { n: 2 } },
    ]);
  });
});
