import { describe, expect, it } from 'vitest';
import { defineTool, toolError, type AnyTool, type Model, type ModelEvent } from '@haft/core';
import { createAgent, recordRun, runAgent, type AgentEvent } from '../index.ts';
import { scriptedModel } from '../testing.ts';
import { expectPaired } from '../fixtures/expect-paired.ts';

const retries = { delayMs: 1 };
const overloaded = toolError('MODEL_FAILED', 'overloaded', { retryable: true });
const refused = toolError('MODEL_FAILED', 'wrong key', { retryable: false });

const quick = defineTool({
  name: 'quick',
  description: 'Answers.',
  kind: 'read',
  input: { type: 'object' },
  execute: () => 'quick',
}) as AnyTool;

/** A model whose stream is a generator. */
const modelOf = (generate: () => AsyncGenerator<ModelEvent>): Model => ({ name: 'own', generate });

describe('a model that fails', () => {
  it('is asked again after temporary failures, and its partial answer is discarded', async () => {
    const events: AgentEvent[] = [];
    const model = scriptedModel([
      { text: 'Hal', error: overloaded },
      { calls: [{ name: 'quick' }], error: overloaded },
      'Hello.',
    ]);
    const result = await runAgent({
      model,
      tools: [quick],
      prompt: 'Hi',
      retries,
      onEvent: (event) => events.push(event),
    });
    expect(result).toMatchObject({ stopReason: 'finished', text: 'Hello.', turns: 1, calls: [] });
    expect(result.messages).toHaveLength(2);
    expect(events.flatMap((event) => (event.type === 'retry' ? [event.delayMs] : []))).toEqual([1, 2]);
    expect(result.diagnostics.map((diagnostic) => diagnostic.kind)).toEqual(['request-retried', 'request-retried']);
  });

  it('throws RUN_FAILED with the reason instead of returning an empty text when throwOnError is set', async () => {
    const options = { prompt: 'Hi', retries: { max: 0 } };
    const model = (): Model => scriptedModel([{ error: refused }]);
    expect(await runAgent({ ...options, model: model() })).toMatchObject({ stopReason: 'error', text: '' });
    await expect(runAgent({ ...options, model: model(), throwOnError: true })).rejects.toMatchObject({
      name: 'HaftError',
      code: 'RUN_FAILED',
      message: 'the run failed (error, MODEL_FAILED): wrong key',
      cause: refused,
    });
    const lines: string[] = [];
    const recorded = recordRun({ ...options, model: model(), throwOnError: true }, (line) => lines.push(line));
    await expect(recorded).rejects.toMatchObject({ code: 'RUN_FAILED' });
    expect(JSON.parse(lines.at(-1)!)).toMatchObject({ type: 'end', outcome: { stopReason: 'error' } });
  });

  it('keeps the conversation of an agent whose run throws', async () => {
    const model = scriptedModel([{ error: refused }, 'Hello.']);
    const agent = createAgent({ model, retries: { max: 0 }, throwOnError: true });
    await expect(agent.run('Hi')).rejects.toMatchObject({ code: 'RUN_FAILED' });
    expect(agent.messages).toEqual([{ role: 'user', content: 'Hi' }]);
    expect(await agent.run()).toMatchObject({ stopReason: 'finished', text: 'Hello.' });
  });

  it('never throws for a failed call or an abort when throwOnError is set', async () => {
    const model = scriptedModel([{ calls: [{ name: 'unknown_tool' }] }, 'Done.']);
    expect(await runAgent({ model, prompt: 'Hi', throwOnError: true })).toMatchObject({ stopReason: 'finished' });
    const signal = AbortSignal.abort();
    const aborted = await runAgent({ model: scriptedModel(['Hi']), prompt: 'Hi', signal, throwOnError: true });
    expect(aborted.stopReason).toBe('aborted');
  });

  it('fails the run after the last attempt, with an unchanged conversation', async () => {
    const model = scriptedModel([{ error: overloaded }, { error: overloaded }, { text: 'Hal', error: overloaded }]);
    const result = await runAgent({ model, prompt: 'Hi', retries: { ...retries, max: 2 } });
    model.assertComplete();
    expect(result).toMatchObject({ stopReason: 'error', text: 'Hal', turns: 0, error: { message: 'overloaded' } });
    expect(result.messages).toEqual([{ role: 'user', content: 'Hi' }]);
  });

  it('is not asked again if a retry cannot help', async () => {
    const model = scriptedModel([{ error: refused }, 'never']);
    expect(await runAgent({ model, prompt: 'Hi', retries })).toMatchObject({
      stopReason: 'error',
      error: { message: 'wrong key' },
    });
    expect(model.remaining).toBe(1);
    const strange = scriptedModel([{ error: new Error('a bug') }, 'never']);
    const result = await runAgent({ model: strange, prompt: 'Hi', retries });
    expect(result.error).toMatchObject({
      code: 'MODEL_FAILED',
      retryable: false,
      message: expect.stringContaining('a bug'),
    });
  });

  it('is retried after the delay that the vendor requests, unless it is too long', async () => {
    const after = (retryAfterMs: number) => ({ error: { ...overloaded, details: { retryAfterMs } } });
    const delays: number[] = [];
    const onEvent = (event: AgentEvent): void => {
      if (event.type === 'retry') delays.push(event.delayMs);
    };
    const slow = { delayMs: 60_000, maxDelayMs: 100 };
    const result = await runAgent({
      model: scriptedModel([after(3), after(0), 'Hello.']),
      prompt: 'Hi',
      retries: slow,
      onEvent,
    });
    expect(result.stopReason).toBe('finished');
    expect(delays).toEqual([3, 0]);
    const model = scriptedModel([after(101), 'never']);
    expect(await runAgent({ model, prompt: 'Hi', retries: slow })).toMatchObject({ stopReason: 'error' });
  });

  it('is asked again after an empty answer, a limited number of times', async () => {
    const empty = [{}, { text: ' \n' }, { reasoning: 'Hm.' }];
    const good = await runAgent({ model: scriptedModel([...empty, 'Hello.']), prompt: 'Hi', retries });
    expect(good).toMatchObject({ stopReason: 'finished', text: 'Hello.' });
    const bad = await runAgent({ model: scriptedModel([...empty, {}]), prompt: 'Hi', retries });
    expect(bad).toMatchObject({ stopReason: 'error', error: { details: { reason: 'empty' } } });
    const filtered = scriptedModel([{ finishReason: 'content-filter' }]);
    expect(await runAgent({ model: filtered, prompt: 'Hi', retries })).toMatchObject({
      stopReason: 'error',
      finishReason: 'content-filter',
      error: { retryable: false },
    });
  });

  it('keeps the results of earlier turns, and the next run continues from them', async () => {
    const model = scriptedModel([{ calls: [{ name: 'quick' }] }, { error: refused }]);
    const result = await runAgent({ model, tools: [quick], prompt: 'Hi', retries });
    expect(result).toMatchObject({ stopReason: 'error', turns: 1, calls: [{ result: { ok: true } }] });
    expectPaired(result.messages);
    const next = await runAgent({ model: scriptedModel(['Hello.']), messages: result.messages });
    expect(next).toMatchObject({ stopReason: 'finished', diagnostics: [] });
  });

  it('counts the usage of failed requests', async () => {
    const usage = { inputTokens: 2 };
    const result = await runAgent({
      model: scriptedModel([
        { usage, error: overloaded },
        { usage, text: 'Hi' },
      ]),
      prompt: 'Hi',
      retries,
    });
    expect(result.usage).toEqual({ inputTokens: 4 });
  });

  it('times out if it is silent or never ends', async () => {
    const silent = scriptedModel([{ text: 'Hal', instead: 'silence' }, 'Hello.']);
    const result = await runAgent({ model: silent, prompt: 'Hi', retries, idleTimeoutMs: 20 });
    expect(result).toMatchObject({ stopReason: 'finished', text: 'Hello.' });
    expect(silent.requests[0]!.signal?.aborted).toBe(true);
    expect(silent.requests[1]!.signal?.aborted).toBe(false);

    const chatty = modelOf(async function* () {
      for (;;) {
        yield { type: 'reasoning', text: '.' };
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
    });
    const endless = await runAgent({ model: chatty, prompt: 'Hi', retries: { max: 0 }, requestTimeoutMs: 30 });
    expect(endless).toMatchObject({ stopReason: 'error', error: { details: { reason: 'timeout' } } });
  });

  it('returns its text with an unknown finish reason if the stream has no end, and is asked again if it finishes with an error', async () => {
    const noEnd = await runAgent({ model: scriptedModel([{ text: 'Hal', instead: 'end' }]), prompt: 'Hi' });
    expect(noEnd).toMatchObject({ stopReason: 'finished', text: 'Hal', finishReason: 'unknown' });
    const failed = scriptedModel([{ text: 'Hal', finishReason: 'error' }, 'Hello.']);
    expect(await runAgent({ model: failed, prompt: 'Hi', retries })).toMatchObject({ text: 'Hello.' });
  });

  it.each([
    [
      'generate',
      {
        name: 'own',
        generate: () => {
          throw new Error('at once');
        },
      },
    ],
    ['the iterator', { name: 'own', generate: () => ({}) as AsyncIterable<ModelEvent> }],
    [
      'an event',
      modelOf(async function* () {
        yield null as unknown as ModelEvent;
      }),
    ],
    [
      'nothing',
      modelOf(async function* () {
        yield* [];
        throw undefined;
      }),
    ],
  ] as const)('never makes the run throw if %s fails', async (_, model) => {
    expect(await runAgent({ model, prompt: 'Hi', retries })).toMatchObject({
      stopReason: 'error',
      error: { code: 'MODEL_FAILED' },
    });
  });

  it('lets the generator clean up after the finish event', async () => {
    let isCleanedUp = false;
    const model = modelOf(async function* () {
      try {
        yield { type: 'text', text: 'Hello.' };
        yield { type: 'finish', reason: 'stop' };
        yield { type: 'text', text: 'Too late.' };
      } finally {
        isCleanedUp = true;
      }
    });
    expect(await runAgent({ model, prompt: 'Hi' })).toMatchObject({ text: 'Hello.' });
    expect(isCleanedUp).toBe(true);
  });
});
