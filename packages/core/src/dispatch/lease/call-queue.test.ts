import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { defineTool } from '../../define/define-tool.ts';
import type { Footprint } from '../../contracts/permission/footprint.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { allowAll } from '../../workspace/permission-engines.ts';
import { createDispatcher } from '../dispatcher.ts';
import { createCallQueue } from './lease-queue.ts';

/** Creates a tool whose calls write the given resources, or all resources, and end on request. */
function createStage() {
  const log: string[] = [];
  const endings = new Map<string, () => void>();
  const waiting: (() => void)[] = [];
  const until = async (...ids: readonly string[]): Promise<void> => {
    while (!ids.every((id) => endings.has(id))) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const tool = defineTool({
    name: 'put',
    description: 'd',
    input: { type: 'object', properties: { path: { type: 'string' } } },
    footprint: (args) => ({ reads: [], writes: [(args['path'] as string | undefined) ?? '*'] }),
    execute: (_, { callId }) => {
      log.push(`+${callId}`);
      for (const wake of waiting.splice(0)) queueMicrotask(wake);
      return new Promise<void>((resolve) =>
        endings.set(callId, () => {
          log.push(`-${callId}`);
          resolve();
        }),
      );
    },
  }) as AnyTool;
  const source = createDispatcher({ registry: [tool], permission: allowAll, cancelGraceMs: 1 });
  const call = (id: string, path?: string) => ({ id, name: 'put', arguments: path === undefined ? {} : { path } });
  return { log, until, end: (id: string) => endings.get(id)!(), source, call };
}

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 30; turn += 1) await Promise.resolve();
};

describe('calls that arrive one at a time and share a queue', () => {
  it('wait for earlier calls that conflict, and run concurrently with the others', async () => {
    const { log, until, end, source, call } = createStage();
    const queue = createCallQueue();
    const first = source.dispatch(call('a1', 'file:/a'), { queue });
    const second = source.dispatch(call('a2', 'file:/a'), { queue });
    const third = source.dispatchBatch([call('b', 'file:/b'), call('all')], { queue });
    await until('a1', 'b');
    await settled();
    expect(log).toEqual(['+a1', '+b']);
    expect(queue.size).toBe(4);
    end('a1');
    await until('a2');
    await settled();
    expect(log).toEqual(['+a1', '+b', '-a1', '+a2']);
    end('b');
    end('a2');
    await until('all');
    end('all');
    expect((await first).ok && (await second).ok).toBe(true);
    expect((await third).map((result) => result.ok)).toEqual([true, true]);
    expect(queue.size).toBe(0);
  });

  it('never exceed the maximum of the queue', async () => {
    const { log, until, end, source, call } = createStage();
    const queue = createCallQueue({ maxParallel: 2 });
    const results = ['1', '2', '3'].map((id) => source.dispatch(call(id, `file:/${id}`), { queue }));
    await until('1', '2');
    await settled();
    expect(log).toEqual(['+1', '+2']);
    end('2');
    await until('3');
    expect(log).toEqual(['+1', '+2', '-2', '+3']);
    end('1');
    end('3');
    await Promise.all(results);
  });

  it('leave the queue at once when cancelled, and do not block later calls', async () => {
    const { log, until, end, source, call } = createStage();
    const queue = createCallQueue();
    const stop = new AbortController();
    const first = source.dispatch(call('1'), { queue });
    const cancelled = source.dispatch(call('2'), { queue, signal: stop.signal });
    const last = source.dispatch(call('3'), { queue });
    await until('1');
    await settled();
    stop.abort();
    expect(await cancelled).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
    expect(queue.size).toBe(2);
    end('1');
    await first;
    await until('3');
    end('3');
    await last;
    expect(log).toEqual(['+1', '-1', '+3', '-3']);
  });

  it('continue after calls that could not run', async () => {
    const { until, end, source, call } = createStage();
    const queue = createCallQueue();
    const refused = [
      { id: 'x', name: 'none', arguments: {} },
      { id: 'y', name: 'put', arguments: '{"path' },
    ].map((bad) => source.dispatch(bad, { queue }));
    expect((await Promise.all(refused)).map((result) => result.ok)).toEqual([false, false]);
    const good = source.dispatch(call('z'), { queue });
    await until('z');
    end('z');
    expect((await good).ok).toBe(true);
    expect(queue.size).toBe(0);
  });

  it.each([
    ['read', (): Footprint => ({ reads: ['*'], writes: [] })],
    ['write each its own', (at: number): Footprint => ({ reads: [], writes: [`file:/${at}`] })],
    ['write the same', (): Footprint => ({ reads: [], writes: ['*'] })],
  ])('cost linear time when they %s', async (_what, footprintOf) => {
    const pass = async (count: number): Promise<void> => {
      const queue = createCallQueue();
      const places = Array.from({ length: count }, () => queue.enter());
      await Promise.all(
        places.map(async (place, at) => {
          await place.acquire(footprintOf(at));
          await Promise.resolve();
          place.release();
        }),
      );
      expect(queue.size).toBe(0);
    };
    expect(await growthOf((count) => count, pass, 1_000)).toBeLessThan(linearGrowth);
  });

  it.each([0, -1, 1.5, Number.NaN, '8'])('reject a queue with maxParallel %s', (maxParallel) => {
    expect(() => createCallQueue({ maxParallel: maxParallel as number })).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    );
  });
});
