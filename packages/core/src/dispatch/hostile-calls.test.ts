import { describe, expect, it } from 'vitest';
import type { CallContext, ToolCall } from '../contracts/calls/call.ts';
import { createWorkspace } from '../workspace/create-workspace.ts';
import { evil, expectAnswered } from '../fixtures/hostile.ts';
import { body, echo, run } from '../fixtures/run-call.ts';
import { allowAll } from '../workspace/permission-engines.ts';
import { combineSources } from '../sources/combine-sources.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { createToolSearch } from '../search/create-tool-search.ts';
import { collectEvents } from '../testing/collect-events.ts';
import { createDispatcher } from './dispatcher.ts';

describe('a hostile call', () => {
  const calls: Record<string, () => unknown> = {
    'throws when its name is read': () => ({
      id: '1',
      get name() {
        return evil();
      },
    }),
    'throws when its id is read': () => ({
      name: 'echo',
      get id() {
        return evil();
      },
    }),
    'throws when its arguments are read': () => ({
      id: '1',
      name: 'echo',
      get arguments() {
        return evil();
      },
    }),
    'throws inside its arguments': () => ({
      id: '1',
      name: 'echo',
      arguments: {
        get text() {
          return evil();
        },
      },
    }),
    'is a revoked proxy': () => {
      const { proxy, revoke } = Proxy.revocable({}, {});
      revoke();
      return proxy;
    },
    'throws when its reading is read': () => ({
      id: '1',
      name: 'echo',
      reading: {
        get risk() {
          return evil();
        },
      },
    }),
  };
  it.each(Object.entries(calls))('fails with a host fault: %s', async (_, make) => {
    const collected = collectEvents();
    const source = createDispatcher({ registry: [echo], observer: collected.observer });
    const results = [await source.dispatch(make() as ToolCall), ...(await source.dispatchBatch([make() as ToolCall]))];
    for (const result of results) expect(result).toMatchObject({ ok: false, error: { code: 'EXECUTION_ERROR' } });
    const pair = ['execute_start', 'execute_end'];
    expect(collected.events.map(({ action }) => action)).toEqual([...pair, ...pair]);
  });

  it('counts as truncated if its reading is invalid', async () => {
    const source = createDispatcher({ registry: [echo] });
    const call = { id: '1', name: 'echo', arguments: { text: 'a' }, reading: { risk: 'fine' } } as never;
    expect(await source.dispatch(call)).toMatchObject({ ok: false, error: { code: 'TRUNCATED_ARGS' } });
  });
});

describe('hostile call options', () => {
  const batchOnly = ['mode', 'onDenied', 'maxParallel'];
  const contexts: Record<string, object> = {
    'a snapshot that throws': {
      get snapshot() {
        return evil();
      },
    },
    'a signal that throws': {
      get signal() {
        return evil();
      },
    },
    'a signal that is invalid': { signal: {} },
    'a snapshot that is invalid': { snapshot: 5 },
    'a queue that is invalid': { queue: {} },
    'a queue that throws': { queue: { enter: evil } },
    'no number for a timeout': { timeoutMs: Number.NaN },
    'a timeout below zero': { timeoutMs: -1 },
    'a mode that is invalid': { mode: 'fast' },
    'an answer to denials that is invalid': { onDenied: 'cry' },
    'no number of calls at once': { maxParallel: Number.NaN },
    'a mode that throws': {
      get mode() {
        return evil();
      },
    },
  };
  it.each(Object.entries(contexts))('are reported in the result, and nothing runs: %s', async (_, context) => {
    let ran = false;
    const tool = body(() => void (ran = true));
    const source = createDispatcher({ registry: [tool] });
    const call = { id: '1', name: 'body', arguments: {} };
    const results = [...(await source.dispatchBatch([call, call], context as CallContext))];
    if (!Object.keys(context).some((key) => batchOnly.includes(key))) {
      results.push(await source.dispatch(call, context as CallContext));
    }
    expect(results.length).toBeGreaterThan(1);
    for (const result of results) expect(result).toMatchObject({ ok: false, error: { code: 'EXECUTION_ERROR' } });
    expect(ran).toBe(false);
  });

  it('do not stop a call if the clock throws or returns an invalid time', async () => {
    for (const now of [evil, () => Number.NaN]) {
      const workspace = { ...createWorkspace({ cwd: '/' }), now };
      const outcome = await run({ text: 'a' }, [echo], { workspace });
      expectAnswered(outcome, 'ok');
      expect(outcome.result.startedAt).toBeGreaterThan(0);
    }
  });
});

describe('hostile listeners', () => {
  it('do not affect a call if they throw or reject later', async () => {
    const rejecting = async (): Promise<never> => Promise.reject(new Error('late'));
    const thenable = () => ({ then: evil });
    for (const listener of [evil, rejecting, thenable] as unknown as readonly (() => never)[]) {
      const registry = new ToolRegistry();
      registry.onChange(listener);
      const failing = body((_, context) => (context.progress('x'), evil()), { onFailure: listener });
      registry.register(failing);
      const source = createDispatcher({ registry, permission: allowAll, observer: listener });
      const call = { id: '1', name: 'body', arguments: {} };
      const results = await source.dispatchBatch([call], { onResult: listener, onProgress: listener });
      expect(results).toMatchObject([{ ok: false, error: { code: 'EXECUTION_ERROR' } }]);
    }
  });
});

describe('a hostile batch', () => {
  it('has a result for every item of its list, in every mode', async () => {
    const source = createDispatcher({ registry: [echo], permission: allowAll });
    const good = { id: '1', name: 'echo', arguments: { text: 'a' } };
    const holed: unknown[] = [];
    holed[1] = good;
    for (const list of [[null], [good, null], [null, undefined, 5, 'x'], holed]) {
      for (const mode of ['leases', 'reads-then-writes', 'parallelizable', 'serial'] as const) {
        for (const onDenied of ['continue', 'skip'] as const) {
          const results = await source.dispatchBatch(list as never, { mode, onDenied });
          const codes = results.map((result) => (result.ok ? 'ok' : result.error.code));
          expect(codes).toEqual(Array.from(list, (one) => (one === good ? 'ok' : 'TOOL_NOT_FOUND')));
        }
      }
    }
  });

  it('has one result that reports the problem if it is not a list', async () => {
    const alone = createDispatcher({ registry: [echo], permission: allowAll });
    const call = { id: '1', name: 'echo', arguments: { text: 'a' } };
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    for (const source of [alone, combineSources(alone), createToolSearch(alone)]) {
      for (const list of [call, null, undefined, 5, 'echo', {}, { tool_calls: [call] }, new Set([call]), proxy]) {
        const received: number[] = [];
        const results = await source.dispatchBatch(list as never, { onResult: (_, index) => received.push(index) });
        expect(results).toMatchObject([{ ok: false, error: { code: 'EXECUTION_ERROR', fault: 'host' } }]);
        const error = results.map((result) => (result.ok ? '' : result.error.message)).join();
        expect(error).toContain('dispatchBatch expects an array of calls; use dispatch for one call');
        expect(received).toEqual([0]);
      }
    }
    expect((await alone.dispatchBatch(call as never))[0]).toMatchObject({ callId: '1' });
    expect(await alone.dispatchBatch([])).toEqual([]);
    expect(await combineSources().dispatchBatch(call as never)).toMatchObject([{ error: { fault: 'host' } }]);
  });
});
