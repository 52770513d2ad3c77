import { allowAll, createDispatcher, defineTool, type AnyTool, type ToolResult } from '@haft/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { createBank } from '../fixtures/bank.ts';
import { databases } from '../fixtures/databases.ts';
import type { Jobs } from './open-jobs.ts';

const codesOf = (results: readonly ToolResult[]): readonly string[] =>
  results.map((result) => (result.ok ? 'ok' : result.error.code));

describe.each(databases.map((create) => create()))('jobs.asToolSource on $name', ({ open, remove }) => {
  let jobs: Jobs;
  beforeAll(async () => {
    jobs = await open();
  }, 60_000);
  afterAll(async () => {
    await jobs.close();
    await remove();
  }, 60_000);

  it('runs calls as jobs, passes progress on and stores the context', async () => {
    const { source, release } = createBank();
    const worker = jobs.work({ dispatcher: source, queues: ['a'] });
    const durable = jobs.asToolSource(source, { queue: 'a' });
    const seen: unknown[] = [];
    const result = await durable.dispatch(
      { id: 'call_9', name: 'hold', arguments: '{"amount": 1}' },
      {
        sessionId: 's',
        onProgress: (update) => {
          seen.push(update);
          release();
        },
      },
    );
    expect(result).toMatchObject({ ok: true, callId: 'call_9', content: [{ type: 'text', text: 'released' }] });
    expect(seen).toEqual([{ message: 'holding' }]);
    expect(await jobs.list({ tool: 'hold' })).toMatchObject([{ state: 'done', callId: 'call_9' }]);
    await worker.stop();
  });

  it('returns one result per call of a batch, in call order, and runs conflicting calls one after the other', async () => {
    const { source, effects } = createBank();
    const workers = [1, 2].map(() => jobs.work({ dispatcher: source, queues: ['b'] }));
    const durable = jobs.asToolSource(source, { queue: 'b' });
    const calls = [1, 2, 3, 4].map((amount) => ({ id: `call_${amount}`, name: 'pay', arguments: { amount } }));
    const done: number[] = [];
    const results = await durable.dispatchBatch([...calls, { id: 'x', name: 'fly', arguments: {} }], {
      onResult: (_, index) => void done.push(index),
    });
    expect(codesOf(results)).toEqual(['ok', 'ok', 'ok', 'ok', 'TOOL_NOT_FOUND']);
    expect(results.map(({ callId }) => callId)).toEqual(['call_1', 'call_2', 'call_3', 'call_4', 'x']);
    expect(effects).toEqual(['pay 1', 'pay 2', 'pay 3', 'pay 4']);
    expect(new Set(done)).toEqual(new Set([0, 1, 2, 3, 4]));
    await Promise.all(workers.map((worker) => worker.stop()));
  });

  it('cancels the job when the caller cancels the call', async () => {
    const { source } = createBank();
    const worker = jobs.work({ dispatcher: source, queues: ['c'] });
    const controller = new AbortController();
    const result = await jobs
      .asToolSource(source, { queue: 'c' })
      .dispatch(
        { id: 'call_1', name: 'hold', arguments: { amount: 1 } },
        { signal: controller.signal, onProgress: () => controller.abort() },
      );
    expect(result).toMatchObject({ ok: false, error: { fault: 'cancelled' } });
    await worker.stop();
  });

  it('returns the earlier result for a key, so that a repeated run repeats no call', async () => {
    const { source, effects } = createBank();
    const worker = jobs.work({ dispatcher: source, queues: ['d'] });
    const durable = jobs.asToolSource(source, { queue: 'd', keyOf: ({ id }, { runId }) => `${runId}/${id}` });
    const call = { id: 'call_1', name: 'pay', arguments: { amount: 5 } };
    const results = [await durable.dispatch(call, { runId: 'r' }), await durable.dispatch(call, { runId: 'r' })];
    expect(codesOf(results)).toEqual(['ok', 'ok']);
    expect(effects).toEqual(['pay 5']);
    // The same key with other arguments is a mistake of the program, and not another payment.
    const other = await durable.dispatch({ ...call, arguments: { amount: 6 } }, { runId: 'r' });
    expect(codesOf([other])).toEqual(['EXECUTION_ERROR']);
    expect(effects).toEqual(['pay 5']);
    await worker.stop();
  });

  it('validates arguments again on the worker, and notes that the schema changed', async () => {
    const define = (properties: object): AnyTool =>
      defineTool({
        name: 'greet',
        description: 'Greets.',
        input: { type: 'object', properties, required: Object.keys(properties) },
        execute: () => 'hello',
      }) as AnyTool;
    const sourceOf = (tool: AnyTool) => createDispatcher({ registry: [tool], permission: allowAll });
    const old = jobs.asToolSource(sourceOf(define({ name: { type: 'string' } })), { queue: 'e' });
    const call = { id: 'call_1', name: 'greet', arguments: { name: 'Ana' } };
    const fits = old.dispatch(call);
    const wider = jobs.work({ dispatcher: sourceOf(define({ name: { type: ['string', 'null'] } })), queues: ['e'] });
    expect(await fits).toMatchObject({ ok: true, advisories: [expect.stringMatching(/definition of greet changed/)] });
    await wider.stop();
    const breaks = old.dispatch(call);
    const other = jobs.work({ dispatcher: sourceOf(define({ person: { type: 'integer' } })), queues: ['e'] });
    expect(await breaks).toMatchObject({ ok: false, error: { code: 'INVALID_ARGS', fault: 'model' } });
    await other.stop();
  });
});
