import { describe, expect, it } from 'vitest';
import {
  allowAll,
  defineTool,
  success,
  type AnyTool,
  type CallContext,
  type PermissionEngine,
  type ToolCall,
} from '@haft/core';
import { callSignature, createMemoSource, limitFanOut, guardCalls, runAgent, type MemoOptions } from '../index.ts';
import { scriptedModel } from '../testing.ts';

interface World {
  text: string;
  reads: number;
  readonly waiting: (() => void)[];
}

function tools(world: World): readonly AnyTool[] {
  const path = { type: 'object', properties: { path: { type: 'string' } } } as const;
  const reader = defineTool({
    name: 'read_file',
    description: 'Reads.',
    kind: 'read',
    input: path,
    footprint: () => ({ reads: ['file:/w/a.txt'], writes: [] }),
    execute: () => {
      world.reads += 1;
      if (world.text === 'fails') throw new Error('broken');
      return { text: world.text };
    },
  });
  const slow = defineTool({
    name: 'read_slowly',
    description: 'Reads when it is let.',
    kind: 'read',
    input: path,
    footprint: () => ({ reads: ['file:/w/a.txt'], writes: [] }),
    execute: async () => {
      world.reads += 1;
      await new Promise<void>((resolve) => void world.waiting.push(resolve));
      return world.text;
    },
  });
  const add = defineTool({
    name: 'add_up',
    description: 'Adds.',
    traits: { pure: true },
    input: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
    execute: ({ a = 0, b = 0 }) => {
      world.reads += 1;
      return a + b;
    },
  });
  const page = defineTool({
    name: 'fetch_page',
    description: 'Fetches.',
    kind: 'read',
    traits: { openWorld: true },
    input: path,
    execute: () => void (world.reads += 1),
  });
  const shell = defineTool({
    name: 'run_shell',
    description: 'Runs.',
    input: { type: 'object', properties: { fails: { type: 'boolean' }, stays: { type: 'boolean' } } },
    execute: ({ fails, stays }) => {
      world.text = `after ${world.text}`;
      if (fails) throw new Error('exit 1');
      return success('', 'ran', { effects: stays ? [{ kind: 'process', command: 'watch', background: true }] : [] });
    },
  });
  return [reader, slow, add, page, shell] as readonly AnyTool[];
}

function setUp(options: MemoOptions = {}, permission: PermissionEngine = allowAll) {
  const world: World = { text: 'one', reads: 0, waiting: [] };
  const source = createMemoSource({ registry: tools(world), permission }, options);
  let id = 0;
  const call = (name: string, args: unknown = {}, context: CallContext = { runId: 'r' }) =>
    source.dispatch({ id: `c${(id += 1)}`, name, arguments: args } satisfies ToolCall, context);
  return { world, source, call };
}

const read = 'read_file';

describe('callSignature', () => {
  it('is equal for equal calls in any key order, and only for those', () => {
    expect(callSignature('a', { x: 1, y: [{ p: 1, q: 2 }] })).toBe(callSignature('a', { y: [{ q: 2, p: 1 }], x: 1 }));
    expect(callSignature('a', { x: undefined })).toBe(callSignature('a', {}));
    const others = [{ x: 1 }, { x: '1' }, { x: null }, { x: [] }, { x: {} }, { x: [1] }, {}, [], 'x', Number.NaN, null];
    const signatures = [...others.map((args) => callSignature('a', args)), callSignature('b', {})];
    expect(new Set(signatures).size).toBe(signatures.length);
  });

  it('is undefined for arguments that are not JSON', () => {
    const cycle: unknown[] = [];
    cycle.push(cycle);
    for (const args of [cycle, { x: 1n }, { x: () => 1 }, new Map(), { x: new Date() }])
      expect(callSignature('a', args)).toBeUndefined();
  });
});

describe('a memo', () => {
  it('answers a repeated call from a copy under its own id without running it', async () => {
    const { world, call, source } = setUp();
    const first = await call(read, { path: 'a.txt' });
    (first.structured as { text: string }).text = 'spoilt';
    const second = await call(read, "{path: 'a.txt'}");
    expect(world.reads).toBe(1);
    expect(second).toMatchObject({ ok: true, callId: 'c2', name: read, effects: [], metadata: { cacheHit: true } });
    expect(second.content).toEqual([{ type: 'json', value: { text: 'one' } }]);
    expect(source.memo.stats()).toEqual({ hits: 1, misses: 1 });
  });

  it('never answers without permission', async () => {
    let isAllowed = true;
    const ask: PermissionEngine['ask'] = (request) =>
      isAllowed
        ? allowAll.ask(request)
        : Promise.resolve({ action: 'deny', denial: { source: 'person', reason: 'no' } } as const);
    const { call } = setUp({}, { ask });
    await call(read);
    isAllowed = false;
    expect(await call(read)).toMatchObject({ ok: false, error: { code: 'PERMISSION_DENIED' } });
  });

  it('runs equal concurrent calls once', async () => {
    const { world, source } = setUp();
    const calls = ['a', 'b', 'c'].map((id) => ({ id, name: 'read_slowly', arguments: {} }));
    const running = source.dispatchBatch(calls, { runId: 'r' });
    await expect.poll(() => world.waiting.length).toBe(1);
    world.waiting[0]!();
    expect((await running).map(({ callId, ok }) => [callId, ok])).toEqual([
      ['a', true],
      ['b', true],
      ['c', true],
    ]);
    expect(world.reads).toBe(1);
  });

  it.each([[{}], [{ fails: true }]])('drops answers when a call may have changed something: %j', async (args) => {
    const { world, call } = setUp();
    await call(read);
    await call('run_shell', args);
    expect((await call(read)).structured).toEqual({ text: 'after one' });
    expect(world.reads).toBe(2);
  });

  it('stores no outdated answer, and none while a background process runs', async () => {
    const { world, call, source } = setUp();
    const slow = call('read_slowly');
    await expect.poll(() => world.waiting.length).toBe(1);
    await call('run_shell', {}, { runId: 'another' });
    world.waiting[0]!();
    await slow;
    void call('read_slowly');
    await expect.poll(() => world.reads).toBe(2);
    await call('run_shell', { stays: true });
    await call(read);
    await call(read);
    expect(world.reads).toBe(4);
    source.forgetTask('r');
    await call(read);
    await call(read);
    expect(world.reads).toBe(5);
  });

  it('keeps pure answers after changes, but no failures or open-world answers', async () => {
    const { world, call } = setUp();
    await call('add_up', { a: 1, b: 2 });
    await call('run_shell');
    await call('add_up', { b: 2, a: 1 });
    expect(world.reads).toBe(1);
    await call('fetch_page');
    await call('fetch_page');
    expect(world.reads).toBe(3);
    world.text = 'fails';
    await call(read);
    await call(read);
    expect(world.reads).toBe(5);
  });

  it('belongs to one task, ends with it, and can be invalidated from outside', async () => {
    const { world, call, source } = setUp();
    await call(read);
    await call(read, {}, { runId: 'another' });
    expect(world.reads).toBe(2);
    source.memo.invalidate();
    await call(read);
    expect(world.reads).toBe(3);
    source.forgetTask('r');
    await call(read);
    expect(world.reads).toBe(4);
  });

  it('stores a limited number of answers, the most recently used', async () => {
    const { world, call } = setUp({ maxEntries: 2 });
    for (const path of ['a', 'b', 'a', 'c', 'a', 'b']) await call(read, { path });
    expect(world.reads).toBe(4);
  });

  it.each([
    ['serve', [true, true, true], [0, 0, 0]],
    ['nudge', [true, true, true], [0, 0, 1]],
    ['reject', [true, true, 'REPEATED_CALL'], [0, 0, 0]],
  ] as const)('answers repeats according to %s', async (repeats, outcomes, remarks) => {
    const { call } = setUp({ repeats });
    const results = [await call(read), await call(read), await call(read)];
    expect(results.map((result) => result.ok || result.error.code)).toEqual(outcomes);
    expect(results.map(({ advisories }) => advisories.length)).toEqual(remarks);
  });

  it('skips the guardrails behind it, and is cleared at the end of a run', async () => {
    const world: World = { text: 'one', reads: 0, waiting: [] };
    const guards = guardCalls([limitFanOut({ [read]: 1 })]);
    const source = createMemoSource({ registry: tools(world), permission: allowAll, middleware: [guards] });
    const turn = { calls: [{ name: read }] };
    const run = () =>
      runAgent({ model: scriptedModel([turn, turn, 'Done.']), tools: source, prompt: 'Go', runId: 'r' });
    for (const reads of [1, 2]) {
      const { calls } = await run();
      expect(calls.map(({ result }) => result.ok)).toEqual([true, true]);
      expect(world.reads).toBe(reads);
    }
  });
});
