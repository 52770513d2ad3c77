import { growthOf, linearGrowth } from '@haft-tooling/growth';
import {
  allowAll,
  createDispatcher,
  defineTool,
  type AnyTool,
  type Model,
  type ModelEvent,
  type ToolResult,
  type ToolSource,
} from '@haft/core';
import { describe, expect, it } from 'vitest';
import { expectPaired } from '../fixtures/expect-paired.ts';
import { runAgent, type AgentResult, type RunAgentOptions } from '../index.ts';
import { readStream } from '../turn/model/read-stream.ts';

const act = defineTool({
  name: 'act',
  description: 'Acts.',
  kind: 'read',
  input: { type: 'object' },
  execute: () => 'acted',
}) as AnyTool;
const source = createDispatcher({ registry: [act], permission: allowAll });

const events = (...given: readonly unknown[]): (() => AsyncIterable<ModelEvent>) =>
  async function* () {
    for (const event of given) yield (await Promise.resolve(event)) as ModelEvent;
  };
const call = (id: unknown, name: unknown, args: unknown = '{}'): unknown => ({
  type: 'tool-call',
  id,
  name,
  arguments: args,
});
const finish = { type: 'finish', reason: 'tool-calls' };
const done = events({ type: 'text', text: 'done' }, { type: 'finish', reason: 'stop' });

async function run(answers: readonly (() => unknown)[], options: Partial<RunAgentOptions> = {}): Promise<AgentResult> {
  let turn = 0;
  const generate = (): unknown => answers[Math.min(turn++, answers.length - 1)]!();
  const model = { name: 'hostile', generate } as unknown as Model;
  const result = await runAgent({ model, tools: source, prompt: 'Go', retries: { max: 0 }, ...options });
  expectPaired(result.messages);
  return result;
}

/** An error whose accessors throw. */
function unreadableError(): Error {
  const error = new Error('x');
  for (const key of ['message', 'name', 'stack', 'code', 'fault', 'retryable'])
    Object.defineProperty(error, key, {
      get() {
        throw error;
      },
    });
  return error;
}

const throwing =
  (value: unknown): (() => never) =>
  () => {
    throw value;
  };

describe('a model that throws', () => {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  it.each([
    ['an unreadable error', unreadableError()],
    ['an object without a prototype', Object.create(null) as unknown],
    ['a revoked proxy', revoked.proxy],
    ['a symbol', Symbol('x')],
    ['nothing', undefined],
  ])('ends the run with an error for %s, wherever it is thrown', async (_what, value) => {
    const throwers = [
      throwing(value),
      () => ({ [Symbol.asyncIterator]: throwing(value) }),
      () => ({ [Symbol.asyncIterator]: () => ({ next: throwing(value) }) }),
      () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(value as Error) }) }),
      events(call('1', 'act'), {
        get type(): never {
          return throwing(value)();
        },
      }),
    ];
    for (const generate of throwers) {
      expect(await run([generate])).toMatchObject({ stopReason: 'error', error: { code: 'MODEL_FAILED' } });
    }
  });

  it('keeps the answer if it throws when its stream is closed', async () => {
    for (const closing of [
      throwing(unreadableError()),
      () => Promise.reject(unreadableError()),
      () => new Promise(() => undefined),
    ]) {
      const answer = () => ({
        [Symbol.asyncIterator]: () => ({
          ...done()[Symbol.asyncIterator](),
          next: () => next.shift(),
          return: closing,
        }),
      });
      const next = [
        { done: false, value: { type: 'text', text: 'done' } },
        { done: false, value: { type: 'finish', reason: 'stop' } },
      ].map((step) => Promise.resolve(step));
      expect(await run([answer])).toMatchObject({ stopReason: 'finished', text: 'done' });
    }
  });
});

describe('an endless stream', () => {
  /** Timers and other tasks never run between two of its events. */
  const flood = () => ({
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.resolve({ done: false, value: { type: 'reasoning', text: '' } }),
    }),
  });

  it('ends at the request timeout', async () => {
    const result = await run([flood], { requestTimeoutMs: 60 });
    expect(result).toMatchObject({ stopReason: 'error', error: { details: { reason: 'timeout' } } });
  });

  it('ends when the run is aborted', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 30);
    expect(await run([flood], { signal: stop.signal })).toMatchObject({ stopReason: 'aborted' });
  });

  it('takes linear time, even if all calls share one id', async () => {
    const make = (count: number): Model => ({
      name: 'm',
      generate: events(
        ...Array.from({ length: count }, () => ({ type: 'tool-call-start', id: 'a', name: 'act' })),
        ...Array.from({ length: count }, () => call('a', 'act')),
        finish,
      ),
    });
    const read = async (model: Model): Promise<void> => {
      const bounds = { idleTimeoutMs: 60_000, requestTimeoutMs: 60_000, signal: undefined };
      const answer = await readStream(model, { messages: [], tools: [] }, bounds, () => undefined);
      expect(answer.calls.every(({ isCut }) => !isCut)).toBe(true);
    };
    expect(await growthOf(make, read, 1_000)).toBeLessThan(linearGrowth);
  });
});

describe('invalid events', () => {
  it('are ignored', async () => {
    const rubbish = [
      null,
      undefined,
      5,
      'x',
      [],
      {},
      { type: 'nope' },
      { type: 'text' },
      { type: 'text', text: 5 },
      { type: 'tool-call-delta', id: 5 },
      { type: 'usage', usage: null },
      { type: 'usage', usage: { inputTokens: 'many', outputTokens: Number.NaN } },
    ];
    const result = await run([
      events(
        ...rubbish,
        { type: 'usage', usage: { inputTokens: 2 } },
        { type: 'text', text: 'fine' },
        { type: 'finish', reason: 'stop' },
      ),
    ]);
    expect(result).toMatchObject({ stopReason: 'finished', text: 'fine', usage: { inputTokens: 2 } });
  });

  it('are named in the error if the model yields nothing else', async () => {
    const silent = events({ type: 'txt', text: 'hello' });
    expect(await run([silent, silent, silent, silent])).toMatchObject({
      stopReason: 'error',
      error: {
        message: expect.stringContaining('(expected a type such as "text", "tool-call" or "finish", got "txt")'),
      },
    });
  });

  it.each([
    ['a promise', async () => 'hello'],
    ['nothing', () => undefined],
  ])('cannot occur if generate returns %s, which the error explains', async (_what, generate) => {
    const result = await runAgent({ model: { name: 'm', generate } as never, prompt: 'x' });
    expect(result).toMatchObject({
      stopReason: 'error',
      error: { message: expect.stringContaining('expected async *generate(request) { … }') },
    });
  });

  it.each([
    ['no name', call('1', undefined), 'TOOL_NOT_FOUND'],
    ['nothing at all', { type: 'tool-call' }, 'TOOL_NOT_FOUND'],
    ['a number for a name', call('1', 5), 'TOOL_NOT_FOUND'],
    ['no id', call(null, 'act'), undefined],
    ['a number for an id', call(7, 'act'), undefined],
    ['no arguments', call('1', 'act', undefined), undefined],
  ])('are answered if they look like calls (%s)', async (_what, event, code) => {
    const result = await run([events(event, finish), done]);
    expect(result.stopReason).toBe('finished');
    expect(result.calls.map(({ result: { ok } }) => ok)).toEqual([code === undefined]);
    if (code) expect(result.calls[0]?.result).toMatchObject({ error: { code } });
  });

  it('end the answer as truncated if they look like its end', async () => {
    const result = await run([events({ type: 'text', text: 'x' }, { type: 'finish', reason: 'because' })]);
    expect(result).toMatchObject({ finishReason: 'unknown', text: 'x' });
  });
});

describe('a source that answers', () => {
  const good = (callId: string): ToolResult => ({
    ok: true,
    callId,
    name: 'act',
    content: [{ type: 'text', text: 'x' }],
    advisories: [],
    effects: [],
    metadata: {},
    startedAt: 0,
    durationMs: 0,
  });
  const ring: Record<string, unknown> = {};
  ring['ring'] = ring;
  const answering = (
    dispatchBatch: (ids: readonly string[], sendResult: (result: unknown, index: unknown) => void) => unknown,
  ): ToolSource => ({
    ...source,
    dispatchBatch: (calls, context) =>
      dispatchBatch(
        calls.map(({ id }) => id),
        (result, index) => context?.onResult?.(result as ToolResult, index as number),
      ) as Promise<readonly ToolResult[]>,
  });

  it.each([
    ['a number', () => 5],
    ['an empty object', () => ({})],
    ['no advisories', (id: string) => ({ ok: true, callId: id, content: [] })],
    ['content of an unknown kind', (id: string) => ({ ...good(id), content: [{ type: 'video' }] })],
    ['content that is invalid', (id: string) => ({ ...good(id), content: [null] })],
    [
      'an image without bytes',
      (id: string) => ({ ...good(id), content: [{ type: 'image', data: {}, mediaType: 'image/png' }] }),
    ],
    ['JSON that contains itself', (id: string) => ({ ...good(id), content: [{ type: 'json', value: ring }] })],
    [
      'issues that are none',
      (id: string) => ({
        ...good(id),
        ok: false,
        error: { code: 'X', message: 'm', fault: 'world', retryable: false, issues: [null] },
      }),
    ],
    ['a result whose members throw', () => Object.defineProperty({}, 'ok', { get: throwing(unreadableError()) })],
    [
      'a revoked proxy',
      () => {
        const { proxy, revoke } = Proxy.revocable({}, {});
        revoke();
        return proxy;
      },
    ],
  ])('leaves no call unanswered with %s', async (_what, answer) => {
    for (const tools of [
      answering((ids) => Promise.resolve(ids.map(answer))),
      answering((ids, sendResult) => {
        ids.forEach((id, index) => sendResult(answer(id), index));
        return Promise.resolve([]);
      }),
    ]) {
      const received: string[] = [];
      const result = await run([events(call('1', 'act'), call('2', 'act'), finish), done], {
        tools,
        onToolResult: ({ callId }) => received.push(callId),
      });
      expect(result).toMatchObject({ stopReason: 'finished', text: 'done' });
      expect(result.calls.map((each) => each.result)).toMatchObject(
        ['1', '2'].map((callId) => ({ ok: false, callId, error: { code: 'OUTPUT_INVALID' } })),
      );
      expect(result.diagnostics.filter(({ kind }) => kind === 'source-failed').length).toBe(2);
      expect(received).toEqual(['1', '2']);
    }
  });

  it.each([
    ['nothing', () => Promise.resolve(undefined)],
    ['a text', () => Promise.resolve('fine')],
    ['too few', () => Promise.resolve([])],
    ['an unreadable exception', throwing(unreadableError())],
    ['an unreadable rejection', () => Promise.reject(unreadableError())],
    [
      'results for other calls',
      (_ids: readonly string[], sendResult: (result: unknown, index: unknown) => void) => {
        for (const index of [-1, 99, 1.5, 'length', '0', null]) sendResult(good('x'), index);
        return Promise.resolve([]);
      },
    ],
  ])('leaves no call unanswered with %s', async (_what, answer) => {
    const result = await run([events(call('1', 'act'), finish), done], { tools: answering(answer) });
    expect(result.calls.map((each) => each.result)).toMatchObject([{ ok: false, error: { code: 'EXECUTION_ERROR' } }]);
    expect(result.text).toBe('done');
  });

  it('is reported once if it answers twice', async () => {
    const received: string[] = [];
    const tools = answering((ids, sendResult) => {
      for (const id of [...ids, ...ids]) sendResult(good(id), 0);
      return Promise.resolve(ids.map(good));
    });
    const result = await run([events(call('1', 'act'), finish), done], {
      tools,
      onToolResult: ({ callId }) => received.push(callId),
    });
    expect(received).toEqual(['1']);
    expect(result.calls.length).toBe(1);
  });

  it('ends the run with an error if it cannot list its tools', async () => {
    const tools: ToolSource = { ...source, visibleTo: () => Promise.reject(unreadableError()) };
    expect(await run([done], { tools })).toMatchObject({ stopReason: 'error', error: { code: 'TOOL_UNAVAILABLE' } });
  });
});

describe('a conversation that fails inside the loop', () => {
  it('is returned with every call answered', async () => {
    let reads = 0;
    const snapshot = source.snapshot();
    const odd = {
      ...snapshot,
      get names(): readonly string[] {
        reads += 1;
        return reads > 1 ? throwing(unreadableError())() : snapshot.names;
      },
    };
    const tools: ToolSource = { ...source, visibleTo: () => Promise.resolve(odd) };
    const result = await run([events(call('1', 'act'), finish)], {
      tools,
      messages: [{ role: 'assistant', content: '', toolCalls: [{ id: 'old', name: 'act', arguments: {} }] }],
    });
    expect(result.stopReason).toBe('error');
  });
});
