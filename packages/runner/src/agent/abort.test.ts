import { describe, expect, it } from 'vitest';
import { createDispatcher, defineTool, type AnyTool, type ToolEvent } from '@haft/core';
import { runAgent } from '../index.ts';
import { scriptedModel } from '../testing.ts';
import { expectPaired } from '../fixtures/expect-paired.ts';

const quick = defineTool({
  name: 'quick',
  description: 'Answers.',
  kind: 'read',
  input: { type: 'object' },
  execute: () => 'quick',
}) as AnyTool;

/** A tool that reports its start and ends only with its signal. */
function endless() {
  let started = (): void => {};
  const running = new Promise<void>((resolve) => (started = resolve));
  const tool = defineTool({
    name: 'endless',
    description: 'Waits.',
    kind: 'read',
    input: { type: 'object' },
    execute: (_, { signal }) => {
      started();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    },
  }) as AnyTool;
  return { tool, running };
}

describe('aborting a run', () => {
  it('makes no request if the signal has already aborted', async () => {
    const model = scriptedModel(['never']);
    const result = await runAgent({ model, prompt: 'Go', signal: AbortSignal.abort() });
    expect(result).toMatchObject({ stopReason: 'aborted', turns: 0, messages: [{ role: 'user' }] });
    expect(model.requests).toHaveLength(0);
  });

  it('keeps the partial answer, and the next run continues', async () => {
    const controller = new AbortController();
    const model = scriptedModel([{ text: 'Half an ans', instead: 'silence' }]);
    const result = await runAgent({
      model,
      prompt: 'Go',
      signal: controller.signal,
      onEvent: (event) => {
        if (event.type === 'text') controller.abort();
      },
    });
    expect(result.stopReason).toBe('aborted');
    expect('Half an ans'.startsWith(result.text)).toBe(true);
    const next = await runAgent({ model: scriptedModel(['Here.']), messages: result.messages, prompt: 'Again' });
    expect(next).toMatchObject({ stopReason: 'finished', text: 'Here.', diagnostics: [] });
  });

  it('answers every call: finished, running and not started', async () => {
    const controller = new AbortController();
    const { tool, running } = endless();
    void running.then(() => controller.abort());
    const names = ['quick', 'endless', 'endless', 'no_such_tool'];
    const model = scriptedModel([{ calls: names.map((name) => ({ name })) }]);
    const result = await runAgent({
      model,
      tools: [quick, tool],
      prompt: 'Go',
      signal: controller.signal,
      maxParallel: 2,
    });
    expect(result.stopReason).toBe('aborted');
    expect(result.calls.map((call) => (call.result.ok ? 'ok' : call.result.error.code))).toEqual([
      'ok',
      'ABORTED',
      'ABORTED',
      'TOOL_NOT_FOUND',
    ]);
    expectPaired(result.messages);
    const next = scriptedModel([{ calls: [{ name: 'quick' }] }, 'Done.']);
    const again = await runAgent({ model: next, messages: result.messages, prompt: 'Again', tools: [quick] });
    expect(again).toMatchObject({ stopReason: 'finished', text: 'Done.' });
    expectPaired(again.messages);
    expectPaired(next.requests[1]!.messages);
  });

  it('answers complete calls of an interrupted stream and drops incomplete ones', async () => {
    const controller = new AbortController();
    const events: ToolEvent[] = [];
    const model = scriptedModel([
      { calls: [{ name: 'quick' }, { name: 'quick', arguments: '{"half', cut: true }], instead: 'silence' },
    ]);
    const result = await runAgent({
      model,
      tools: [quick],
      prompt: 'Go',
      signal: controller.signal,
      observer: (event) => events.push(event),
      onEvent: (event) => {
        if (event.type === 'tool-call-delta' && event.id === 'call_2') controller.abort();
      },
    });
    expect(result.calls).toMatchObject([{ result: { ok: false, error: { code: 'ABORTED' } } }]);
    expect(events.map((event) => event.action)).toEqual(['execute_start', 'execute_cancelled']);
    expectPaired(result.messages);
  });

  it('ends the delay before a retry', async () => {
    const controller = new AbortController();
    const model = scriptedModel([{ instead: 'end' }, 'never']);
    const result = await runAgent({
      model,
      prompt: 'Go',
      signal: controller.signal,
      retries: { delayMs: 60_000 },
      onEvent: (event) => {
        if (event.type === 'retry') controller.abort();
      },
    });
    expect(result).toMatchObject({ stopReason: 'aborted', turns: 0 });
    expect(model.remaining).toBe(1);
  });

  it('does not wait for a model or a tool listing that ignores the signal', async () => {
    const deaf = {
      name: 'deaf',
      generate: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) }),
    };
    const first = new AbortController();
    setTimeout(() => first.abort(), 5);
    expect(await runAgent({ model: deaf, prompt: 'Go', signal: first.signal })).toMatchObject({
      stopReason: 'aborted',
    });
    const second = new AbortController();
    setTimeout(() => second.abort(), 5);
    const tools = { ...createDispatcher({ registry: [quick] }), visibleTo: () => new Promise<never>(() => {}) };
    const listed = await runAgent({ model: scriptedModel([]), tools, prompt: 'Go', signal: second.signal });
    expect(listed).toMatchObject({ stopReason: 'aborted', turns: 0 });
  });

  it('leaves no listener on the signal', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const counted = new Proxy(signal, {
      get(target, key) {
        if (key === 'addEventListener') {
          return (...args: Parameters<AbortSignal['addEventListener']>) => {
            listeners += 1;
            target.addEventListener(...args);
          };
        }
        if (key === 'removeEventListener') {
          return (...args: Parameters<AbortSignal['removeEventListener']>) => {
            listeners -= 1;
            target.removeEventListener(...args);
          };
        }
        const value: unknown = Reflect.get(target, key, target);
        return value;
      },
    });
    const model = scriptedModel([{ calls: [{ name: 'quick' }] }, { instead: 'end' }, 'Done.']);
    const result = await runAgent({ model, tools: [quick], prompt: 'Go', signal: counted, retries: { delayMs: 1 } });
    expect(result.stopReason).toBe('finished');
    expect(listeners).toBe(0);
  });
});
