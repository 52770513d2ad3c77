import { describe, expect, it } from 'vitest';
import type { CallContext } from '../contracts/calls/call.ts';
import type { ToolTraits } from '../contracts/permission/traits.ts';
import { defineTool } from '../define/define-tool.ts';
import { toolError } from '../results/tool-error.ts';
import { allowAll, allowReadOnly } from '../workspace/permission-engines.ts';
import { createDispatcher } from './dispatcher.ts';
import type { DispatcherOptions } from './options/dispatcher-options.ts';

/** A tool that records what happens to it. */
function createScene(options: Partial<DispatcherOptions> = {}, traits: Partial<ToolTraits> = {}) {
  const seen: string[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    input: { type: 'object', properties: { amount: { type: 'number' } } },
    traits,
    execute: (_, { idempotencyKey }) => {
      seen.push(`body ${idempotencyKey}`);
      if (seen.length < 3) throw toolError('CONNECTION_LOST', 'reset');
      return 'paid';
    },
  });
  const source = createDispatcher({ registry: [pay], permission: allowAll, ...options });
  const call = async (context: CallContext) => {
    const result = await source.dispatch({ id: 'call_1', name: 'pay', arguments: '{"amount": "20"}' }, context);
    return result.ok ? 'ok' : `${result.error.code}: ${result.error.message}`;
  };
  return { call, seen };
}

describe('context.onStart', () => {
  it('is called with the final arguments, after permission and before the body', async () => {
    const { call, seen } = createScene();
    await call({ idempotencyKey: 'order-7', onStart: ({ arguments: args }) => void seen.push(JSON.stringify(args)) });
    expect(seen).toEqual(['{"amount":20}', 'body order-7']);
  });

  it('is not called for a call that was not allowed or whose arguments are invalid', async () => {
    const { call, seen } = createScene({ permission: allowReadOnly });
    expect(await call({ onStart: () => void seen.push('start') })).toMatch(/^PERMISSION_DENIED/);
    const source = createScene({}, {});
    expect(await source.call({ idempotencyKey: 7 as never })).toMatch(/context.idempotencyKey is not valid/);
    expect([...seen, ...source.seen]).toEqual([]);
  });

  it('prevents the body from running with the error that it returns, synchronously or later', async () => {
    const { call, seen } = createScene();
    const error = toolError('LIMIT_REACHED', 'the lease is lost');
    expect(await call({ onStart: () => error })).toBe('LIMIT_REACHED: the lease is lost');
    expect(await call({ onStart: async () => error })).toBe('LIMIT_REACHED: the lease is lost');
    expect(seen).toEqual([]);
  });

  it('prevents the body from running when it throws or returns another value', async () => {
    const { call, seen } = createScene();
    const thrown = () => Promise.reject(new Error('disk full'));
    expect(await call({ onStart: thrown })).toMatch(/^EXECUTION_ERROR: .*disk full/);
    expect(await call({ onStart: () => ({}) as never })).toMatch(/^EXECUTION_ERROR/);
    expect(seen).toEqual([]);
  });

  it('prevents the body from running when the call is cancelled while it waits', async () => {
    const { call, seen } = createScene();
    const controller = new AbortController();
    const onStart = async () => controller.abort();
    expect(await call({ signal: controller.signal, onStart: onStart as never })).toMatch(/^ABORTED/);
    expect(seen).toEqual([]);
  });

  it('is no longer awaited when the call is cancelled or the time for middleware is over', async () => {
    const { call, seen } = createScene();
    const controller = new AbortController();
    const never = (): Promise<undefined> => new Promise(() => undefined);
    const cancel = () => (queueMicrotask(() => controller.abort()), never());
    expect(await call({ signal: controller.signal, onStart: cancel })).toMatch(/^ABORTED/);
    const limited = createScene({ middlewareTimeoutMs: 5 });
    expect(await limited.call({ onStart: never })).toBe('TIMEOUT: onStart exceeded 5 ms');
    expect([...seen, ...limited.seen]).toEqual([]);
  });

  it('is called only before the first of several attempts', async () => {
    const { call, seen } = createScene({ retries: { max: 3, wait: async () => {} } }, { idempotent: true });
    expect(await call({ onStart: () => void seen.push('start') })).toBe('ok');
    expect(seen).toEqual(['start', 'body undefined', 'body undefined']);
  });
});

describe("a tool that is idempotent 'by-key'", () => {
  it('is retried only if the call has a key', async () => {
    const options = { retries: { max: 3, wait: async () => {} } };
    const without = createScene(options, { idempotent: 'by-key' });
    expect(await without.call({})).toMatch(/^CONNECTION_LOST/);
    expect(without.seen).toEqual(['body undefined']);
    const { call, seen } = createScene(options, { idempotent: 'by-key' });
    expect(await call({ idempotencyKey: 'k' })).toBe('ok');
    expect(seen).toEqual(['body k', 'body k', 'body k']);
  });
});
