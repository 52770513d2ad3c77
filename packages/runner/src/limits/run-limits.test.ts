import { describe, expect, it } from 'vitest';
import { allowAll, defineTool, HaftError, toolError, type AnyTool } from '@haft/core';
import { createSteerQueue, runAgent, type AgentEvent, type RunLimits } from '../index.ts';
import { scriptedModel, type ScriptedTurn } from '../testing.ts';
import { expectPaired } from '../fixtures/expect-paired.ts';

function counter() {
  let count = 0;
  const tool = defineTool({
    name: 'count_up',
    description: 'Counts.',
    input: { type: 'object' },
    execute: () => String((count += 1)),
  }) as AnyTool;
  return { tool, count: () => count };
}

const calls = (count: number, usage = {}): ScriptedTurn => ({
  calls: Array.from({ length: count }, () => ({ name: 'count_up' })),
  usage,
});

async function run(turns: readonly ScriptedTurn[], limits: RunLimits, extras = {}) {
  const { tool, count } = counter();
  const model = scriptedModel(turns);
  const result = await runAgent({ model, tools: [tool], prompt: 'Go', permission: allowAll, limits, ...extras });
  expectPaired(result.messages);
  return { result, model, count };
}

describe('a limit of a run', () => {
  it('allows a number of tool calls, answers the others, and requests an answer without tools', async () => {
    const { result, model, count } = await run([calls(2), calls(3), 'Three.'], { toolCalls: 3 });
    expect(result).toMatchObject({ stopReason: 'limit', limit: 'tool-calls', text: 'Three.', turns: 3 });
    expect(count()).toBe(3);
    expect(result.calls.map(({ result: one }) => one.ok || one.error.code)).toEqual([
      true,
      true,
      true,
      'LIMIT_REACHED',
      'LIMIT_REACHED',
    ]);
    expect(model.requests[2]!.tools).toEqual([]);
  });

  it.each([
    ['tokens', { tokens: 100 }, { inputTokens: 60, outputTokens: 40 }],
    ['tokens', { tokens: 100 }, { totalTokens: 100 }],
    ['cost', { costUsd: 0.5 }, { costUsd: 0.5 }],
  ] as const)('ends at the limit of %s after running the calls of that turn', async (limit, limits, usage) => {
    const { result, count } = await run([calls(1, usage), 'Done.'], limits);
    expect(result).toMatchObject({ stopReason: 'limit', limit, text: 'Done.' });
    expect(count()).toBe(1);
  });

  it('uses costOf if the model reports no cost, and survives its exceptions', async () => {
    const costOf = ({ outputTokens = 0 }): number => outputTokens / 100;
    const priced = await run([calls(1, { outputTokens: 60 }), 'Done.'], { costUsd: 0.5 }, { costOf });
    expect(priced.result).toMatchObject({ limit: 'cost', usage: { costUsd: 0.6 } });
    const broken = () => {
      throw new Error('no price');
    };
    const free = await run([calls(1, { outputTokens: 60 }), 'Done.'], { costUsd: 0.5 }, { costOf: broken });
    expect(free.result).toMatchObject({ stopReason: 'finished' });
  });

  it('is named in the last event, and causes no last request with onLimit error', async () => {
    const events: AgentEvent[] = [];
    const onEvent = (event: AgentEvent): void => void events.push(event);
    const { result, model } = await run([calls(1)], { toolCalls: 1 }, { onLimit: 'error', onEvent });
    expect(result).toMatchObject({
      stopReason: 'limit',
      limit: 'tool-calls',
      error: {
        code: 'LIMIT_REACHED',
        message: expect.stringMatching(/^the run reached its limit of \d tool calls \(limits\.toolCalls\)$/),
        details: { limit: 'tool-calls' },
      },
    });
    expect(events.at(-1)).toMatchObject({ type: 'run-end', limit: 'tool-calls' });
    model.assertComplete();
  });

  it('aborts a silent request at the time limit, and still requests the answer', async () => {
    const { result } = await run([{ text: 'Half', instead: 'silence' }, 'In short.'], { wallTimeMs: 30 });
    expect(result).toMatchObject({ stopReason: 'limit', limit: 'wall-time', text: 'In short.' });
    expect(result.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
  });

  it('cancels running calls at the time limit', async () => {
    const waiting = defineTool({
      name: 'wait_long',
      description: 'Waits.',
      kind: 'read',
      input: { type: 'object' },
      execute: (_, { signal }) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
    }) as AnyTool;
    const model = scriptedModel([{ calls: [{ name: 'wait_long' }] }, 'Late.']);
    const result = await runAgent({ model, tools: [waiting], prompt: 'Go', limits: { wallTimeMs: 30 } });
    expect(result).toMatchObject({ stopReason: 'limit', limit: 'wall-time', text: 'Late.' });
    expect(result.calls[0]!.result).toMatchObject({ ok: false, error: { code: 'ABORTED' } });
    expectPaired(result.messages);
  });

  it('gives the last answer a time limit of its own', async () => {
    const turns: ScriptedTurn[] = [{ instead: 'silence' }, { text: 'Ne', instead: 'silence' }];
    const { result } = await run(turns, { wallTimeMs: 20, lastAnswerMs: 20 }, { retries: { delayMs: 1 } });
    expect(result).toMatchObject({ stopReason: 'limit', limit: 'wall-time', text: 'Ne' });
    expect(result.error).toMatchObject({ code: 'MODEL_FAILED' });
  });

  it('is not reported by a run that ends earlier, and ends the run even if messages are waiting', async () => {
    const steer = createSteerQueue();
    const early = await run(['Done.'], { toolCalls: 1, tokens: 10, wallTimeMs: 60_000, costUsd: 1 });
    expect(early.result).toMatchObject({ stopReason: 'finished' });
    expect(early.result).not.toHaveProperty('limit');
    const onResult = (): void => void steer.steer('And then?');
    const late = await run([calls(1), 'Done.'], { toolCalls: 1 }, { steer, onToolResult: onResult });
    expect(late.result).toMatchObject({ stopReason: 'limit', text: 'Done.' });
  });

  it.each([{ toolCalls: 0 }, { tokens: -1 }, { costUsd: '1' }, { minutes: 3 }, 5])(
    'rejects the limits %j',
    async (limits) => {
      await expect(run(['x'], limits as RunLimits)).rejects.toThrow(HaftError);
    },
  );
});

describe('a second abort', () => {
  it('ends the wait for a source that ignores the signal', async () => {
    const first = new AbortController();
    const second = new AbortController();
    const { tool } = counter();
    const deaf = {
      snapshot: () => snapshot,
      visibleTo: () => Promise.resolve(snapshot),
      dispatch: () => new Promise<never>(() => {}),
      dispatchBatch: () => {
        first.abort();
        queueMicrotask(() => second.abort());
        return new Promise<never>(() => {});
      },
    };
    const snapshot = {
      version: 1,
      tools: [tool],
      names: ['count_up'],
      get: () => tool,
      has: () => true,
      providerFor: () => 'local',
    };
    const startedAt = performance.now();
    const result = await runAgent({
      model: scriptedModel([calls(2)]),
      tools: deaf,
      prompt: 'Go',
      signal: first.signal,
      forceSignal: second.signal,
    });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(result.stopReason).toBe('aborted');
    expect(result.calls.map(({ result: one }) => one.ok || one.error.code)).toEqual(['ABORTED', 'ABORTED']);
    expectPaired(result.messages);
  });

  it('ends the run without a first abort', async () => {
    const force = AbortSignal.abort();
    const result = await runAgent({ model: scriptedModel(['never']), prompt: 'Go', forceSignal: force });
    expect(result.stopReason).toBe('aborted');
  });
});

describe('a model that rejects the conversation', () => {
  const refusal = (status: number): ScriptedTurn => ({
    error: toolError('MODEL_FAILED', 'unsupported content', { retryable: false, details: { status } }),
  });
  const messages = [
    { role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: new Uint8Array(3) }] },
    { role: 'assistant', content: '', reasoning: 'hm' },
    { role: 'assistant', content: 'A picture.', reasoning: 'it is one' },
  ] as const;

  it('receives it again without reasoning, media and empty messages', async () => {
    const model = scriptedModel([refusal(400), 'Better.']);
    const result = await runAgent({ model, messages, prompt: 'And?' });
    expect(result).toMatchObject({ stopReason: 'finished', text: 'Better.' });
    expect(result.diagnostics.map(({ kind }) => kind)).toEqual(['history-refused']);
    expect(model.requests[1]!.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: '[image image/png, left out]' }] },
      { role: 'assistant', content: 'A picture.' },
      { role: 'user', content: 'And?' },
    ]);
  });

  it('ends the run if it rejects that too, or if nothing could be removed', async () => {
    const twice = await runAgent({ model: scriptedModel([refusal(422), refusal(422)]), messages });
    expect(twice).toMatchObject({ stopReason: 'error', error: { message: 'unsupported content' } });
    const model = scriptedModel([refusal(400)]);
    expect(await runAgent({ model, prompt: 'Plain' })).toMatchObject({ stopReason: 'error' });
    model.assertComplete();
  });

  it('is not asked again after another failure', async () => {
    const model = scriptedModel([refusal(401)]);
    expect(await runAgent({ model, messages })).toMatchObject({ stopReason: 'error' });
  });
});

describe('the conversation of a long run', () => {
  it('is passed to the model without a copy', async () => {
    const seen = new Set<unknown>();
    const { tool } = counter();
    const script = scriptedModel([calls(1), calls(1), calls(1), 'Done.']);
    const model = {
      name: 'looks',
      generate: (request: Parameters<typeof script.generate>[0]) => {
        seen.add(request.messages);
        return script.generate(request);
      },
    };
    await runAgent({ model, tools: [tool], prompt: 'Go', permission: allowAll });
    expect(seen.size).toBe(1);
  });
});
