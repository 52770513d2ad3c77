import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool } from '../define-tool.ts';
import type { AnyTool } from '../contracts/tool.ts';
import type { CallContext } from '../contracts/source.ts';
import { createWorkspace } from '../create-workspace.ts';
import { allowAll } from '../permission-engines.ts';
import { failure, success } from '../results/tool-result.ts';
import { toolError } from '../results/tool-error.ts';
import { renderForModel } from '../results/render-for-model.ts';
import { collectEvents } from '../testing/collect-events.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { createDispatcher, type DispatcherOptions } from './dispatcher.ts';

const echo = defineTool({
  name: 'echo',
  description: 'Gives the text back.',
  kind: 'read',
  input: z.strictObject({ text: z.string(), times: z.number().int().optional() }),
  execute: ({ text, times }) => text.repeat(times ?? 1),
});

const write = defineTool({
  name: 'write_note',
  description: 'Writes.',
  kind: 'edit',
  input: z.strictObject({ path: z.string(), body: z.string().optional() }),
  execute: ({ path }, { callId }) =>
    success(callId, `wrote ${path}`, { effects: [{ kind: 'file', path, op: 'create' }] }),
});

const body = (execute: AnyTool['execute'], more: Partial<AnyTool> = {}): AnyTool => ({
  ...defineTool({ name: 'body', description: 'd', kind: 'read', input: { type: 'object' }, execute }),
  ...more,
});

const run = async (
  args: unknown,
  tools: readonly AnyTool[] = [echo, write],
  options: Partial<DispatcherOptions> = {},
  context: CallContext = {},
  name?: string,
) => {
  const collected = collectEvents();
  const dispatcher = createDispatcher({
    registry: tools,
    permission: allowAll,
    observer: collected.observer,
    cancelGraceMs: 5,
    ...options,
  });
  const result = await dispatcher.dispatch(
    { id: 'c1', name: name ?? tools[0]!.name, arguments: args, stopped: 'stop' },
    context,
  );
  return { result, actions: collected.actionsOf('c1'), events: collected.events };
};
const code = (outcome: Awaited<ReturnType<typeof run>>): string =>
  outcome.result.ok ? 'ok' : outcome.result.error.code;

describe('dispatch', () => {
  it('runs a call and stamps its result', async () => {
    const { result, actions } = await run('{"text":"hi"}');
    expect(result).toMatchObject({ ok: true, callId: 'c1', name: 'echo', content: [{ type: 'text', text: 'hi' }] });
    expect(result.arguments).toBeUndefined();
    expect(result.startedAt).toBeGreaterThan(0);
    expect(actions).toEqual(['execute_start', 'execute_end']);
  });

  it('reads damaged arguments and says how', async () => {
    const { result } = await run("{text: 'hi',}");
    expect(result).toMatchObject({
      ok: true,
      content: [{ text: 'hi' }],
      arguments: { value: { text: 'hi' }, risk: 'safe' },
    });
    expect(result.arguments!.repairs.length).toBeGreaterThan(0);
  });

  it('takes blanks and nothing for an empty object', async () => {
    const tool = body(() => 'ran');
    for (const args of ['', '  \n', undefined, null, {}]) expect(code(await run(args, [tool]))).toBe('ok');
  });

  it('fits values to the schema and reports it', async () => {
    const { result } = await run({ text: 'a', times: '3' });
    expect(result).toMatchObject({
      ok: true,
      content: [{ text: 'aaa' }],
      arguments: { coercions: [{ path: '$.times', to: 3 }] },
    });
  });

  it('refuses arguments that do not fit, with every issue, and the body does not run', async () => {
    const { result } = await run({ txt: 5 });
    expect(result).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS', fault: 'model' } });
    const text = renderForModel(result);
    expect(text).toContain('$.text');
    expect(text).toContain('txt');
  });

  it('refuses text that is no JSON with a hint', async () => {
    const outcome = await run(']]]');
    expect(code(outcome)).toBe('INVALID_JSON');
    expect(outcome.result).toMatchObject({ error: { hint: expect.stringMatching(/\w/) } });
  });

  it('never runs a call whose arguments were cut, whatever the tool and whatever the model said', async () => {
    for (const args of ['{"path":"/etc/pas', '{"path":"a","body":"x', '{"path":"a",', '{"path":', '{"path":"a","bo']) {
      expect(code(await run(args, [write])), args).toBe('TRUNCATED_ARGS');
      expect(code(await run(args.replace('path', 'text'), [echo])), args).toBe('TRUNCATED_ARGS');
    }
  });

  it('runs an open call only for a reader, and only when the model stopped by itself', async () => {
    const dispatcher = createDispatcher({ registry: [echo, write], permission: allowAll });
    const outcome = async (name: string, args: string, stopped?: 'stop' | 'length') => {
      const result = await dispatcher.dispatch({ id: 'c', name, arguments: args, ...(stopped ? { stopped } : {}) });
      return result.ok ? 'ok' : result.error.code;
    };
    expect(await outcome('echo', '{"text":"a"', 'stop')).toBe('ok');
    expect(await outcome('echo', '{"text":"a"', 'length')).toBe('TRUNCATED_ARGS');
    expect(await outcome('echo', '{"text":"a"')).toBe('TRUNCATED_ARGS');
    expect(await outcome('write_note', '{"path":"a"', 'stop')).toBe('TRUNCATED_ARGS');
  });

  it('names the nearest tools when there is none of that name', async () => {
    const { result } = await run({}, [echo, write], {}, {}, 'writeNote');
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'TOOL_NOT_FOUND', details: { nearest: ['write_note'] } },
    });
    expect(code(await run({}, [echo], {}, {}, 'constructor'))).toBe('TOOL_NOT_FOUND');
    expect(code(await run({}, [echo], {}, {}, `x${'y'.repeat(100_000)}`))).toBe('TOOL_NOT_FOUND');
  });

  it('asks permission about the final arguments, and a denial reaches the model whole', async () => {
    const asked: unknown[] = [];
    const { result } = await run("{'path':'a'}", [write], {
      permission: {
        ask: async (request) => {
          asked.push([request.tool, request.arguments, request.kind, request.footprint.writes]);
          return { action: 'deny', denial: { source: 'rule', reason: 'notes are frozen', hint: 'Use the wiki.' } };
        },
      },
    });
    expect(asked).toEqual([['write_note', { path: 'a' }, 'edit', ['*']]]);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'PERMISSION_DENIED', fault: 'policy', denial: { source: 'rule' } },
    });
    expect(renderForModel(result)).toMatch(/notes are frozen[\s\S]*Use the wiki\./);
  });

  it('denies what may change something when no engine is given', async () => {
    const dispatcher = createDispatcher({ registry: [echo, write] });
    expect(await dispatcher.dispatch({ id: '1', name: 'echo', arguments: { text: 'a' } })).toMatchObject({ ok: true });
    expect(await dispatcher.dispatch({ id: '2', name: 'write_note', arguments: { path: 'a' } })).toMatchObject({
      error: { denial: { source: 'nobody-to-ask' } },
    });
  });

  it('never takes a failing engine for a denial', async () => {
    const engines = [
      {
        ask: () => {
          throw new Error('db down');
        },
      },
      { ask: async () => Promise.reject(new Error('db down')) },
      { ask: () => 'yes' as never },
      { ask: () => ({ action: 'deny' }) as never },
    ];
    for (const permission of engines)
      expect(code(await run({ text: 'a' }, [echo], { permission }))).toBe('PERMISSION_ENGINE_FAILED');
  });

  it('does not count the time a person took as the time of the tool', async () => {
    let time = 1_000;
    const workspace = createWorkspace({ cwd: '/', now: () => time });
    const permission = { ask: async () => ((time += 60_000), { action: 'allow' } as const) };
    const { result, events } = await run({}, [body(() => ((time += 7), 'x'))], { workspace, permission });
    expect([result.startedAt, result.durationMs]).toEqual([61_000, 7]);
    expect(events.at(-1)!.duration).toBe(60_007);
  });

  it('does not wait for ever for an answer nobody gives', async () => {
    const outcome = await run({ text: 'a' }, [echo], {
      permission: { ask: () => new Promise(() => undefined) },
      permissionTimeoutMs: 5,
    });
    expect(outcome.result).toMatchObject({ error: { code: 'PERMISSION_DENIED', denial: { source: 'nobody-to-ask' } } });
  });

  it('makes a typed result of bodies that throw, reject, or return what nobody can carry', async () => {
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    const cases: readonly (readonly [AnyTool['execute'], string])[] = [
      [
        () => {
          throw new Error('secret path /srv/x');
        },
        'EXECUTION_ERROR',
      ],
      [
        () => {
          throw 'text';
        },
        'EXECUTION_ERROR',
      ],
      [
        () => {
          throw undefined;
        },
        'EXECUTION_ERROR',
      ],
      [async () => Promise.reject(new Error('late')), 'EXECUTION_ERROR'],
      [() => cyclic, 'OUTPUT_INVALID'],
      [() => () => 1, 'OUTPUT_INVALID'],
      [() => 10n, 'OUTPUT_INVALID'],
      [() => new Map([['a', 1]]), 'OUTPUT_INVALID'],
      [() => ({ deep: { big: 10n } }), 'OUTPUT_INVALID'],
      [
        () => ({
          toJSON: () => {
            throw new Error('no');
          },
        }),
        'OUTPUT_INVALID',
      ],
      [() => ({ then: (_: unknown, no: (error: Error) => void) => no(new Error('thenable')) }), 'EXECUTION_ERROR'],
    ];
    for (const [execute, expected] of cases) {
      const outcome = await run({}, [body(execute)]);
      expect(code(outcome)).toBe(expected);
      expect(outcome.actions).toEqual(['execute_start', 'execute_end']);
      expect(renderForModel(outcome.result)).not.toContain('/srv/x');
    }
  });

  it('wraps what a body returns by its type', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1]);
    const resource = { uri: 'note:1', name: 'one', type: 'text/plain', read: () => 'x' };
    const content = async (value: unknown) => (await run({}, [body(() => value)])).result.content;
    expect(await content(undefined)).toEqual([]);
    expect(await content('t')).toEqual([{ type: 'text', text: 't' }]);
    expect(await content(png)).toEqual([{ type: 'image', mediaType: 'image/png', data: png }]);
    expect(await content({ a: 1 })).toEqual([{ type: 'json', value: { a: 1 } }]);
    expect(await content([1, 2])).toEqual([{ type: 'json', value: [1, 2] }]);
    expect(await content({ type: 'text', text: 'x', extra: true })).toEqual([
      { type: 'json', value: { type: 'text', text: 'x', extra: true } },
    ]);
    expect(await content(resource)).toEqual([{ type: 'resource', resource }]);
    expect((await run({}, [body(() => ({ a: 1 }))])).result.structured).toEqual({ a: 1 });
  });

  it('keeps a failure that the body made, with its code and output', async () => {
    const failing = body((_, { callId }) =>
      failure(callId, toolError('EXIT_CODE', 'exit 1', { details: { exitCode: 1 } }), { content: 'stderr text' }),
    );
    const { result } = await run({}, [failing]);
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'EXIT_CODE', fault: 'world', retryable: false },
      content: [{ text: 'stderr text' }],
    });
    expect(renderForModel(result)).toContain('stderr text');
  });

  it('ends a body that never settles at its deadline, tells its signal, and drops what it says later', async () => {
    let signal: AbortSignal | undefined;
    let speak: ((value: string) => void) | undefined;
    const stuck = body((_, context) => {
      signal = context.signal;
      return new Promise((resolve) => {
        speak = resolve;
      });
    });
    const { result, actions, events } = await run({}, [stuck], {}, { timeoutMs: 5 });
    expect(result).toMatchObject({ ok: false, error: { code: 'TIMEOUT', fault: 'world' } });
    expect([signal!.aborted, (signal!.reason as Error).name]).toEqual([true, 'TimeoutError']);
    speak!('too late');
    expect([actions, events.length]).toEqual([['execute_start', 'execute_end'], 2]);
  });

  it('keeps what a body reports while it winds up after a cancellation', async () => {
    const controller = new AbortController();
    const slow = body(
      (_, context) =>
        new Promise((resolve) => {
          context.signal.addEventListener('abort', () =>
            resolve(
              failure(context.callId, toolError('ABORTED', 'killed'), {
                content: 'half of the output',
                effects: [{ kind: 'process', command: 'make', background: false }],
              }),
            ),
          );
          queueMicrotask(() => controller.abort());
        }),
    );
    const { result, actions } = await run({}, [slow], {}, { signal: controller.signal });
    expect(result).toMatchObject({
      ok: false,
      error: { code: 'ABORTED', fault: 'cancelled' },
      content: [{ text: 'half of the output' }],
      effects: [{ command: 'make' }],
    });
    expect(actions).toEqual(['execute_start', 'execute_cancelled']);
  });

  it('does not run what was cancelled before, or while permission was asked', async () => {
    let ran = 0;
    const tool = body(() => (ran += 1));
    const before = await run({}, [tool], {}, { signal: AbortSignal.abort() });
    expect([code(before), before.actions]).toEqual(['ABORTED', ['execute_start', 'execute_cancelled']]);
    const controller = new AbortController();
    const asking = await run(
      {},
      [tool],
      { permission: { ask: () => new Promise(() => queueMicrotask(() => controller.abort())) } },
      { signal: controller.signal },
    );
    expect([code(asking), ran]).toEqual(['ABORTED', 0]);
  });

  it('lets a tool of the snapshot that was shown run although it has become unavailable or gone', async () => {
    let here = true;
    const registry = new ToolRegistry({
      tools: [body(() => 'ran', { available: () => here || { reason: 'cable cut' } })],
    });
    const outcome = async (unavailable: 'grace' | 'reject' | 'execute', context: CallContext) => {
      const result = await createDispatcher({ registry, permission: allowAll, unavailable }).dispatch(
        { id: '1', name: 'body', arguments: {} },
        context,
      );
      return result.ok ? 'ok' : result.error.code;
    };
    const shown = await registry.visibleTo({ name: 'm' });
    here = false;
    expect(await outcome('grace', { snapshot: shown })).toBe('ok');
    expect(await outcome('grace', {})).toBe('TOOL_UNAVAILABLE');
    expect(await outcome('reject', { snapshot: shown })).toBe('TOOL_UNAVAILABLE');
    expect(await outcome('execute', {})).toBe('ok');
    registry.unregister('body');
    expect(await outcome('grace', { snapshot: shown })).toBe('ok');
    expect(await outcome('grace', {})).toBe('TOOL_NOT_FOUND');
  });

  it("runs the tool's own check after the schema and before permission", async () => {
    const order: string[] = [];
    const issue = {
      path: '$.path',
      code: 'custom',
      expected: 'a path that exists',
      received: '"a"',
      message: 'no such file',
    };
    const checked: AnyTool = { ...write, check: () => (order.push('check'), [issue]) } as AnyTool;
    const { result } = await run({ path: 'a' }, [checked], {
      permission: { ask: () => (order.push('ask'), { action: 'allow' }) },
    });
    expect([order, result]).toMatchObject([['check'], { error: { code: 'INVALID_ARGS', issues: [issue] } }]);
    const broken: AnyTool = {
      ...write,
      check: () => {
        throw new Error('x');
      },
    } as AnyTool;
    expect(code(await run({ path: 'a' }, [broken]))).toBe('EXECUTION_ERROR');
  });

  it('lets middleware rewrite before permission, with the schema asked again, and wrap after it', async () => {
    const seen: string[] = [];
    const outcome = await run({ text: 'a' }, [echo], {
      permission: { ask: (request) => (seen.push(`ask ${JSON.stringify(request.arguments)}`), { action: 'allow' }) },
      middleware: [
        { name: 'double', prepare: ({ arguments: args }) => ({ arguments: { ...(args as object), times: 2 } }) },
        {
          name: 'outer',
          around: async (_, next) => {
            seen.push('outer in');
            const result = await next();
            seen.push('outer out');
            return result;
          },
        },
        {
          name: 'inner',
          around: async (_, next) => {
            seen.push('inner');
            await next();
            return next();
          },
        },
      ],
    });
    expect(outcome.result.content).toEqual([{ type: 'text', text: 'aa' }]);
    expect(seen).toEqual(['ask {"text":"a","times":2}', 'outer in', 'inner', 'outer out']);
    const spoiled = await run({ text: 'a' }, [echo], {
      middleware: [{ name: 'spoil', prepare: () => ({ arguments: { text: {} } }) }],
    });
    expect(code(spoiled)).toBe('INVALID_ARGS');
    const breaking = await run({ text: 'a' }, [echo], {
      middleware: [{ name: 'break', around: () => Promise.reject(new Error('x')) }],
    });
    expect(code(breaking)).toBe('EXECUTION_ERROR');
  });

  it('does not wait for ever for middleware or for a schema that never answers', async () => {
    const never = new Promise<never>(() => undefined);
    const limits = { middlewareTimeoutMs: 5 };
    expect(
      code(await run({ text: 'a' }, [echo], { ...limits, middleware: [{ name: 'm', prepare: () => never }] })),
    ).toBe('TIMEOUT');
    const hanging = [{ name: 'm', around: () => never }];
    expect(code(await run({ text: 'a' }, [echo], { ...limits, middleware: hanging }, { timeoutMs: 5 }))).toBe(
      'TIMEOUT',
    );
    const controller = new AbortController();
    const aborting = [{ name: 'm', around: () => (queueMicrotask(() => controller.abort()), never) }];
    expect(code(await run({ text: 'a' }, [echo], { middleware: aborting }, { signal: controller.signal }))).toBe(
      'ABORTED',
    );
    const slow = defineTool({
      name: 'slow',
      description: 'd',
      timeoutMs: 5,
      input: z.object({ a: z.string().refine(() => never) }),
      execute: () => 'x',
    });
    expect(code(await run({ a: 'x' }, [slow]))).toBe('TIMEOUT');
  });

  it('refuses options that can not work when the dispatcher is made', () => {
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
    expect(createWorkspace({ cwd: 'C:\\work' }).writeRoots).toEqual(['C:\\work']);
  });

  it('refuses what rests on a choice when the model was cut and something could be changed', async () => {
    const dispatcher = createDispatcher({ registry: [echo, write], permission: allowAll });
    const text = '{"path": "a" "body": "b"}';
    const outcome = async (stopped: 'stop' | 'length') =>
      (await dispatcher.dispatch({ id: 'c', name: 'write_note', arguments: text, stopped })).ok;
    expect([await outcome('stop'), await outcome('length')]).toEqual([true, false]);
  });

  it('survives what can not even be looked at, and listeners that reject', async () => {
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

  it('never starts a body after its call was answered', async () => {
    let ran = false;
    let enter: (() => void) | undefined;
    const waiting = {
      name: 'm',
      around: (_: unknown, next: () => Promise<never>) =>
        new Promise<never>((resolve) => {
          enter = () => resolve(next());
        }),
    };
    const outcome = await run(
      {},
      [
        body(() => {
          ran = true;
        }),
      ],
      { middlewareTimeoutMs: 5, middleware: [waiting] },
      { timeoutMs: 5 },
    );
    enter!();
    await Promise.resolve();
    expect([code(outcome), ran]).toEqual(['TIMEOUT', false]);
  });

  it('answers calls that are no calls', async () => {
    const dispatcher = createDispatcher({ registry: [echo], permission: allowAll });
    for (const call of [null, undefined, 5, {}, { id: 1, name: {} }, { id: 'a' }]) {
      expect(await dispatcher.dispatch(call as never)).toMatchObject({ ok: false, error: { code: 'TOOL_NOT_FOUND' } });
    }
  });

  it('checks structured results against the output schema', async () => {
    const make = (value: unknown): AnyTool =>
      defineTool({
        name: 'body',
        description: 'd',
        kind: 'read',
        input: { type: 'object' },
        output: z.object({ n: z.number() }),
        execute: () => value,
      });
    expect(code(await run({}, [make({ n: 1 })]))).toBe('ok');
    expect(code(await run({}, [make({ n: 'x' })]))).toBe('OUTPUT_INVALID');
  });

  it('fills in arguments that the user prefers, and reports them', async () => {
    const preferring: AnyTool = { ...echo, preference: { overrides: { times: 2 } } } as AnyTool;
    expect((await run({ text: 'a' }, [preferring])).result).toMatchObject({
      content: [{ text: 'aa' }],
      arguments: { coercions: [{ code: 'preference', path: '$.times', to: 2 }] },
    });
    expect((await run({ text: 'a', times: 1 }, [preferring])).result.content).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('cuts text that nobody could read in the middle, between code points, and says where the rest is', async () => {
    const flood = body(() => '😀'.repeat(1_000));
    const { result } = await run({}, [flood], { maxResultCharacters: 101, spill: async () => 'spill/1.txt' });
    const text = renderForModel(result);
    expect(text.length).toBeLessThan(250);
    expect(text).toContain('spill/1.txt');
    expect(text.isWellFormed()).toBe(true);
  });

  it('shows observers arguments with secrets masked, and survives observers that throw', async () => {
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

  it('passes progress on while the call is open', async () => {
    let report: ((text: string) => void) | undefined;
    const heard: unknown[] = [];
    const talking = body((_, context) => {
      report = (text) => context.progress(text);
      report('one');
      context.progress({ done: 1, total: 2 });
      return 'done';
    });
    const { actions } = await run({}, [talking], {}, { onProgress: (update) => heard.push(update) });
    report!('late');
    expect(heard).toEqual([{ message: 'one' }, { done: 1, total: 2 }]);
    expect(actions).toEqual(['execute_start', 'execute_progress', 'execute_progress', 'execute_end']);
  });

  it('does not pollute prototypes', async () => {
    const { result } = await run('{"__proto__": {"polluted": true}, "text": "a"}');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(result.ok).toBe(false);
  });
});
