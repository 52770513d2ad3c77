import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { defineTool } from '../define/define-tool.ts';
import type { AnyTool } from '../contracts/tools/tool.ts';
import type { BatchContext, ToolCall } from '../contracts/calls/call.ts';
import type { Footprint } from '../contracts/permission/footprint.ts';
import { allowAll } from '../workspace/permission-engines.ts';
import { collectEvents } from '../testing/collect-events.ts';
import { createDispatcher } from './dispatcher.ts';
import { conflicts } from './lease/call-footprint.ts';

/** Bodies that end on request, so that overlap can be tested without a clock. */
function createStage() {
  const log: string[] = [];
  const running = new Map<string, () => void>();
  const waiting: (() => void)[] = [];
  const enter = (id: string): Promise<string> => {
    log.push(`+${id}`);
    for (const wake of waiting.splice(0)) wake();
    return new Promise((resolve) => {
      running.set(id, () => {
        log.push(`-${id}`);
        resolve(id);
      });
    });
  };
  const until = async (...ids: readonly string[]): Promise<void> => {
    while (!ids.every((id) => running.has(id))) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return { log, enter, until, end: (id: string) => running.get(id)!() };
}

const staged = (stage: ReturnType<typeof createStage>, name: string, more: Partial<AnyTool>): AnyTool => ({
  ...defineTool({
    name,
    description: 'd',
    input: { type: 'object' },
    execute: (_, context) => stage.enter(context.callId),
  }),
  ...more,
});
const reader = (stage: ReturnType<typeof createStage>): AnyTool => ({
  ...defineTool({
    name: 'look',
    description: 'd',
    kind: 'read',
    input: { type: 'object' },
    execute: (_, context) => stage.enter(context.callId),
  }),
});
const calls = (...names: readonly string[]): readonly ToolCall[] =>
  names.map((name, index) => ({ id: `${index}`, name, arguments: {} }));

const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

describe('dispatchBatch', () => {
  it('runs readers concurrently and a writer alone, and returns results in call order', async () => {
    const stage = createStage();
    const dispatcher = createDispatcher({
      registry: [reader(stage), staged(stage, 'change', {})],
      permission: allowAll,
    });
    const batch = dispatcher.dispatchBatch(calls('look', 'look', 'change', 'look'));
    await stage.until('0', '1');
    stage.end('1');
    await settled();
    expect(stage.log).toEqual(['+0', '+1', '-1']);
    stage.end('0');
    await stage.until('2');
    await settled();
    expect(stage.log.at(-1)).toBe('+2');
    stage.end('2');
    await stage.until('3');
    stage.end('3');
    expect((await batch).map((result) => result.callId)).toEqual(['0', '1', '2', '3']);
  });

  it('runs writers concurrently if their footprints do not conflict', async () => {
    const stage = createStage();
    const footprint = (args: unknown): Footprint => ({
      reads: [],
      writes: [`file:${(args as { path: string }).path}`],
    });
    const dispatcher = createDispatcher({ registry: [staged(stage, 'put', { footprint })], permission: allowAll });
    const put = (id: string, path: string): ToolCall => ({ id, name: 'put', arguments: { path } });
    const batch = dispatcher.dispatchBatch([put('a1', '/a'), put('b', '/b'), put('a2', '/a')]);
    await stage.until('a1', 'b');
    await settled();
    expect(stage.log).toEqual(['+a1', '+b']);
    stage.end('a1');
    await stage.until('a2');
    stage.end('a2');
    stage.end('b');
    await batch;
  });

  it.each([[{ reads: [5], writes: [] }], [{ reads: [], writes: [null] }], [{ reads: 'x' }], [undefined]])(
    'runs a call with an invalid footprint (%j) alone and returns results for the others',
    async (footprint) => {
      const stage = createStage();
      const odd = staged(stage, 'odd', { footprint: () => footprint as unknown as Footprint });
      const dispatcher = createDispatcher({ registry: [reader(stage), odd], permission: allowAll });
      const batch = dispatcher.dispatchBatch(calls('look', 'odd', 'look'));
      for (const id of ['0', '1', '2']) {
        await stage.until(id);
        stage.end(id);
      }
      expect((await batch).map((result) => result.ok)).toEqual([true, true, true]);
      expect(stage.log).toEqual(['+0', '-0', '+1', '-1', '+2', '-2']);
    },
  );

  it('never runs more calls at once than the limit', async () => {
    const stage = createStage();
    const dispatcher = createDispatcher({ registry: [reader(stage)], permission: allowAll });
    const batch = dispatcher.dispatchBatch(calls('look', 'look', 'look'), { maxParallel: 2 });
    await stage.until('0', '1');
    await settled();
    expect(stage.log).toEqual(['+0', '+1']);
    stage.end('0');
    await stage.until('2');
    stage.end('1');
    stage.end('2');
    await batch;
  });

  it('runs reads first and then writes in order in mode reads-then-writes', async () => {
    const order: string[] = [];
    const note = (name: string, kind: 'read' | 'edit'): AnyTool =>
      defineTool({
        name,
        description: 'd',
        kind,
        input: { type: 'object' },
        execute: async (_, context) => void order.push(context.callId),
      });
    const dispatcher = createDispatcher({
      registry: [note('look', 'read'), note('change', 'edit')],
      permission: allowAll,
    });
    const results = await dispatcher.dispatchBatch(calls('change', 'look', 'change', 'look'), {
      mode: 'reads-then-writes',
    });
    expect(order).toEqual(['1', '3', '0', '2']);
    expect(results.map((result) => result.callId)).toEqual(['0', '1', '2', '3']);
  });

  it('runs a call alone if its tool is not parallelizable, even beside calls that touch nothing', async () => {
    const stage = createStage();
    const free = staged(stage, 'free', { parallelizable: true });
    const empty = staged(stage, 'empty', { footprint: () => ({ reads: [], writes: [] }) });
    const alone = staged(stage, 'alone', { parallelizable: false });
    const dispatcher = createDispatcher({ registry: [free, empty, alone], permission: allowAll });
    const batch = dispatcher.dispatchBatch(calls('free', 'empty', 'alone', 'empty', 'free'));
    await stage.until('0', '1');
    await settled();
    expect(stage.log).toEqual(['+0', '+1']);
    stage.end('0');
    await settled();
    expect(stage.log).toEqual(['+0', '+1', '-0']);
    stage.end('1');
    await stage.until('2');
    await settled();
    expect(stage.log.slice(3)).toEqual(['-1', '+2']);
    stage.end('2');
    await stage.until('3', '4');
    for (const id of ['3', '4']) stage.end(id);
    expect((await batch).every((result) => result.ok)).toBe(true);
  });

  it('runs a call alone if its definition says parallelizable: false, whatever its footprint', async () => {
    const stage = createStage();
    const nothing = () => ({ reads: [], writes: [] });
    const tool = (name: string, parallelizable: boolean): AnyTool =>
      defineTool({
        name,
        description: 'd',
        input: { type: 'object' },
        footprint: nothing,
        parallelizable,
        execute: (_, context) => stage.enter(context.callId),
      });
    const registry = [tool('alone', false), tool('free', true), reader(stage)];
    const batch = createDispatcher({ registry, permission: allowAll }).dispatchBatch(
      calls('look', 'alone', 'alone', 'free', 'look'),
    );
    for (const together of [['0'], ['1'], ['2'], ['3', '4']]) {
      await stage.until(...together);
      await settled();
      for (const id of together) stage.end(id);
    }
    await batch;
    expect(stage.log.join(' ')).toBe('+0 -0 +1 -1 +2 -2 +3 +4 -3 -4');
  });

  it('overlaps a call that touches nothing with a call whose footprint writes everything', async () => {
    const stage = createStage();
    const empty = staged(stage, 'empty', { footprint: () => ({ reads: [], writes: [] }) });
    const shell = staged(stage, 'shell', { footprint: () => ({ reads: [], writes: ['*'] }) });
    const batch = createDispatcher({ registry: [empty, shell], permission: allowAll }).dispatchBatch(
      calls('empty', 'shell', 'empty'),
    );
    await stage.until('0', '1', '2');
    for (const id of ['0', '1', '2']) stage.end(id);
    await batch;
  });

  it('runs parallelizable reads together and then the other calls in order in mode parallelizable', async () => {
    const stage = createStage();
    const sameFile = () => ({ reads: [], writes: ['file:/a'] });
    const registry = [
      { ...reader(stage), footprint: sameFile },
      { ...reader(stage), name: 'look_alone', parallelizable: false },
      staged(stage, 'send', { parallelizable: true, footprint: sameFile }),
      staged(stage, 'change', { parallelizable: false, footprint: () => ({ reads: [], writes: [] }) }),
    ];
    const names = ['change', 'look', 'send', 'send', 'look_alone', 'look', 'send', 'change'];
    const batch = createDispatcher({ registry, permission: allowAll }).dispatchBatch(calls(...names), {
      mode: 'parallelizable',
    });
    for (const together of [['1', '5'], ['0'], ['2', '3'], ['4'], ['6'], ['7']]) {
      await stage.until(...together);
      await settled();
      for (const id of together) stage.end(id);
    }
    await batch;
    expect(stage.log.join(' ')).toBe('+1 +5 -1 -5 +0 -0 +2 +3 -2 -3 +4 -4 +6 -6 +7 -7');
  });

  it('continues after a denial, skips pending calls on request, and returns a result for every call', async () => {
    const tool = defineTool({ name: 'change', description: 'd', input: { type: 'object' }, execute: () => 'done' });
    const permission = {
      ask: (request: { callId: string }) =>
        request.callId === '1'
          ? ({ action: 'deny', denial: { source: 'person', reason: 'no' } } as const)
          : ({ action: 'allow' } as const),
    };
    const codes = async (onDenied: BatchContext['onDenied']) => {
      const results = await createDispatcher({ registry: [tool], permission }).dispatchBatch(
        calls('change', 'change', 'change'),
        onDenied ? { onDenied } : {},
      );
      return results.map((result) => (result.ok ? 'ok' : result.error.code));
    };
    expect(await codes('continue')).toEqual(['ok', 'PERMISSION_DENIED', 'ok']);
    expect(await codes('skip')).toEqual(['ok', 'PERMISSION_DENIED', 'SKIPPED']);
    expect(await codes('stop')).toEqual(['ok', 'PERMISSION_DENIED', 'SKIPPED']);
  });

  it('returns a result for every call of a batch that is aborted midway', async () => {
    const stage = createStage();
    const controller = new AbortController();
    const dispatcher = createDispatcher({
      registry: [staged(stage, 'change', {})],
      permission: allowAll,
      cancelGraceMs: 1,
    });
    const batch = dispatcher.dispatchBatch(calls('change', 'change', 'change'), { signal: controller.signal });
    await stage.until('0');
    controller.abort();
    expect((await batch).map((result) => (result.ok ? 'ok' : result.error.code))).toEqual([
      'ABORTED',
      'ABORTED',
      'ABORTED',
    ]);
  });

  it('runs calls with the tools of their snapshot while the registry changes', async () => {
    const stage = createStage();
    const dispatcher = createDispatcher({ registry: [reader(stage)], permission: allowAll });
    const batch = dispatcher.dispatchBatch(calls('look', 'look'));
    await stage.until('0', '1');
    dispatcher.registry.unregister('look');
    stage.end('0');
    stage.end('1');
    expect((await batch).every((result) => result.ok)).toBe(true);
  });

  it('returns one result per call in order, with one start and one end event, for any batch', async () => {
    const never = new Promise<never>(() => undefined);
    const tools: readonly AnyTool[] = [
      defineTool({ name: 'good', description: 'd', kind: 'read', input: { type: 'object' }, execute: () => 'good' }),
      defineTool({
        name: 'throwing',
        description: 'd',
        input: { type: 'object' },
        execute: () => {
          throw new Error('x');
        },
      }),
      defineTool({ name: 'stuck', description: 'd', timeoutMs: 2, input: { type: 'object' }, execute: () => never }),
      defineTool({
        name: 'rubbish',
        description: 'd',
        kind: 'read',
        input: { type: 'object' },
        execute: () => () => undefined,
      }),
      defineTool({ name: 'denied', description: 'd', input: { type: 'object' }, execute: () => 'never' }),
      defineTool({
        name: 'strict',
        description: 'd',
        kind: 'read',
        input: { type: 'object', required: ['a'] },
        execute: () => 'x',
      }),
    ];
    const name = fc.constantFrom(
      'good',
      'throwing',
      'stuck',
      'rubbish',
      'denied',
      'strict',
      'unknown',
      '__proto__',
      '',
    );
    const args = fc.oneof(
      fc.constantFrom<unknown>('{}', '{"a":1}', '{"a', '', ']', null, 5, '[1]', '"x"', { a: 1 }, []),
      fc.string(),
      fc.jsonValue(),
    );
    const call = fc.record({ name, arguments: args, stopped: fc.constantFrom('stop' as const, 'length' as const) });
    const mode = fc.constantFrom(
      'leases' as const,
      'reads-then-writes' as const,
      'parallelizable' as const,
      'serial' as const,
    );
    const onDenied = fc.constantFrom('continue' as const, 'skip' as const);
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 12 }), mode, onDenied, async (drawn, chosenMode, chosenDenied) => {
        const collected = collectEvents();
        const dispatcher = createDispatcher({
          registry: tools,
          cancelGraceMs: 1,
          observer: collected.observer,
          permission: {
            ask: (request) =>
              request.tool === 'denied'
                ? { action: 'deny', denial: { source: 'rule', reason: 'no' } }
                : { action: 'allow' },
          },
        });
        const batch = drawn.map((one, index) => ({ id: `c${index}`, ...one }));
        const received: number[] = [];
        const results = await dispatcher.dispatchBatch(batch, {
          mode: chosenMode,
          onDenied: chosenDenied,
          onResult: (_, index) => received.push(index),
        });
        expect(results.map((result) => [result.callId, result.name])).toEqual(batch.map((one) => [one.id, one.name]));
        expect(received.sort((a, b) => a - b)).toEqual(batch.map((_, index) => index));
        for (const one of batch) expect(collected.actionsOf(one.id)).toEqual(['execute_start', 'execute_end']);
      }),
      { numRuns: 150 },
    );
  });
});

describe('conflicts', () => {
  it('distinguishes files, directories and all resources', () => {
    const touch = (reads: readonly string[], writes: readonly string[]): Footprint => ({ reads, writes });
    expect(conflicts(touch(['file:/a'], []), touch(['file:/a'], []))).toBe(false);
    expect(conflicts(touch(['file:/a'], []), touch([], ['file:/a']))).toBe(true);
    expect(conflicts(touch(['file:/a/'], []), touch([], ['file:/a/b/c']))).toBe(true);
    expect(conflicts(touch(['file:/a'], []), touch([], ['file:/ab']))).toBe(false);
    expect(conflicts(touch(['*'], []), touch([], ['process:1']))).toBe(true);
    expect(conflicts(touch([], ['*']), touch([], []))).toBe(false);
  });
});
