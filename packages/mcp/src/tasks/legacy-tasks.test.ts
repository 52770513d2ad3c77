import { allowAll, createDispatcher, defineTool, ToolRegistry, type AnyTool, type ToolContext } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { InMemoryTransport, type JSONRPCMessage } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createHandWrittenServer, listedTool } from '../fixtures/hand-written-server.ts';
import { createTestConnection, unfenced } from '../fixtures/test-connection.ts';
import { createHttpHandler, serve, type TaskMode } from '../index.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

interface Stage {
  readonly tool: AnyTool;
  readonly started: Promise<ToolContext>;
  end(text: string): void;
}

/** A tool whose call ends when the test releases it. */
function createStage(ask?: (context: ToolContext) => Promise<string>): Stage {
  let end!: (text: string) => void;
  let begin!: (context: ToolContext) => void;
  const started = new Promise<ToolContext>((resolve) => (begin = resolve));
  const tool = defineTool({
    name: 'work',
    description: 'Works until it is told to end.',
    input: { type: 'object' },
    traits: { readOnly: true, openWorld: false },
    execute: (_args, context) =>
      ask?.(context) ??
      new Promise<string>((resolve, reject) => {
        end = resolve;
        context.signal.addEventListener('abort', () => reject(new Error('told to stop')));
        begin(context);
      }),
  });
  return { tool: eraseTool(tool), started, end: (text) => end(text) };
}

const tasks = (mode: TaskMode) => ({ mode: () => mode, pollIntervalMs: 60_000 });

function startServer(tool: AnyTool, mode: TaskMode): InMemoryTransport {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const source = createDispatcher({
    registry: new ToolRegistry({ tools: [tool] }),
    permission: allowAll,
    cancelGraceMs: 1,
  });
  const server = serve(source, { name: 'far', transport: serverSide, tasks: tasks(mode) });
  cleanups.push(() => server.close());
  return clientSide;
}

type Record_ = Readonly<Record<string, unknown>>;

/** A client of 2025-11-25 that sends exactly the messages of the test. */
async function openRawClient(transport: InMemoryTransport, answer: (method: string) => object = () => ({})) {
  const notifications: Record_[] = [];
  const waiting = new Map<unknown, (message: Record_) => void>();
  const awaited: { readonly matches: (params: Record_) => boolean; readonly resolve: () => void }[] = [];
  const asked: Record_[] = [];
  const onmessage = (message: JSONRPCMessage): unknown => {
    const { id, method, params } = message as {
      readonly id?: unknown;
      readonly method?: string;
      readonly params?: Record_;
    };
    if (method === undefined) return waiting.get(id)?.(message as Record_);
    if (id !== undefined) {
      asked.push({ method, ...params });
      return void transport.send({ jsonrpc: '2.0', id, result: answer(method) } as JSONRPCMessage);
    }
    notifications.push({ method, ...params });
    for (const one of awaited) if (one.matches({ method, ...params })) one.resolve();
    return undefined;
  };
  Object.assign(transport, { onmessage });
  await transport.start();
  let ids = 0;
  const request = (method: string, params: object = {}): Promise<Record_> =>
    new Promise((resolve) => {
      ids += 1;
      waiting.set(ids, ({ result, error }) => resolve((result ?? { error }) as Record_));
      void transport.send({ jsonrpc: '2.0', id: ids, method, params } as JSONRPCMessage);
    });
  const begun = await request('initialize', {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'raw', version: '1' },
  });
  await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return {
    begun,
    request,
    asked,
    notified: (matches: (params: Record_) => boolean): Promise<void> =>
      notifications.some(matches) ? Promise.resolve() : new Promise((resolve) => awaited.push({ matches, resolve })),
  };
}

describe('a served task of the 2025-11-25 revision', () => {
  it('is announced, listed, reported with notifications, and has a result', async () => {
    const stage = createStage();
    const client = await openRawClient(startServer(stage.tool, 'slow'));
    expect(client.begun).toMatchObject({
      capabilities: { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
    });
    expect(await client.request('tools/list')).toMatchObject({
      tools: [{ name: 'work', execution: { taskSupport: 'optional' } }],
    });
    const { task } = (await client.request('tools/call', { name: 'work', arguments: {}, task: { ttl: 60_000 } })) as {
      readonly task: Record_;
    };
    expect(task).toEqual({
      taskId: expect.any(String),
      status: 'working',
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttl: 3_600_000,
      pollInterval: 60_000,
    });
    const { taskId } = task;
    (await stage.started).progress({ message: 'half way' });
    const isAbout = (params: Record_): boolean =>
      params['method'] === 'notifications/tasks/status' && params['taskId'] === taskId;
    await client.notified((params) => isAbout(params) && params['statusMessage'] === 'half way');
    expect(await client.request('tasks/get', { taskId })).toMatchObject({
      taskId,
      status: 'working',
      statusMessage: 'half way',
    });
    expect(await client.request('tasks/list')).toMatchObject({ tasks: [{ taskId }] });
    const result = client.request('tasks/result', { taskId });
    stage.end('worked');
    expect(await result).toMatchObject({
      content: [{ type: 'text', text: 'worked' }],
      _meta: { 'io.modelcontextprotocol/related-task': { taskId } },
    });
    await client.notified((params) => isAbout(params) && params['status'] === 'completed');
    expect(await client.request('tasks/cancel', { taskId })).toMatchObject({ error: { code: -32_602 } });
    expect(await client.request('tasks/get', { taskId: 'unknown' })).toMatchObject({ error: { code: -32_602 } });
  });

  it('is cancelled on request, with its body', async () => {
    const stage = createStage();
    const client = await openRawClient(startServer(stage.tool, 'always'));
    const { task } = (await client.request('tools/call', { name: 'work', task: {} })) as { readonly task: Record_ };
    const { signal } = await stage.started;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    expect(await client.request('tasks/cancel', { taskId: task['taskId'] })).toMatchObject({ status: 'cancelled' });
    await stopped;
    expect(await client.request('tasks/result', { taskId: task['taskId'] })).toMatchObject({
      error: { code: -32_602 },
    });
  });

  it('asks the client while its result is awaited', async () => {
    const stage = createStage(async ({ session }) => {
      const answer = await session.peer!.elicit!('Which one?', {
        type: 'object',
        properties: { n: { type: 'number' } },
      });
      return `it is ${JSON.stringify(answer)}`;
    });
    const client = await openRawClient(startServer(stage.tool, 'always'), () => ({
      action: 'accept',
      content: { n: 7 },
    }));
    const { task } = (await client.request('tools/call', { name: 'work', task: {} })) as { readonly task: Record_ };
    await client.notified(({ status }) => status === 'input_required');
    expect(client.asked).toEqual([]);
    expect(await client.request('tasks/result', { taskId: task['taskId'] })).toMatchObject({
      content: [{ text: 'it is {"action":"accept","content":{"n":7}}' }],
    });
    expect(client.asked).toMatchObject([
      {
        method: 'elicitation/create',
        message: 'Which one?',
        _meta: { 'io.modelcontextprotocol/related-task': { taskId: task['taskId'] } },
      },
    ]);
  });

  it('is required where the server says so, and never where it does not', async () => {
    const required = await openRawClient(startServer(createStage().tool, 'required'));
    expect(await required.request('tools/list')).toMatchObject({ tools: [{ execution: { taskSupport: 'required' } }] });
    expect(await required.request('tools/call', { name: 'work' })).toMatchObject({ error: { code: -32_601 } });
    const never = await openRawClient(startServer(createStage().tool, 'never'));
    const { tools } = (await never.request('tools/list')) as { readonly tools: readonly Record_[] };
    expect(tools[0]).not.toHaveProperty('execution');
  });
});

describe('our client with a server of the 2025-11-25 revision that requires tasks', () => {
  it('follows the task, reports its status, and returns its result', { timeout: 50_000 }, async () => {
    const stage = createStage();
    const { call, connection } = await createTestConnection({
      transport: startServer(stage.tool, 'required'),
      era: 'legacy',
    });
    cleanups.push(() => connection.close());
    const statuses: unknown[] = [];
    let onStatus = (): void => undefined;
    const isShown = new Promise<void>((resolve) => (onStatus = resolve));
    const answer = call('far_work', {}, { onProgress: (update) => (statuses.push(update), onStatus()) });
    const context = await stage.started;
    context.progress({ message: 'half way' });
    await isShown;
    // The server requests a minute between polls, so only its notification can end the wait.
    stage.end('worked');
    expect(unfenced(await answer)).toBe('worked');
    expect(statuses).toMatchObject([{ message: 'half way' }]);
  });

  it('cancels the task when its call is cancelled, and answers its questions', async () => {
    const stage = createStage();
    const { call, connection } = await createTestConnection({
      transport: startServer(stage.tool, 'required'),
      era: 'legacy',
    });
    cleanups.push(() => connection.close());
    const given = new AbortController();
    const answer = call('far_work', {}, { signal: given.signal });
    const { signal } = await stage.started;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    given.abort();
    expect(await answer).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
    await stopped;

    const asking = createStage(async ({ session }) =>
      JSON.stringify(await session.peer!.elicit!('Which?', { type: 'object', properties: {} })),
    );
    const other = await createTestConnection({
      transport: startServer(asking.tool, 'required'),
      era: 'legacy',
      host: { elicit: async () => ({ action: 'accept', content: {} }) },
    });
    cleanups.push(() => other.connection.close());
    expect(unfenced(await other.call('far_work'))).toBe('{"action":"accept","content":{}}');
  });

  it('polls a server without notifications, and accepts a result without a task', async () => {
    let polls = 0;
    const server = createHandWrittenServer({
      'tools/list': () => ({
        tools: ['slow', 'quick'].map((name) => listedTool(name, { execution: { taskSupport: 'required' } })),
      }),
      'tools/call': ({ name, task }) =>
        name === 'quick' || task === undefined
          ? { content: [{ type: 'text', text: 'at once' }] }
          : {
              task: { taskId: 't1', status: 'working', createdAt: '', lastUpdatedAt: '', ttl: null, pollInterval: 50 },
            },
      'tasks/get': () => {
        polls += 1;
        return {
          taskId: 't1',
          status: polls < 3 ? 'working' : 'completed',
          createdAt: '',
          lastUpdatedAt: '',
          ttl: null,
          pollInterval: 50,
        };
      },
      'tasks/result': () => ({ content: [{ type: 'text', text: `after ${polls} polls` }] }),
    });
    const { call, connection } = await createTestConnection({ name: 'far', transport: server.transport });
    cleanups.push(() => connection.close());
    expect(unfenced(await call('far_slow'))).toBe('after 3 polls');
    expect(unfenced(await call('far_quick'))).toBe('at once');
  });
});

it('hides tasks of the 2025-11-25 revision from other callers', async () => {
  const stage = createStage();
  const source = createDispatcher({ registry: new ToolRegistry({ tools: [stage.tool] }), permission: allowAll });
  const handler = createHttpHandler(source, {
    tasks: tasks('always'),
    authenticate: async (request) => ({ token: 'x', clientId: request.headers.get('x-who') ?? '', scopes: [] }),
  });
  cleanups.push(() => handler.close());
  const post = async (who: string, method: string, params: object): Promise<Record_> => {
    const response = await handler.fetch(
      new Request('http://localhost/mcp', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          host: 'localhost',
          'mcp-protocol-version': '2025-11-25',
          'x-who': who,
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      }),
    );
    const text = await response.text();
    return JSON.parse(/^(?:data: )?(\{"(?:jsonrpc|result|error|id).*)$/m.exec(text)![1]!) as Record_;
  };
  const { result } = (await post('ada', 'tools/call', { name: 'work', arguments: {}, task: {} })) as {
    readonly result: { readonly task: Record_ };
  };
  const { taskId } = result.task;
  expect(await post('ada', 'tasks/get', { taskId })).toMatchObject({ result: { taskId, status: 'working' } });
  expect(await post('eve', 'tasks/get', { taskId })).toMatchObject({ error: { code: -32_602 } });
  expect(await post('eve', 'tasks/list', {})).toMatchObject({ result: { tasks: [] } });
});
