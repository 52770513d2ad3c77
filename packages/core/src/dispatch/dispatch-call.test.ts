import { describe, expect, it } from 'vitest';
import { createWorkspace } from '../workspace/create-workspace.ts';
import { allowAll } from '../workspace/permission-engines.ts';
import { createDispatcher, dispatch } from './dispatcher.ts';
import { body, code, echo, run } from '../fixtures/run-call.ts';

describe('dispatch', () => {
  it('runs a call and adds the name and timing to its result', async () => {
    const { result, actions } = await run('{"text":"hi"}');
    expect(result).toMatchObject({ ok: true, callId: 'c1', name: 'echo', content: [{ type: 'text', text: 'hi' }] });
    expect(result.arguments).toBeUndefined();
    expect(result.startedAt).toBeGreaterThan(0);
    expect(actions).toEqual(['execute_start', 'execute_end']);
  });

  it('rejects unknown options and suggests the correct one', async () => {
    const make = (more: object) => () => createDispatcher({ registry: [echo], ...more });
    expect(make({ permissions: allowAll })).toThrow(
      'createDispatcher: permissions is not an option (did you mean permission?)',
    );
    expect(make({ context: {} })).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    expect(make({ permissions: undefined })).not.toThrow();
    const call = { id: '1', name: 'echo', arguments: { text: 'a' } };
    expect(await dispatch(call, { registry: [echo], context: { sessionId: 's' } })).toMatchObject({ ok: true });
  });

  it.each([
    ['maxParallel', 'maxParallel is not an option (pass it as dispatchBatch(calls, { maxParallel }))'],
    ['timeoutMs', 'timeoutMs is not an option (pass it as defineTool({ timeoutMs }) or dispatch(call, { timeoutMs })'],
    ['timeout', 'timeout is not an option (pass it as defineTool({ timeoutMs }) or dispatch(call, { timeoutMs })'],
    ['sessionId', 'sessionId is not an option (pass it as dispatch(call, { sessionId }) or dispatchBatch('],
  ])('says where %s belongs if a dispatcher is created with it', (name, message) => {
    const expected = expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining(message) });
    expect(() => createDispatcher({ registry: [echo], [name]: 5 })).toThrow(expected);
    const call = { id: '1', name: 'echo', arguments: { text: 'a' } };
    const { 1: member } = /\{ (\w+) \}/.exec(message)!;
    expect(() => dispatch(call, { registry: [echo], [name]: 5 })).toThrow(`context: { ${member} })`);
  });

  it('names the method that a permission engine needs, and recognizes the options of one', () => {
    const make = (permission: object) => () => createDispatcher({ registry: [echo], permission } as never);
    expect(make({ decide: () => {} })).toThrow(
      'permission is not valid (expected a PermissionEngine: an object with a method ask, such as allowAll, got an object)',
    );
    expect(make({ rules: [] })).toThrow('permission is not an engine (pass createPermissionEngine({ rules })');
    expect(make({ rules: [], ask: () => {} })).toThrow('(pass createPermissionEngine({ ask, rules })');
  });

  it('rejects invalid options when the dispatcher is created', () => {
    for (const options of [
      undefined,
      { tools: [echo] },
      { registry: echo },
      { registry: [echo], permission: 'allow' },
      { registry: [echo], workspace: '/tmp' },
      { registry: [echo], unavailable: 'maybe' },
      { registry: [echo], permissionTimeoutMs: '5s' },
    ]) {
      expect(() => createDispatcher(options as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    }
    for (const cwd of ['play', '', undefined, './x']) {
      expect(() => createWorkspace({ cwd } as never)).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    }
    expect(() => createWorkspace({ cwd: '/a', readRoots: ['b'] })).toThrow(/readRoots/);
    expect(() => createWorkspace({ cwd: '/a', spillDirectory: 'b' })).toThrow(/spillDirectory/);
    for (const jail of [
      {},
      { policy: 'on' },
      { policy: 'off', reads: [] },
      { policy: 'off', read: ['b'] },
      { policy: 'required', network: {} },
      { policy: 'required', network: { hosts: 'a' } },
      { policy: 'required', network: { hosts: [], loopback: 'mine' } },
      { policy: 'required', limits: { memory: 1 } },
      'required',
    ])
      expect(() => createWorkspace({ cwd: '/a', jail: jail as never })).toThrow(/jail/);
    expect(createWorkspace({ cwd: '/a', jail: { policy: 'required', read: ['/b'] } }).jail?.policy).toBe('required');
    const jail = {
      policy: 'required',
      network: { hosts: ['a.example'], loopback: 'own' },
      limits: { processes: 9 },
    } as const;
    expect(createWorkspace({ cwd: '/a', jail }).jail).toEqual(jail);
    expect(createWorkspace({ cwd: '/a', spillDirectory: '/b' })).toMatchObject({
      readRoots: ['/a', '/b'],
      writeRoots: ['/a'],
    });
    expect(createWorkspace({ cwd: '/a', readRoots: 'unrestricted', spillDirectory: '/b' }).readRoots).toBe(
      'unrestricted',
    );
    expect(createWorkspace({ cwd: 'C:\\work' }).writeRoots).toEqual(['C:\\work']);
  });

  it('handles unreadable values and listeners that reject', async () => {
    const hostile = Object.create(null) as unknown;
    expect(
      code(
        await run({}, [
          body(async () => {
            throw hostile;
          }),
        ]),
      ),
    ).toBe('EXECUTION_ERROR');
    expect(
      code(
        await run({}, [
          body(() => {
            throw Symbol('x');
          }),
        ]),
      ),
    ).toBe('EXECUTION_ERROR');
    const observer = (async () => Promise.reject(new Error('log is full'))) as never;
    const dispatcher = createDispatcher({ registry: [echo], permission: allowAll, observer });
    expect(await dispatcher.dispatch({ id: '1', name: 'echo', arguments: { text: 'a' } })).toMatchObject({ ok: true });
  });

  it('masks secrets in the arguments for observers, and handles observers that throw', async () => {
    const { events } = await run({ text: 'token=abcdef123456', times: 1 });
    expect(events[1]!.data.args).toEqual({ text: 'token=[redacted]', times: 1 });
    expect(JSON.parse(JSON.stringify(events[0]))).toMatchObject({
      data: { callId: 'c1', args: { text: 'token=[redacted]' } },
    });
    const dispatcher = createDispatcher({
      registry: [echo],
      permission: allowAll,
      observer: () => {
        throw new Error('observer');
      },
    });
    expect(await dispatcher.dispatch({ id: '1', name: 'echo', arguments: { text: 'a' } })).toMatchObject({ ok: true });
  });

  it('forwards progress while the call is running', async () => {
    let report: ((text: string) => void) | undefined;
    const received: unknown[] = [];
    const talking = body((_, context) => {
      report = (text) => context.progress(text);
      report('one');
      context.progress({ done: 1, total: 2 });
      return 'done';
    });
    const { actions } = await run({}, [talking], {}, { onProgress: (update) => received.push(update) });
    report!('late');
    expect(received).toEqual([{ message: 'one' }, { done: 1, total: 2 }]);
    expect(actions).toEqual(['execute_start', 'execute_progress', 'execute_progress', 'execute_end']);
  });

  it('allows a body to destructure its context', async () => {
    const received: unknown[] = [];
    const talking = body((_, { progress, now, permission, signal, cwd }) => {
      progress('one');
      return `${typeof now()} ${typeof permission.ask} ${signal.aborted} ${typeof cwd}`;
    });
    const { result } = await run({}, [talking], {}, { onProgress: (update) => received.push(update) });
    expect(result.content).toEqual([{ type: 'text', text: 'number function false string' }]);
    expect(received).toEqual([{ message: 'one' }]);
  });
});
