import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AnyTool } from '../contracts/tools/tool.ts';
import type { PermissionRequest } from '../contracts/permission/permission.ts';
import { defineTool } from '../define/define-tool.ts';
import { collectEvents } from '../testing/collect-events.ts';
import { createDispatcher } from './dispatcher.ts';
import { type DispatcherOptions } from './options/dispatcher-options.ts';

const jsonSchema = {
  type: 'object',
  properties: { path: { type: 'string' }, deep: { type: 'object' }, list: { type: 'array' } },
} as const;
const schemas = {
  'JSON Schema': jsonSchema,
  zod: z.object({ path: z.string(), deep: z.any().optional(), list: z.any().optional() }),
  'a loose zod schema': z.looseObject({ path: z.string() }),
};

/** Records the arguments of the permission request and of the body as text when they are read. */
function watch(input: AnyTool['input'] | object, more: Partial<DispatcherOptions> = {}) {
  const seen: { asked: string[]; ran: string[] } = { asked: [], ran: [] };
  const tool = defineTool({
    name: 'act',
    description: 'd',
    input: input as typeof jsonSchema,
    parallelizable: true,
    execute: (args) => void seen.ran.push(JSON.stringify(args)),
  }) as AnyTool;
  const source = createDispatcher({
    registry: [tool],
    permission: {
      ask: async (request) => {
        seen.asked.push(JSON.stringify(request.arguments));
        await Promise.resolve();
        return { action: 'allow' };
      },
    },
    ...more,
  });
  const act = (args: unknown) => source.dispatch({ id: '1', name: 'act', arguments: args });
  return { seen, source, act };
}

describe.each(Object.entries(schemas))('arguments of a tool with %s', (_, input) => {
  it('checks and runs the arguments as received, even if the caller changes them later', async () => {
    const { seen, act } = watch(input);
    const args = { path: 'safe', deep: { path: 'safe' }, list: ['safe'] };
    const answer = act(args);
    args.path = 'other';
    args.deep.path = 'other';
    args.list.push('other');
    expect(await answer).toMatchObject({ ok: true });
    const whole = '{"path":"safe","deep":{"path":"safe"},"list":["safe"]}';
    expect(seen).toEqual({ asked: [whole], ran: [whole] });
  });

  it('reads each argument once, including accessors and proxies', async () => {
    const { seen, act } = watch(input);
    let reads = 0;
    const answer = (): string => ((reads += 1) === 1 ? 'safe' : 'other');
    const accessor = Object.defineProperty({}, 'path', { enumerable: true, get: answer });
    const proxy = new Proxy({ path: '' }, { get: answer });
    for (const hostile of [accessor, proxy]) {
      reads = 0;
      expect(await act(hostile)).toMatchObject({ ok: true });
      expect(reads).toBe(1);
    }
    expect(seen).toEqual({
      asked: ['{"path":"safe"}', '{"path":"safe"}'],
      ran: ['{"path":"safe"}', '{"path":"safe"}'],
    });
  });

  it('prevents the permission engine and middleware from changing the arguments: the attempt throws', async () => {
    const change = (args: unknown): void => {
      (args as { deep: { path: string } }).deep.path = 'other';
    };
    const args = { path: 'safe', deep: { path: 'safe' } };
    const asked = watch(input, {
      permission: {
        ask: (request: PermissionRequest) => {
          change(request.arguments);
          return { action: 'allow' };
        },
      },
    });
    expect(await asked.act(args)).toMatchObject({ ok: false, error: { code: 'PERMISSION_ENGINE_FAILED' } });
    const wrapped = watch(input, {
      middleware: [{ name: 'm', around: (info, next) => (change(info.arguments), next()) }],
    });
    expect(await wrapped.act(args)).toMatchObject({ ok: false, error: { code: 'EXECUTION_ERROR' } });
    const prepared = watch(input, {
      middleware: [{ name: 'm', prepare: (info) => (change(info.call.arguments), undefined) }],
    });
    expect(await prepared.act(args)).toMatchObject({ ok: false, error: { code: 'EXECUTION_ERROR' } });
    expect([...asked.seen.ran, ...wrapped.seen.ran, ...prepared.seen.ran]).toEqual([]);
  });

  it('ignores later changes to arguments that middleware returned', async () => {
    const rewritten = { path: 'safe', deep: { path: 'safe' } };
    const { seen, act } = watch(input, {
      middleware: [{ name: 'm', prepare: () => ({ arguments: rewritten }) }],
      permission: {
        ask: async (request) => {
          seen.asked.push(JSON.stringify(request.arguments));
          rewritten.deep.path = 'other';
          await Promise.resolve();
          return { action: 'allow' };
        },
      },
    });
    await act({ path: 'first' });
    expect(seen).toEqual({ asked: [JSON.stringify({ path: 'safe', deep: { path: 'safe' } })], ran: seen.asked });
  });
});

describe('the body', () => {
  it('can change its arguments without affecting the caller, other calls, the report or events', async () => {
    const collected = collectEvents();
    const tool = defineTool({
      name: 'act',
      description: 'd',
      kind: 'read',
      input: jsonSchema,
      execute: async (args) => {
        await Promise.resolve();
        (args['list'] as string[]).push('changed');
        args['path'] = 'changed';
        return JSON.stringify(args);
      },
    }) as AnyTool;
    const source = createDispatcher({ registry: [tool], observer: collected.observer });
    const shared = { path: 'a', list: ['b'] };
    const calls = [shared, shared, '{"path":"a","list":["b"]}', "{path: 'a', list: ['b']}"];
    const results = await source.dispatchBatch(
      calls.map((args, id) => ({ id: `${id}`, name: 'act', arguments: args })),
    );
    expect(results.map(({ content }) => content)).toEqual(
      calls.map(() => [{ type: 'text', text: '{"path":"changed","list":["b","changed"]}' }]),
    );
    expect(shared).toEqual({ path: 'a', list: ['b'] });
    expect(results[3]!.arguments!.value).toEqual({ path: 'a', list: ['b'] });
    for (const { action, data } of collected.events) {
      if (action === 'execute_end') expect(data.args).toEqual({ path: 'a', list: ['b'] });
    }
  });

  it('receives the original of a value that cannot be copied, and copies of all other values', async () => {
    const address = new URL('https://example.org/');
    let given: unknown;
    const tool = defineTool({
      name: 'act',
      description: 'd',
      kind: 'read',
      input: z.object({
        when: z.string().transform((text) => new Date(text)),
        where: z.string().transform(() => address),
      }),
      execute: (args) => void (given = args),
    }) as AnyTool;
    const permission = {
      ask: (request: PermissionRequest) => {
        (request.arguments as { when: Date }).when.setFullYear(1999);
        return { action: 'allow' } as const;
      },
    };
    const source = createDispatcher({ registry: [tool], permission });
    await source.dispatch({ id: '1', name: 'act', arguments: '{"when":"2026-01-02","where":""}' });
    expect(given).toEqual({ when: new Date('2026-01-02'), where: address });
  });
});
