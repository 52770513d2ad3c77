import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { defineTool } from '../define/define-tool.ts';
import { cyclic, evil, expectAnswered, limits, never } from '../fixtures/hostile.ts';
import { body, echo, run } from '../fixtures/run-call.ts';
import { renderForModel } from '../results/render-for-model.ts';
import { createDispatcher } from './dispatcher.ts';
import type { DispatchMiddleware } from '../contracts/calls/middleware.ts';

describe('hostile middleware', () => {
  const broken: Record<string, Partial<DispatchMiddleware>> = {
    'rejects with nothing': { prepare: () => ({ reject: undefined }) as never },
    'rejects with null': { prepare: () => ({ reject: null }) as never },
    'rejects with what is no error': { prepare: () => ({ reject: { code: 5 } }) as never },
    'throws a value that cannot be printed': { prepare: evil },
    'answers text': { prepare: () => 'abc' as never },
    'answers an object that is no answer': { prepare: () => ({}) as never },
    'rewrites the arguments to an unreadable value': {
      prepare: () => ({
        arguments: {
          get text() {
            return evil();
          },
        },
      }),
    },
    'throws around the body': { around: evil },
    'rejects around the body': { around: () => Promise.reject(Object.create(null) as Error) },
  };
  it.each(Object.entries(broken))('fails the call: %s', async (_, hooks) => {
    const middleware = [{ name: 'm', ...hooks }];
    expectAnswered(await run({ text: 'a' }, [echo], { ...limits, middleware }), 'EXECUTION_ERROR');
  });

  it('receives a failure of the body as a failed result', async () => {
    const seen: unknown[] = [];
    const middleware: readonly DispatchMiddleware[] = [
      {
        name: 'm',
        around: async (_, next) => {
          const result = await next();
          seen.push(result.ok);
          return result;
        },
      },
    ];
    expectAnswered(
      await run(
        {},
        [
          body(() => {
            throw new Error('x');
          }),
        ],
        { middleware },
      ),
      'EXECUTION_ERROR',
    );
    expectAnswered(await run({}, [body(() => cyclic)], { middleware }), 'OUTPUT_INVALID');
    expectAnswered(await run({}, [body(() => never)], { cancelGraceMs: 5, middleware }, { timeoutMs: 5 }), 'TIMEOUT');
    expect(seen).toEqual([false, false, false]);
  });

  it('is rejected when the dispatcher is created if it is not valid middleware', () => {
    for (const middleware of [
      [{}],
      [null],
      [{ name: 'm', around: 5 }],
      [
        {
          name: 'm',
          get around() {
            return evil();
          },
        },
      ],
    ]) {
      expect(() => createDispatcher({ registry: [], middleware: middleware as never })).toThrow(
        expect.objectContaining({ code: 'INVALID_OPTION' }),
      );
    }
  });
});

describe('a hostile permission engine', () => {
  const engines: Record<string, () => unknown> = {
    throws: evil,
    rejects: async () => evil(),
    'denies for a reason that is no text': () => ({ action: 'deny', denial: { reason: Symbol('a') } }),
    'denies for no reason': () => ({ action: 'deny', denial: {} }),
    'answers a proxy that was revoked': () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
  };
  it.each(Object.entries(engines))('fails the call with an engine failure: %s', async (_, ask) => {
    expectAnswered(await run({ text: 'a' }, [echo], { permission: { ask } as never }), 'PERMISSION_ENGINE_FAILED');
  });

  it('is bound by the awaited answer, not by the promise it returns', async () => {
    const deny = { action: 'deny', denial: { source: 'rule', reason: 'no' } };
    const ask = () => ({ action: 'allow', then: (settle: (answer: unknown) => void) => settle(deny) });
    expectAnswered(await run({ text: 'a' }, [echo], { permission: { ask } as never }), 'PERMISSION_DENIED');
  });
});

describe('a hostile body', () => {
  const part =
    (value: object): (() => object) =>
    () => ({ ok: true, callId: 'c1', content: [value] });
  const failing =
    (error: object): (() => object) =>
    () => ({
      ok: false,
      callId: 'c1',
      content: [],
      error: { code: 'X', message: 'm', fault: 'world', retryable: false, ...error },
    });
  const returned: readonly (readonly [string, () => unknown, string])[] = [
    ['leaves out all but content', () => ({ ok: true, callId: 'c1', content: [] }), 'ok'],
    ['answers null through JSON', failing({ issues: null, hint: null }), 'X'],
    ['answers content that is invalid', () => ({ ok: true, callId: 'c1', content: [null] }), 'OUTPUT_INVALID'],
    ['answers a part of no known type', part({ type: 'video' }), 'OUTPUT_INVALID'],
    ['answers text that is invalid', part({ type: 'text', text: 5 }), 'OUTPUT_INVALID'],
    ['answers an image without bytes', part({ type: 'image', data: 'x', mediaType: 'image/png' }), 'OUTPUT_INVALID'],
    ['answers a cycle as JSON', part({ type: 'json', value: cyclic }), 'OUTPUT_INVALID'],
    ['answers a bare part with a cycle', () => ({ type: 'json', value: cyclic }), 'OUTPUT_INVALID'],
    ['answers a bigint as JSON', part({ type: 'json', value: 10n }), 'OUTPUT_INVALID'],
    ['answers effects that are none', () => ({ ok: true, callId: 'c1', content: [], effects: [5] }), 'OUTPUT_INVALID'],
    [
      'answers advisories that are none',
      () => ({ ok: true, callId: 'c1', content: [], advisories: [Symbol('a')] }),
      'OUTPUT_INVALID',
    ],
    ['fails with issues that are none', failing({ issues: [null] }), 'OUTPUT_INVALID'],
    ['fails with a number of issues', failing({ issues: 5 }), 'OUTPUT_INVALID'],
    ['fails with a denial that is invalid', failing({ denial: {} }), 'OUTPUT_INVALID'],
    ['fails with no known fault', failing({ fault: 'fate' }), 'OUTPUT_INVALID'],
    [
      'throws when its answer is read',
      () => ({
        ok: true,
        callId: 'c1',
        get content() {
          return evil();
        },
      }),
      'OUTPUT_INVALID',
    ],
    [
      'throws when its answer is waited for',
      () => ({
        get then() {
          return evil();
        },
      }),
      'EXECUTION_ERROR',
    ],
    ['answers a thenable that throws', () => ({ then: evil }), 'EXECUTION_ERROR'],
    [
      'throws a tool error that is invalid',
      () => {
        throw { code: 'X', message: 'm', fault: 'fate', retryable: false };
      },
      'EXECUTION_ERROR',
    ],
  ];
  it.each(returned)('has a result that can be rendered: %s', async (_, execute, expected) => {
    expectAnswered(await run({}, [body(execute)]), expected);
  });

  it('cannot extend its deadline with chains of thenables and promises', async () => {
    const handOn = { then: (settle: (value: unknown) => void) => settle(never) };
    const altered = Object.assign(Promise.resolve('a'), { then: (settle: (value: unknown) => void) => settle(handOn) });
    class Odd extends Promise<unknown> {
      override then(settle?: unknown): never {
        return (settle as (value: unknown) => void)(never) as never;
      }
    }
    for (const execute of [() => handOn, () => altered, () => new Odd(() => undefined)]) {
      const outcome = await run({}, [body(execute)], {}, { timeoutMs: 5 });
      expectAnswered(outcome, 'TIMEOUT');
      expect(outcome.result).toMatchObject({ error: { details: { abandoned: true }, message: /abandoned/ } });
    }
  });

  it('settles once, even if a thenable calls back repeatedly', async () => {
    const twice = {
      then: (yes: (value: unknown) => void, no: (error: Error) => void) => {
        yes('a');
        yes('b');
        no(new Error('c'));
      },
    };
    const outcome = await run({}, [body(() => twice)]);
    expectAnswered(outcome, 'ok');
    expect(outcome.result.content).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('may return very large JSON and a very long error: both are cut and reported', async () => {
    const flood = await run({}, [body(() => ({ a: 'x'.repeat(5_000) }))], { maxResultCharacters: 1_000 });
    expect(renderForModel(flood.result)).toMatch(/^\{"a":"x+\n\[… \d+ characters left out …\]\nx+"\}$/);
    expect(flood.result.structured).toEqual({ a: 'x'.repeat(5_000) });
    const error = { code: 'X', message: 'y'.repeat(5_000), fault: 'world', retryable: false };
    const failed = await run(
      {},
      [
        body(() => {
          throw error;
        }),
      ],
      { maxResultCharacters: 1_000 },
    );
    expect(renderForModel(failed.result).length).toBeLessThan(1_200);
  });

  it('does not wait for a spill function that never settles', async () => {
    const outcome = await run({}, [body(() => 'x'.repeat(100))], {
      ...limits,
      maxResultCharacters: 10,
      spill: () => never,
    });
    expectAnswered(outcome, 'ok');
    expect(renderForModel(outcome.result)).toContain('left out …]');
  });
});

describe('a hostile tool', () => {
  it('affects only its own calls if its check, title or footprint fails', async () => {
    const allowing = { ask: (request: { title: string }) => (void request.title, { action: 'allow' }) } as never;
    expectAnswered(await run({}, [body(() => 'x', { initialTitle: evil })], { permission: allowing }), 'ok');
    expectAnswered(await run({}, [body(() => 'x', { check: evil })]), 'EXECUTION_ERROR');
    expectAnswered(await run({}, [body(() => 'x', { check: () => [null] as never })]), 'EXECUTION_ERROR');
    expectAnswered(await run({}, [body(() => 'x', { check: () => undefined as never })]), 'ok');
    expectAnswered(await run({}, [body(() => 'x', { available: evil })]), 'TOOL_UNAVAILABLE');
    expectAnswered(
      await run({}, [body(() => 'x', { available: () => ({ then: evil }) as never })]),
      'TOOL_UNAVAILABLE',
    );
    expectAnswered(await run({}, [body(() => 'x', { footprint: evil })]), 'ok');
    const source = createDispatcher({ registry: [body(() => 'x', { footprint: evil })] });
    expect(await source.dispatchBatch([{ id: '1', name: 'body', arguments: {} }])).toMatchObject([{ ok: true }]);
  });

  it('affects only its own calls if its schema fails', async () => {
    const input = z.object({ a: z.string().optional() }).refine(evil);
    const strange = defineTool({ name: 'body', description: 'd', kind: 'read', input, execute: () => 'x' }) as AnyTool;
    expectAnswered(await run({}, [strange]), 'INVALID_ARGS');
    const output = z.object({ a: z.number() }).refine(() => never);
    const slow = defineTool({
      name: 'body',
      description: 'd',
      kind: 'read',
      timeoutMs: 5,
      input: { type: 'object' },
      output,
      execute: () => ({ a: 1 }),
    });
    expectAnswered(await run({}, [slow as AnyTool]), 'TIMEOUT');
  });
});
