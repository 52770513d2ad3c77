import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { createDispatcher } from '../dispatch/dispatcher.ts';
import { body } from '../fixtures/run-call.ts';
import { allowAll } from '../workspace/permission-engines.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { renderForModel } from '../results/render-for-model.ts';
import { createGate } from './call-gate.ts';
import { limitCalls, type CallLimit, type CallLimitOptions } from './limit-calls.ts';

// Loads the validator first, because fake timers cannot advance the loading.
beforeAll(() => body(() => undefined).input.ready());
beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'], now: 1_000_000 }));
afterEach(() => vi.useRealTimers());

/** Tools whose bodies take time on a fake clock. */
function createScene(limits: readonly CallLimit[], options: CallLimitOptions = {}, lasts = 0) {
  const starts: { readonly id: string; readonly at: number }[] = [];
  let running = 0;
  let most = 0;
  const named = (name: string) => ({
    ...body(async (_, { callId }) => {
      starts.push({ id: callId, at: Date.now() - 1_000_000 });
      running += 1;
      most = Math.max(most, running);
      if (lasts > 0) await new Promise((resolve) => setTimeout(resolve, lasts));
      running -= 1;
      return callId;
    }),
    name,
  });
  const registry = new ToolRegistry();
  registry.registerWithProvider(named('search_web'), 'dynamic/mcp/web');
  registry.registerWithProvider(named('search_files'), 'builtin');
  registry.registerWithProvider(named('read_page'), 'dynamic/mcp/web');
  const source = createDispatcher({ registry, permission: allowAll, middleware: [limitCalls(limits, options)] });
  const call = async (id: string, name = 'search_web', signal?: AbortSignal) => {
    const result = await source.dispatch({ id, name, arguments: {} }, signal === undefined ? {} : { signal });
    return { result, outcome: result.ok ? 'ok' : result.error.code };
  };
  return { call, starts, most: () => most };
}

const range = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => String(index));

describe('call limits', () => {
  it('run calls up to the limit, and the others one at a time in order of arrival', async () => {
    const { call, starts, most } = createScene([{ tool: 'search_web', parallel: 2 }], {}, 100);
    const calls = Promise.all(range(6).map((id) => call(id)));
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await calls).map(({ outcome }) => outcome)).toEqual(Array.from({ length: 6 }, () => 'ok'));
    expect(starts).toEqual([
      { id: '0', at: 0 },
      { id: '1', at: 0 },
      { id: '2', at: 100 },
      { id: '3', at: 100 },
      { id: '4', at: 200 },
      { id: '5', at: 200 },
    ]);
    expect(most()).toBe(2);
  });

  it('limit the starts in any period, regardless of the duration of each call', async () => {
    const { call, starts } = createScene(
      [{ provider: 'dynamic/mcp/web', rate: { calls: 3, perMs: 1_000 } }],
      {},
      5_000,
    );
    const calls = Promise.all(range(8).map((id, index) => call(id, index % 2 === 0 ? 'search_web' : 'read_page')));
    await vi.advanceTimersByTimeAsync(400);
    const later = call('8');
    await vi.advanceTimersByTimeAsync(20_000);
    await Promise.all([calls, later]);
    expect(starts.map(({ at }) => at)).toEqual([0, 0, 0, 1_000, 1_000, 1_000, 2_000, 2_000, 2_000]);
    expect(starts.map(({ id }) => id)).toEqual(range(9));
  });

  it('cover a tool, a glob of tools, a provider with all providers below it, or everything', async () => {
    const counts = async (limit: CallLimit): Promise<number> => {
      const { call, starts } = createScene([limit], { maxWaitMs: 10 });
      const calls = Promise.all(['search_web', 'search_files', 'read_page'].map((name) => call(name, name)));
      await vi.advanceTimersByTimeAsync(50);
      await calls;
      return starts.length;
    };
    const rate = { calls: 1, perMs: 1_000 };
    expect(await counts({ tool: 'search_web', rate })).toBe(3);
    expect(await counts({ tool: 'search_*', rate })).toBe(2);
    expect(await counts({ provider: 'dynamic', rate })).toBe(2);
    expect(await counts({ provider: 'dynamic/mcp/we', rate })).toBe(3);
    expect(await counts({ rate })).toBe(1);
  });

  it('reject at once a call that would wait too long, and say when to retry', async () => {
    const { call, starts } = createScene([{ rate: { calls: 1, perMs: 60_000 } }]);
    await call('0');
    vi.advanceTimersByTime(15_500);
    const { result } = await call('1');
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect(result.error).toMatchObject({
      code: 'RATE_LIMITED',
      fault: 'world',
      retryable: true,
      details: { retryAfterMs: 44_500 },
    });
    expect(renderForModel(result)).toContain('search_web again in 45 s');
    expect(starts).toHaveLength(1);
  });

  it('reject a call that timed out in the queue, and admit the next one', async () => {
    const { call, starts } = createScene([{ parallel: 1 }], { maxWaitMs: 150 }, 100);
    const calls = Promise.all(range(4).map((id) => call(id)));
    await vi.advanceTimersByTimeAsync(1_000);
    expect((await calls).map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'RATE_LIMITED', 'RATE_LIMITED']);
    expect((await Promise.all([call('4'), vi.advanceTimersByTimeAsync(200)]))[0].outcome).toBe('ok');
    expect(starts.map(({ id }) => id)).toEqual(['0', '1', '4']);
  });

  it('free the position of a cancelled call', async () => {
    const { call, starts } = createScene([{ rate: { calls: 1, perMs: 1_000 } }]);
    const controller = new AbortController();
    const calls = Promise.all([call('0'), call('1', 'search_web', controller.signal), call('2')]);
    await vi.advanceTimersByTimeAsync(500);
    controller.abort();
    await vi.advanceTimersByTimeAsync(600);
    expect((await calls).map(({ outcome }) => outcome)).toEqual(['ok', 'ABORTED', 'ok']);
    expect(starts).toEqual([
      { id: '0', at: 0 },
      { id: '2', at: 1_000 },
    ]);
  });

  it('release the slot when the body fails, throws or is cancelled', async () => {
    const controller = new AbortController();
    const tool = body(({ how }: never) => {
      if (how === 'throw') throw new Error('broken');
      return how === 'hang' ? new Promise(() => undefined) : 'done';
    });
    const source = createDispatcher({
      registry: [tool],
      permission: allowAll,
      middleware: [limitCalls([{ parallel: 1 }])],
      cancelGraceMs: 5,
    });
    const call = (how: string) =>
      source.dispatch({ id: how, name: 'body', arguments: { how } }, { signal: controller.signal });
    const calls = Promise.all([call('throw'), call('hang')]);
    await vi.advanceTimersByTimeAsync(10);
    controller.abort();
    await vi.advanceTimersByTimeAsync(10);
    expect((await calls).map((result) => (result.ok ? 'ok' : result.error.code))).toEqual([
      'EXECUTION_ERROR',
      'ABORTED',
    ]);
    expect((await source.dispatch({ id: 'n', name: 'body', arguments: {} })).ok).toBe(true);
  });

  it('delay no call for longer than the period when the clock is set back', async () => {
    const { call } = createScene([{ rate: { calls: 1, perMs: 1_000 } }]);
    await call('0');
    vi.setSystemTime(0);
    const late = call('1');
    await vi.advanceTimersByTimeAsync(1_100);
    expect((await late).outcome).toBe('ok');
  });

  it('are rejected if they limit nothing', () => {
    const make = (limit: CallLimit) => () => limitCalls([limit]);
    expect(make({ tool: 'x' })).toThrow(/limits\[0\] is not valid \(expected a limit with parallel or rate/);
    expect(make({ parallel: 0 })).toThrow(
      /limits\[0\]\.parallel is not valid \(expected a whole number from 1 or Infinity, got 0\)/,
    );
    expect(make({ rate: { calls: 1.5, perMs: 1 } })).toThrow(/limits\[0\]\.rate\.calls is not valid/);
    expect(make({ rate: { calls: 1, perMs: 0 } })).toThrow(/limits\[0\]\.rate\.perMs is not valid/);
    expect(() => limitCalls([{ parallel: 1 }], { maxWaitMs: -1 })).toThrow(/maxWaitMs/);
    expect(() => limitCalls({} as never)).toThrow(/limits is not valid \(expected a list of limits/);
  });

  it('predict exactly how long a call waits behind any number of calls', async () => {
    const gate = createGate({ parallel: Infinity, calls: 3, perMs: 100 }, Date.now);
    const received: number[] = [];
    for (const _ of range(2)) await gate.enter(0, undefined);
    vi.advanceTimersByTime(40);
    await gate.enter(0, undefined);
    // Three calls have started, at 0, 0 and 40. The next may start at 100, 100, 140, 200, 200, 240, …
    const waiting: Promise<unknown>[] = [];
    for (const expected of [60, 60, 100, 160, 160, 200, 260]) {
      const refused = await gate.enter(expected - 1, undefined);
      received.push(typeof refused === 'object' && 'retryAfterMs' in refused ? refused.retryAfterMs : -1);
      waiting.push(gate.enter(1_000, undefined));
    }
    expect(received).toEqual([60, 60, 100, 160, 160, 200, 260]);
    await vi.advanceTimersByTimeAsync(300);
    await Promise.all(waiting);
  });

  it('take constant time per call for a queue of any length', async () => {
    vi.useRealTimers();
    const passAll = async (count: number): Promise<void> => {
      const gate = createGate({ parallel: 1, calls: count, perMs: 1_000_000 }, Date.now);
      const controllers: AbortController[] = [];
      const entered = Array.from({ length: count }, (_, index) => {
        const controller = new AbortController();
        if (index % 3 === 1) controllers.push(controller);
        return gate.enter(100_000, controller.signal);
      });
      for (const controller of controllers.toReversed()) controller.abort();
      for (const one of entered) {
        const admission = await one;
        if (typeof admission === 'object' && 'leave' in admission) admission.leave();
      }
    };
    expect(await growthOf((size) => size, passAll, 2_000)).toBeLessThan(linearGrowth);
  });
});
