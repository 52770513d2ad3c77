import { allowAll, createDispatcher, defineTool, ToolRegistry, type AnyTool, type ToolContext } from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { InMemoryTransport } from '@modelcontextprotocol/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestConnection, unfenced, type TestConnection } from '../fixtures/test-connection.ts';
import { createHttpHandler, serve, type ConnectionOptions, type TaskMode, type TaskOptions } from '../index.ts';
import { createTaskStore } from './task-store.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).toReversed()) await end();
});

/** A tool whose calls end when the test releases them. */
interface Stage {
  readonly tool: AnyTool;
  /** Contexts of running calls, in order. */
  readonly running: ToolContext[];
  readonly started: () => Promise<ToolContext>;
  end(result: unknown): void;
}

function createStage(name = 'work'): Stage {
  const running: ToolContext[] = [];
  const waiting: ((context: ToolContext) => void)[] = [];
  const ends: ((result: unknown) => void)[] = [];
  const tool = defineTool({
    name,
    description: 'Works until it is told to end.',
    input: { type: 'object' },
    traits: { readOnly: true, openWorld: false },
    execute: (_args, context) =>
      new Promise<string>((resolve, reject) => {
        running.push(context);
        ends.push((result) => (result instanceof Error ? reject(result) : resolve(result as string)));
        context.signal.addEventListener('abort', () => reject(new Error('told to stop')));
        waiting.shift()?.(context);
      }),
  });
  return {
    tool: eraseTool(tool),
    running,
    started: () => new Promise((resolve) => waiting.push(resolve)),
    end: (result) => ends.shift()?.(result),
  };
}

const polled = { pollIntervalMs: 50 };

async function open(
  tool: AnyTool,
  tasks: TaskOptions | undefined,
  options: Partial<ConnectionOptions> = {},
): Promise<TestConnection> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const source = createDispatcher({
    registry: new ToolRegistry({ tools: [tool] }),
    permission: allowAll,
    cancelGraceMs: 1,
  });
  const server = serve(source, { name: 'far', transport: serverSide, ...(tasks ? { tasks } : {}) });
  cleanups.push(() => server.close());
  const opened = await createTestConnection({ transport: clientSide, ...options });
  cleanups.push(() => opened.connection.close());
  return opened;
}

const mode = (given: TaskMode) => (): TaskMode => given;

describe('a call that is a task', () => {
  it.each<[TaskMode]>([['always'], ['slow'], ['required']])(
    'returns its result and reports its status (%s)',
    async (given) => {
      const stage = createStage();
      const { call } = await open(stage.tool, { mode: mode(given), afterMs: 1, ...polled });
      const statuses: unknown[] = [];
      let onTask = (): void => undefined;
      const isSaid = new Promise<void>((resolve) => (onTask = resolve));
      const started = stage.started();
      const answer = call('far_work', {}, { onProgress: (update) => (statuses.push(update), onTask()) });
      const context = await started;
      // The first status may come before it is a task; the last ones come from polling.
      const speaking = setInterval(() => context.progress({ message: 'step by step' }), 5);
      await isSaid;
      clearInterval(speaking);
      stage.end('worked');
      expect(unfenced(await answer)).toBe('worked');
      expect(statuses[0]).toMatchObject({ message: 'step by step' });
    },
  );

  it('stops polling when it is cancelled, and its body is aborted', async () => {
    const stage = createStage();
    const { call } = await open(stage.tool, { mode: mode('always'), ...polled });
    const started = stage.started();
    const given = new AbortController();
    const answer = call('far_work', {}, { signal: given.signal });
    const { signal } = await started;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    given.abort();
    expect(await answer).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
    await stopped;
  });

  it('is cancelled when it exceeds the total timeout', async () => {
    const stage = createStage();
    const { call } = await open(stage.tool, { mode: mode('always'), ...polled }, { requestTimeoutMs: 200 });
    const started = stage.started();
    const answer = call('far_work');
    const { signal } = await started;
    const stopped = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    expect(await answer).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    await stopped;
  });

  it('is not repeated when the server has lost the task', async () => {
    const stage = createStage();
    const registry = new ToolRegistry({ tools: [stage.tool] });
    const source = createDispatcher({ registry, permission: allowAll, cancelGraceMs: 1 });
    const handler = createHttpHandler(source, { name: 'far', tasks: { mode: mode('always'), ...polled } });
    cleanups.push(() => handler.close());
    const { connection, call } = await createTestConnection({
      url: 'http://127.0.0.1:9999/mcp',
      async fetch(input, init) {
        const request = new Request(input, init);
        if (request.headers.get('mcp-method') === 'tasks/get') return new Response('gone', { status: 404 });
        const headers = new Headers(request.headers);
        headers.set('host', '127.0.0.1:9999');
        return handler.fetch(new Request(request, { headers }));
      },
    });
    cleanups.push(() => connection.close());
    expect(await call('far_work')).toMatchObject({ ok: false });
    expect(stage.running).toHaveLength(1);
  });

  it('fails without internal details when its body throws', async () => {
    const stage = createStage();
    const { call } = await open(stage.tool, { mode: mode('always'), ...polled });
    const started = stage.started();
    const answer = call('far_work');
    await started;
    stage.end(new Error('cannot read /srv/inside/the/host'));
    const result = await answer;
    expect(result).toMatchObject({ ok: false, error: { code: 'REMOTE_ERROR' } });
    expect(JSON.stringify(result)).not.toContain('/srv/inside');
  });

  it('asks its client until the answer matches, and continues', async () => {
    const asked: unknown[] = [];
    const form = { type: 'object', properties: { name: { type: 'string' }, size: { type: 'integer', default: 3 } } };
    const tool = defineTool({
      name: 'ask',
      description: 'Asks.',
      input: { type: 'object' },
      traits: { readOnly: true, openWorld: false },
      execute: async (_args, { session: { peer } }) => JSON.stringify(await peer!.elicit!('Who?', form, 'who')),
    });
    const { text } = await open(
      eraseTool(tool),
      { mode: mode('always'), ...polled },
      {
        host: {
          elicit: async (request) => {
            asked.push(request.message);
            return { action: 'accept', content: { name: 'Ada' } };
          },
        },
      },
    );
    expect(await text('far_ask')).toContain('{"action":"accept","content":{"size":3,"name":"Ada"}}');
    expect(asked).toEqual(['Who?']);
  });

  it('is cancelled when its request cannot be answered', async () => {
    let stop = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (stop = resolve));
    const tool = defineTool({
      name: 'ask',
      description: 'Asks.',
      input: { type: 'object' },
      traits: { readOnly: true, openWorld: false },
      execute: async (_args, { signal, session: { peer } }) => {
        signal.addEventListener('abort', () => stop());
        return JSON.stringify(await peer!.elicit!('Who?', { type: 'object', properties: {} }, 'who'));
      },
    });
    const host = { elicit: () => Promise.reject(new Error('nobody is here')) };
    const { call } = await open(eraseTool(tool), { mode: mode('always'), ...polled }, { host });
    expect(await call('far_ask')).toMatchObject({ ok: false });
    await stopped;
  });

  it('can detect that its client answers no requests', async () => {
    const tool = defineTool({
      name: 'ask',
      description: 'Asks.',
      input: { type: 'object' },
      traits: { readOnly: true, openWorld: false },
      execute: (_args, { session: { peer } }) => (peer && 'elicit' in peer ? 'it can' : 'it cannot'),
    });
    const { text } = await open(eraseTool(tool), { mode: mode('always'), ...polled });
    expect(await text('far_ask')).toContain('it cannot');
  });
});

describe('a server with tasks', () => {
  const meta = (extensions: object): object => ({
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'by hand', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { extensions },
  });
  const knows = { 'io.modelcontextprotocol/tasks': {} };

  function openHttp(tool: AnyTool, tasks: TaskOptions) {
    const source = createDispatcher({
      registry: new ToolRegistry({ tools: [tool] }),
      permission: allowAll,
      cancelGraceMs: 1,
    });
    const handler = createHttpHandler(source, {
      tasks,
      authenticate: async (request) => ({ token: '', clientId: request.headers.get('x-caller') ?? 'ada', scopes: [] }),
    });
    cleanups.push(() => handler.close());
    let id = 0;
    return async (method: string, params: object, extensions: object = knows, caller = 'ada'): Promise<unknown> => {
      id += 1;
      const { name, taskId } = params as { readonly name?: string; readonly taskId?: string };
      const response = await handler.fetch(
        new Request('http://127.0.0.1/mcp', {
          method: 'POST',
          headers: {
            host: '127.0.0.1',
            'content-type': 'application/json',
            accept: 'application/json, text/event-stream',
            'mcp-protocol-version': '2026-07-28',
            'mcp-method': method,
            'mcp-name': name ?? taskId ?? '',
            'x-caller': caller,
          },
          body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: meta(extensions) } }),
        }),
      );
      const text = await response.text();
      const line = text.startsWith('{') ? text : (/^data: (\{.*\})$/m.exec(text)?.[1] ?? '{}');
      const { result, error } = JSON.parse(line) as { readonly result?: unknown; readonly error?: unknown };
      return result ?? { error };
    };
  }

  it('shows a task only to its caller, and drops results that were never tasks', async () => {
    const stage = createStage();
    const ask = openHttp(stage.tool, { mode: mode('always') });
    const { taskId, ...task } = (await ask('tools/call', { name: 'work', arguments: {} })) as { taskId: string };
    expect(task).toMatchObject({ resultType: 'task', status: 'working', ttlMs: 3_600_000, pollIntervalMs: 500 });
    expect(await ask('tasks/get', { taskId })).toMatchObject({ taskId, status: 'working', resultType: 'complete' });
    expect(await ask('tasks/get', { taskId }, knows, 'eve')).toMatchObject({ error: { code: -32_602 } });
    expect(await ask('tasks/cancel', { taskId }, knows, 'eve')).toMatchObject({ error: { code: -32_602 } });
    expect(await ask('tasks/get', { taskId }, {})).toMatchObject({ error: { code: -32_021 } });
    stage.end('worked');
    const ended = (await ask('tasks/get', { taskId })) as { status: string };
    expect(['working', 'completed']).toContain(ended.status);
    expect(await ask('tasks/cancel', { taskId })).toMatchObject({ resultType: 'complete' });
  });

  it('waits for the call if the client has no task support or too many tasks', async () => {
    const stage = createStage();
    const ask = openHttp(stage.tool, { mode: mode('always'), maxTasks: 1 });
    let started = stage.started();
    const plain = ask('tools/call', { name: 'work', arguments: {} }, {});
    await started;
    stage.end('plain');
    expect(await plain).toMatchObject({ content: [{ text: 'plain' }] });
    expect(await ask('tools/call', { name: 'work', arguments: {} })).toMatchObject({ resultType: 'task' });
    started = stage.started();
    const second = ask('tools/call', { name: 'work', arguments: {} });
    await started;
    stage.end('first');
    stage.end('second');
    expect(await second).toMatchObject({ content: [{ text: 'second' }] });
  });

  it('refuses a tool that requires tasks to clients without support, and above the limit', async () => {
    const stage = createStage();
    const ask = openHttp(stage.tool, { mode: mode('required'), maxTasks: 1 });
    expect(await ask('tools/call', { name: 'work', arguments: {} }, {})).toMatchObject({
      error: { code: -32_021, data: { requiredCapabilities: { extensions: knows } } },
    });
    expect(await ask('tools/call', { name: 'work', arguments: {} })).toMatchObject({ resultType: 'task' });
    expect(await ask('tools/call', { name: 'work', arguments: {} })).toMatchObject({ error: { code: -32_603 } });
  });

  it('limits the tasks of each caller separately', () => {
    const store = createTaskStore({ maxTasks: 2 });
    const begin = (owner: string): boolean => store.begin(owner, () => undefined) !== undefined;
    const first = store.begin('ada', () => undefined);
    first?.complete({});
    expect([begin('ada'), begin('ada'), begin('eve'), begin('eve'), begin('eve')]).toEqual([
      true,
      false,
      true,
      true,
      false,
    ]);
    const others = Array.from({ length: 20 }, (_, index) => begin(`caller ${index}`));
    expect(others.filter(Boolean)).toHaveLength(16);
    store.close();
    expect(begin('ada')).toBe(true);
    store.close();
  });

  it('cancels running tasks when their ttl ends and when it is closed', async () => {
    const ended: string[] = [];
    const store = createTaskStore({ ttlMs: 1 });
    const over = new Promise<void>((resolve) => {
      const task = store.begin('', () => (ended.push('late'), resolve()))!;
      expect(store.find('', task.id)).toBe(task);
    });
    await over;
    expect(ended).toEqual(['late']);
    const other = createTaskStore({});
    const task = other.begin('', () => ended.push('closed'))!;
    const question = task.ask('who', { method: 'roots/list' });
    expect(task.describe()).toMatchObject({
      status: 'input_required',
      inputRequests: { who: { method: 'roots/list' } },
    });
    other.close();
    await expect(question).rejects.toThrow('ended');
    expect(ended).toEqual(['late', 'closed']);
    expect([other.find('', task.id), task.describe().status]).toEqual([undefined, 'cancelled']);
  });

  it.each([{ ttlMs: 0 }, { maxTasks: 1.5 }, { afterMs: -1 }, { pollIntervalMs: Number.NaN }])(
    'refuses invalid limits (%j)',
    (options) => {
      expect(() => createTaskStore(options)).toThrow(/expected a whole number above 0/);
    },
  );
});
