import { allowAll, createDispatcher, defineTool, success, ToolRegistry, type ToolSource } from '@haft/core';
import { createPermissionEngine, type PermissionQuestion } from '@haft/permission';
import { describe, expect, it } from 'vitest';
import { createApprovals, type Approvals } from '../approvals/create-approvals.ts';
import { createCallLog } from '../calls/create-call-log.ts';
import {
  sectionNames,
  type CallDetails,
  type CallSummary,
  type ToolDetails,
  type ToolSummary,
} from '../contract/page-data.ts';
import { createWorkbench, type Workbench } from './create-workbench.ts';
import type { WorkbenchOptions } from './workbench-options.ts';

const token = 'a-token-for-the-tests';
const add = defineTool({
  name: 'add',
  description: 'Adds two numbers.',
  kind: 'read',
  input: {
    type: 'object',
    properties: { a: { type: 'integer', minimum: 0 }, b: { type: 'integer', default: 1 } },
    required: ['a'],
  },
  execute: (args) => {
    const { a, b } = args as { readonly a: number; readonly b: number };
    return success('', `${a + b}`, { summary: 'added' });
  },
});
const wait = defineTool({
  name: 'wait',
  description: 'Waits until it is cancelled.',
  kind: 'read',
  input: { type: 'object', properties: {} },
  execute: (_args, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
});
const pay = defineTool({
  name: 'pay',
  description: 'Pays an amount.',
  input: { type: 'object', properties: { amount: { type: 'integer' } }, required: ['amount'] },
  execute: () => 'paid',
});

function open(options: Partial<WorkbenchOptions> = {}, source?: ToolSource): Workbench {
  const registry = new ToolRegistry({ tools: [add, wait] });
  return createWorkbench({ tools: source ?? createDispatcher({ registry, permission: allowAll }), token, ...options });
}

function request(
  path: string,
  init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> } = {},
): Request {
  const headers = { host: '127.0.0.1:4000', authorization: `Bearer ${token}`, ...init.headers };
  return new Request(`http://127.0.0.1:4000/${path}`, { ...init, headers });
}

function post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Request {
  return request(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });
}

async function read<Value>(workbench: Workbench, given: string | Request): Promise<Value> {
  const response = await workbench.fetch(typeof given === 'string' ? request(given) : given);
  expect(response.status).toBe(200);
  return (await response.json()) as Value;
}

describe('createWorkbench', () => {
  it.each<[unknown, RegExp]>([
    [{}, /toolkit is missing/],
    [{ tools: 5 }, /tools is not valid/],
    [{ tool: {} }, /tool is not an option \(did you mean tools\?\)/],
    [
      { tools: createDispatcher({ registry: new ToolRegistry() }), token: 'short' },
      /token is not valid .*16 characters/,
    ],
  ])('refuses wrong options: %j', (options, message) => {
    expect(() => createWorkbench(options as never)).toThrow(message);
  });
});

describe('access to the data', () => {
  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['without the token', { authorization: '' }, 401],
    ['with a wrong token', { authorization: 'Bearer a-token-for-the-testz' }, 401],
    ['under a foreign host name', { host: 'evil.example' }, 421],
    ['from a page of another site', { origin: 'https://evil.example' }, 403],
    ['from a page on another port', { origin: 'http://127.0.0.1:5000' }, 403],
    ['from a page without an origin of its own', { origin: 'null' }, 403],
    ['that the browser marks as cross-site', { 'sec-fetch-site': 'cross-site' }, 403],
  ])('is refused %s', async (_, headers, status) => {
    const workbench = open();
    for (const given of [request('api/tools', { headers }), post('api/call', { name: 'add' }, headers)]) {
      const response = await workbench.fetch(given);
      expect(response.status).toBe(status);
      expect(await response.json()).toEqual({ error: expect.stringMatching(/^(?:authorization|host|origin): /) });
    }
  });

  it('is granted to the page itself', async () => {
    const headers = { origin: 'http://127.0.0.1:4000', 'sec-fetch-site': 'same-origin' };
    expect((await open().fetch(request('api/tools', { headers }))).status).toBe(200);
  });

  it.each<[Request, number, RegExp]>([
    [request('api/nothing'), 404, /unknown path/],
    [request('api/call'), 405, /expected POST/],
    [request('api/tools', { method: 'POST', body: '{}' }), 405, /expected GET/],
    [request('api/call', { method: 'POST', body: '{}' }), 415, /application\/json/],
    [post('api/call', []), 400, /JSON object/],
    [post('api/call', {}), 400, /^name: missing/],
    [post('api/call', { name: 'x'.repeat(5_000_000) }), 413, /too large/],
    [request('api/tools/missing'), 404, /no tool "missing"/],
  ])('answers an invalid request with the expected form (%#)', async (given, status, message) => {
    const response = await open().fetch(given);
    expect(response.status).toBe(status);
    expect(((await response.json()) as { readonly error: string }).error).toMatch(message);
  });

  it('stays below the path at which the workbench is mounted', async () => {
    const workbench = open({ basePath: '/haft' });
    expect((await workbench.fetch(request('haft/api/tools'))).status).toBe(200);
    expect((await workbench.fetch(request('api/tools'))).status).toBe(404);
  });
});

describe('the data', () => {
  it('list the tools, with schemas for every dialect, lost rules and arguments to begin with', async () => {
    const workbench = open();
    const tools = await read<readonly ToolSummary[]>(workbench, 'api/tools');
    expect(tools.map(({ name, kind }) => [name, kind])).toEqual([
      ['add', 'read'],
      ['wait', 'read'],
    ]);
    const details = await read<ToolDetails>(workbench, 'api/tools/add');
    expect(details.example).toEqual({ a: 0, b: 1 });
    const strict = details.dialects.find(({ dialect }) => dialect === 'openai-strict');
    expect(strict?.schema).toMatchObject({ additionalProperties: false });
    expect(details.dialects.every(({ problem }) => problem === undefined)).toBe(true);
  });

  it('include the result of a call, as shown to the model and to the user', async () => {
    const workbench = open();
    expect(await read(workbench, post('api/call', { name: 'add', arguments: { a: 1 } }))).toMatchObject({
      isOk: true,
      forModel: '2',
      forPerson: { summary: 'added' },
    });
    expect(await read(workbench, post('api/call', { name: 'add', text: "{'a': 1,}" }))).toMatchObject({
      isOk: true,
      reading: expect.arrayContaining([
        ', → left out: JSON allows no comma before a closing bracket, so it was left out.',
      ]),
    });
    expect(await read(workbench, post('api/call', { name: 'add', arguments: { a: -1 } }))).toMatchObject({
      isOk: false,
      error: { code: 'INVALID_ARGS', fault: 'model' },
    });
  });

  it('include the names, parameters and aliases of the tools', async () => {
    expect(await read(open(), 'api/callable-tools')).toMatchObject([
      { name: 'add', parameters: { required: ['a'] } },
      { name: 'wait' },
    ]);
  });
});

describe('the log of calls', () => {
  it('shows running calls, lets the page cancel its own, and keeps the result', async () => {
    const calls = createCallLog();
    const registry = new ToolRegistry({ tools: [wait] });
    const tools = createDispatcher({ registry, permission: allowAll, observer: calls.observer });
    const workbench = open({ calls }, tools);
    const started = new Promise<void>((resolve) => calls.onChange(resolve));
    const done = read(workbench, post('api/call', { name: 'wait' }));
    await started;
    const list = async (): Promise<readonly CallSummary[]> =>
      (await read<{ readonly calls: readonly CallSummary[] }>(workbench, 'api/calls')).calls;
    const [running] = await list();
    expect(running).toMatchObject({ name: 'wait', state: 'running', isOwn: true });
    await read(workbench, post(`api/cancel/${running?.callId}`, {}));
    expect(await done).toMatchObject({ isOk: false, error: { code: 'ABORTED' } });
    expect(await list()).toMatchObject([{ state: 'cancelled', isOwn: false }]);
    expect(await read<CallDetails>(workbench, `api/calls/${running?.key}`)).toMatchObject({ arguments: '{}' });
    expect((await workbench.fetch(post(`api/cancel/${running?.callId}`, {}))).status).toBe(409);
  });

  it('keeps the newest calls, up to its limit', async () => {
    const calls = createCallLog({ maxCalls: 3 });
    const registry = new ToolRegistry({ tools: [add] });
    const tools = createDispatcher({ registry, permission: allowAll, observer: calls.observer });
    for (let a = 0; a < 5; a += 1) await tools.dispatch({ id: 'same', name: 'add', arguments: { a } });
    expect(calls.list(() => false).map(({ key, state }) => [key, state])).toEqual([
      ['5', 'ok'],
      ['4', 'ok'],
      ['3', 'ok'],
    ]);
  });
});

const question: PermissionQuestion = {
  callId: 'c1',
  tool: 'bash',
  provider: 'builtin',
  kind: 'other',
  title: 'x',
  arguments: {},
  reads: [],
  writes: [],
  cwd: '/work',
  sessionId: '',
  reason: 'no rule allows it',
};

describe('the size of the log', () => {
  it('is limited, also for large results', async () => {
    const calls = createCallLog({ maxCharacters: 2_500 });
    const large = defineTool({
      name: 'large',
      description: 'Returns a long text.',
      kind: 'read',
      input: { type: 'object' },
      execute: () => 'x'.repeat(1_000),
    });
    const tools = createDispatcher({ registry: [large], permission: allowAll, observer: calls.observer });
    for (let index = 0; index < 5; index += 1) await tools.dispatch({ id: `${index}`, name: 'large', arguments: {} });
    expect(calls.list(() => false).map(({ key }) => key)).toEqual(['5', '4']);
  });
});

describe('the queue of questions', () => {
  const ask = async (): Promise<{
    workbench: Workbench;
    approvals: Approvals;
    result: Promise<boolean>;
    abort: () => void;
  }> => {
    const approvals = createApprovals();
    const controller = new AbortController();
    const registry = new ToolRegistry({ tools: [pay] });
    const tools = createDispatcher({ registry, permission: createPermissionEngine({ ask: approvals.ask }) });
    const workbench = open({ approvals }, tools);
    const asked = new Promise<void>((resolve) => approvals.onChange(resolve));
    const result = tools
      .dispatch({ id: 'c', name: 'pay', arguments: { amount: 20 } }, { signal: controller.signal })
      .then(({ ok }) => ok);
    await asked;
    return { workbench, approvals, result, abort: () => controller.abort() };
  };
  const first = async (workbench: Workbench): Promise<string> =>
    (await read<{ questions: readonly { id: string }[] }>(workbench, 'api/approvals')).questions[0]?.id ?? 'none';

  it('shows the exact arguments, and applies an answer once', async () => {
    const { workbench, result } = await ask();
    expect(await read(workbench, 'api/approvals')).toMatchObject({
      isConnected: true,
      questions: [{ tool: 'pay', arguments: '{\n  "amount": 20\n}' }],
    });
    const id = await first(workbench);
    await read(workbench, post(`api/approvals/${id}`, { action: 'allow' }));
    expect(await result).toBe(true);
    expect((await workbench.fetch(post(`api/approvals/${id}`, { action: 'allow' }))).status).toBe(409);
  });

  it('names the commands of a line, and allows later ones by a pattern', async () => {
    const approvals = createApprovals();
    const workbench = open({ approvals });
    const asked = approvals.ask({ ...question, command: 'npm test && git push > log' }, new AbortController().signal);
    expect(await read(workbench, 'api/approvals')).toMatchObject({
      questions: [{ commands: ['npm test', 'git push > log'], isSimpleCommand: false }],
    });
    const id = await first(workbench);
    await read(workbench, post(`api/approvals/${id}`, { action: 'deny' }));
    expect(await asked).toEqual({ action: 'deny' });
    const next = approvals.ask({ ...question, command: 'npm run build' }, new AbortController().signal);
    const answer = { action: 'allow', scope: 'always', command: 'npm run *' };
    await read(workbench, post(`api/approvals/${await first(workbench)}`, answer));
    expect(await next).toEqual(answer);
  });

  it('denies a call on denial, and refuses an invalid answer', async () => {
    const { workbench, result } = await ask();
    const id = await first(workbench);
    for (const [answer, problem] of [
      ...['yes', true, 1, undefined].map((action) => [{ action }, 'neither allow nor deny'] as const),
      [{ action: 'allow', scope: 'forever' }, 'expected "once", "session" or "always"'],
      [{ action: 'allow', scope: 'always', command: '*' }, 'expected a pattern'],
    ] as const) {
      const response = await workbench.fetch(post(`api/approvals/${id}`, answer));
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({ error: expect.stringContaining(problem) as unknown });
    }
    await read(workbench, post(`api/approvals/${id}`, { action: 'deny', reason: 'too much' }));
    expect(await result).toBe(false);
  });

  it('drops a question whose call was cancelled', async () => {
    const { workbench, result, abort } = await ask();
    const id = await first(workbench);
    abort();
    expect(await result).toBe(false);
    expect((await workbench.fetch(post(`api/approvals/${id}`, { action: 'allow' }))).status).toBe(409);
  });

  it('denies all waiting questions when the workbench is closed', async () => {
    const { workbench, result } = await ask();
    workbench.close();
    expect(await result).toBe(false);
  });

  it('denies further questions at once when it is full', async () => {
    const approvals = createApprovals({ maxWaiting: 1 });
    const asked = question as never;
    void approvals.ask(asked, new AbortController().signal);
    expect(await approvals.ask(asked, new AbortController().signal)).toMatchObject({ action: 'deny' });
  });
});

describe('the stream of changes', () => {
  const events = async function* (body: ReadableStream<Uint8Array>): AsyncGenerator<readonly string[]> {
    let rest = '';
    for await (const text of body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)) {
      const parts = `${rest}${text}`.split('\n\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1];
        if (data !== undefined) yield JSON.parse(data) as readonly string[];
      }
    }
  };

  it('names all sections at first, then those that changed, and merges many changes', async () => {
    const calls = createCallLog();
    const registry = new ToolRegistry({ tools: [add] });
    const tools = createDispatcher({ registry, permission: allowAll, observer: calls.observer });
    const workbench = open({ calls }, tools);
    const { body } = await workbench.fetch(request('api/changes'));
    const changes = events(body!);
    expect((await changes.next()).value).toEqual([...sectionNames]);
    for (let a = 0; a < 2_000; a += 1) void tools.dispatch({ id: `${a}`, name: 'add', arguments: { a } });
    expect((await changes.next()).value).toEqual(['calls']);
    registry.register(pay);
    for await (const sections of changes) if (sections.includes('tools')) break;
    workbench.close();
  });

  it('subscribes to nothing while no page is open', async () => {
    let listeners = 0;
    const calls = createCallLog();
    const counted = {
      ...calls,
      onChange: (listener: () => void) => {
        listeners += 1;
        const end = calls.onChange(listener);
        return () => {
          listeners -= 1;
          end();
        };
      },
    };
    const workbench = open({ calls: counted });
    expect(listeners).toBe(0);
    const leaving = new AbortController();
    await workbench.fetch(request('api/changes', { signal: leaving.signal }));
    const second = await workbench.fetch(request('api/changes'));
    expect(listeners).toBe(1);
    leaving.abort();
    expect(listeners).toBe(1);
    await second.body?.cancel();
    expect(listeners).toBe(0);
  });

  it('ends when the workbench is closed', async () => {
    const workbench = open();
    const { body } = await workbench.fetch(request('api/changes'));
    workbench.close();
    for await (const _ of events(body!)) continue;
  });
});
